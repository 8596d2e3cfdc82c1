/** Checkers of the rules that OpenAI and Anthropic publish for histories. Each returns the violations. */

import type { Conversation } from 'tuckaway';

type Fields = { readonly [name: string]: any };

/** Returns the violations in messages of Chat Completions. */
export function chatViolations(messages: readonly Fields[]): string[] {
    const wrong: string[] = [];
    let open = new Set<string>();
    messages.forEach(({ role, content, tool_calls, tool_call_id }, index) => {
        const say = (what: string) => wrong.push(`messages[${index}]: ${what}`);
        if (role === 'tool') {
            if (!open.delete(tool_call_id)) {
                say(`answers ${tool_call_id}, which no call directly before it waits for`);
            }
            return;
        }
        if (open.size > 0) {
            say(`comes before the answers to ${[...open].join()}`);
        }
        open = new Set((tool_calls ?? []).map(({ id }: Fields) => id));
        if (tool_calls !== undefined && tool_calls.length === 0) {
            say('has an empty list of calls');
        }
        if (open.size !== (tool_calls ?? []).length) {
            say('has two calls with the same id');
        }
        if (!['system', 'developer', 'user', 'assistant'].includes(role)) {
            say(`has the role ${role}`);
        }
        if (isEmpty(content) && !(role === 'assistant' && open.size > 0)) {
            say('has no content');
        }
    });
    return [...wrong, ...(open.size > 0 ? ['the last calls have no answers'] : [])];
}

/** Returns the violations in input items of Responses. `before`: the history that the items were taken from. */
export function responsesViolations(items: readonly Fields[], before: readonly Fields[]): string[] {
    const wrong: string[] = [];
    const called = new Set<string>();
    const answered = new Set<string>();
    const next = new Map(before.map((item, index) => [item, before[index + 1]]));
    items.forEach((item, index) => {
        const say = (what: string) => wrong.push(`input[${index}]: ${what}`);
        if (item.type === 'function_call' || item.type === 'custom_tool_call') {
            called.add(item.call_id);
        } else if (item.type === 'function_call_output' || item.type === 'custom_tool_call_output') {
            if (!called.has(item.call_id) || answered.has(item.call_id)) {
                say(`no call found for ${item.call_id}`);
            }
            answered.add(item.call_id);
        } else if (item.type === 'reasoning') {
            if (items[index + 1] !== next.get(item)) {
                say('reasoning without its required following item');
            }
        } else if (isEmpty(item.content)) {
            say('has no content');
        }
    });
    let reasoning: Fields | undefined;
    for (const item of before) {
        const isModel = item.type !== undefined && !String(item.type).endsWith('_output');
        reasoning = item.type === 'reasoning' ? item : isModel ? reasoning : undefined;
        if (reasoning !== undefined && !items.includes(reasoning) && items.includes(item)) {
            wrong.push(`${item.type} ${item.id} was provided without its required reasoning`);
        }
    }
    return [...wrong, ...[...called].filter((id) => !answered.has(id)).map((id) => `no output found for ${id}`)];
}

/** Returns the violations in messages of Anthropic. Consecutive messages of one role form one turn, as in the API. */
export function anthropicViolations(messages: readonly Fields[]): string[] {
    const wrong: string[] = [];
    const turns: { role: string; blocks: Fields[] }[] = [];
    messages.forEach(({ role, content }, index) => {
        if (isEmpty(content)) {
            wrong.push(`messages[${index}]: has no content`);
        }
        const blocks = typeof content === 'string' ? [{ type: 'text', text: content }] : content;
        const last = turns.at(-1);
        last?.role === role ? last!.blocks.push(...blocks) : turns.push({ role, blocks: [...blocks] });
    });
    if (turns.length > 0 && turns[0]!.role !== 'user') {
        wrong.push('the first message is not of the user');
    }
    turns.forEach(({ role, blocks }, index) => {
        const say = (what: string) => wrong.push(`turn ${index}: ${what}`);
        const uses = blocks.filter(({ type }) => type === 'tool_use').map(({ id }) => id);
        const results = blocks.filter(({ type }) => type === 'tool_result').map(({ tool_use_id }) => tool_use_id);
        if (role === 'user') {
            const first = blocks.slice(0, results.length).every(({ type }) => type === 'tool_result');
            if (!first) {
                say('results are not first');
            }
            const before = (turns[index - 1]?.blocks ?? []).filter(({ type }) => type === 'tool_use').map(({ id }) => id);
            for (const id of results.filter((id) => !before.includes(id))) {
                say(`unexpected tool_use_id ${id}: no tool_use in the turn before`);
            }
        } else {
            const after = turns[index + 1]?.blocks ?? [];
            const answers = after.filter(({ type }) => type === 'tool_result').map(({ tool_use_id }) => tool_use_id);
            for (const id of uses.filter((id) => answers.filter((each) => each === id).length !== 1)) {
                say(`tool_use ${id} without one tool_result directly after`);
            }
        }
        if (new Set(uses).size !== uses.length) {
            say('two calls have the same id');
        }
        for (const block of blocks) {
            if (block.type === 'text' && block.text === '') {
                say('text content blocks must be non-empty');
            }
        }
    });
    return wrong;
}

function isEmpty(content: unknown): boolean {
    return content === undefined || content === null || content === '' || (Array.isArray(content) && content.length === 0);
}

/** Returns calls and results of a neutral conversation that are not paired: the rule that all providers share. */
export function pairingViolations({ messages }: Conversation): string[] {
    const wrong: string[] = [];
    const open = new Set<string>();
    messages.forEach(({ role, parts }, index) => {
        if (role !== 'tool' && open.size > 0) {
            wrong.push(`message ${index} comes before the results of ${[...open].join()}`);
            open.clear();
        }
        for (const part of parts) {
            if ('toolCall' in part) {
                open.add(part.toolCall.id);
            } else if ('toolResult' in part && !open.delete(part.toolResult.callId)) {
                wrong.push(`message ${index} answers ${part.toolResult.callId}, which no call waits for`);
            }
        }
    });
    return [...wrong, ...(open.size > 0 ? ['the last calls have no results'] : [])];
}
