/** A user's program, which is compiled with strict settings and not run. */
export const consumer = `
import {
    type AllMatches, type Artifact, type Decision, type HistoryFormat, type Matches, type Outputs, type Page, type Policy, type Shape, type Store,
    type TokenCounter, type ToolDefinition, type ToolOutput, type Tuckaway, type View,
    MemoryStore, StoreError, TuckawayError, createTuckaway, estimate,
} from 'tuckaway';
import { type OffloadedOutput, type OffloadedTools, isOffloaded, offloadTools } from 'tuckaway/ai-sdk';
import {
    type AnthropicTool, type AnthropicToolResult, type RunOptions, ToolResult, runToolCalls, toolDefinitions,
    usedTokens,
} from 'tuckaway/anthropic';
import { createTuckaway as createAsync, type AsyncStore, type AsyncTuckaway } from 'tuckaway/async';
import { type ExtractOptions, type Model, anthropicModel, extract } from 'tuckaway/extraction';
import { gptTokens } from 'tuckaway/gpt-tokens';
import { type ContextMemory, manageHistory } from 'tuckaway/history';
import { createTuckaway as createInline } from 'tuckaway/inline';
import { type EmptyStore, limitsContract, sessionsContract, sharingContract, storeContract } from 'tuckaway/store-contract';
import {
    type ChatTool, type ChatToolMessage, type ResponsesTool, type ResponsesToolItem, type ToolHandlers,
    chatToolDefinitions, responsesToolDefinitions, runChatToolCalls, runResponsesToolCalls,
    usedTokens as usedByOpenai,
} from 'tuckaway/openai';

class OwnStore implements Store {
    readonly #inner = new MemoryStore();
    create(tool: string, mediaType: string): string { return this.#inner.create(tool, mediaType); }
    append(id: string, bytes: Uint8Array): void { this.#inner.append(id, bytes); }
    seal(id: string, lineCount: number): Artifact { return this.#inner.seal(id, lineCount); }
    stat(id: string): Artifact { return this.#inner.stat(id); }
    read(id: string, offset: number, length: number): Uint8Array { return this.#inner.read(id, offset, length); }
    listArtifacts(): Artifact[] { return this.#inner.listArtifacts(); }
    delete(id: string): void { throw new StoreError('not_found'); }
}

const empty: EmptyStore<MemoryStore> = (options) => new MemoryStore(options);
export const tests = {
    ...storeContract(() => new OwnStore()),
    ...limitsContract(empty),
    ...sessionsContract(empty),
    ...sharingContract(() => empty),
};
export const gone = new StoreError('expired', 'expired', { expiry: { tool: 'sql', expiredAt: 17 } }).expiry?.expiredAt;

const policy: Partial<Policy> = { mode: 'auto', overrides: [{ tools: 'skill_*', exempt: true }], maxOutputTokens: null };
const words: TokenCounter = (text) => text.split(' ').length;

const handlers: ToolHandlers = {
    search: async ({ query }: { query: string }, { id }) => [query, id],
    chart: () => new ToolResult([{ type: 'text', text: 'a chart' }], { isError: true }),
};
const usage = { input_tokens: 7, output_tokens: 5 };
const runOptions: RunOptions = {
    turn: { usedTokens: usedTokens(usage) + usedByOpenai({ total_tokens: 5 }) },
    policy,
    maxBytes: 1024,
    onView: ({ name }, { decision }) => console.log(name, decision.gate),
    onError: ({ id }, error: unknown) => console.error(id, error),
};

export async function ask(tuckaway: Tuckaway | AsyncTuckaway, artifact: string): Promise<string> {
    const own: Model = async ({ system }, { signal }) => ({ turn: { text: signal.aborted ? '' : system } });
    const options: ExtractOptions = { model: own, config: { contextTokens: 32_000 }, onState: (state) => state.length };
    const { text, usage } = await extract(tuckaway, { artifact, extract: 'all' }, options);
    const handled: RunOptions = { extract: { model: anthropicModel({ model: 'm', apiKey: 'k' }) } };
    return usage.requests > 0 ? text : String(handled.maxBytes);
}

export async function agents(tuckaway: Tuckaway | AsyncTuckaway): Promise<void> {
    const chatTools: ChatTool[] = await chatToolDefinitions(tuckaway, ['read']);
    const call = { id: '1', type: 'function' as const, function: { name: 'search', arguments: '{}' } };
    const choices = [{ message: { tool_calls: [call] } }];
    const completion = { choices, usage: { prompt_tokens: 7, completion_tokens: 5 } };
    const messages: ChatToolMessage[] = await runChatToolCalls(tuckaway, completion, handlers, runOptions);
    const responsesTools: ResponsesTool[] = await responsesToolDefinitions(tuckaway);
    const items: ResponsesToolItem[] = await runResponsesToolCalls(tuckaway, { output: [], usage }, handlers);
    const tools: AnthropicTool[] = await toolDefinitions(tuckaway);
    const results: AnthropicToolResult[] = await runToolCalls(tuckaway, { content: [], usage }, handlers, runOptions);
    const own = { now: { description: 'The time.', execute: async (input: { zone: string }) => input.zone.length } };
    const turn = () => ({ usedTokens: 5 });
    const offloaded: OffloadedTools<typeof own> = await offloadTools(tuckaway, own, { turn });
    const output: number | OffloadedOutput | AsyncIterable<number | OffloadedOutput> =
        await offloaded.now.execute({ zone: 'CET' }, {});
    const history = await manageHistory(tuckaway, { items: messages, tools: chatTools }, { strict: true });
    const managed: [ChatToolMessage[], ChatTool[], ContextMemory] = [history.items, history.tools, history.memory];
    console.log(managed, chatTools, messages, responsesTools, items, tools, results, isOffloaded(output), offloaded.artifact_jq);
}

export async function main(): Promise<void> {
    using tuckaway: Tuckaway = await createTuckaway({ store: new OwnStore(), tokens: words, policy, tools: ['read'], contextWindow: 8000 });
    const output: ToolOutput = { tool: 'sql', content: new Uint8Array(4), mediaType: 'application/json', isError: false };
    const view: View = tuckaway.process(output, { usedTokens: 10 }, policy);
    const views: View[] = tuckaway.processTurn([output, { tool: 'sql', blocks: [{ content: 'text' }, { content: { stored: 'id' } }] }]);
    const decision: Decision = tuckaway.decide(output);
    const failed: string | undefined = decision.failures[0]?.message;
    const shape: Shape = tuckaway.inferShape('{}', 256);
    const text: string = tuckaway.truncate('text', 512);
    const page: Page = tuckaway.read('id', { lines: { start: 1 }, lineNumbers: true });
    const matches: Matches = tuckaway.grep('id', 'error', { ignoreCase: true, beforeContext: 2 });
    const all: AllMatches = tuckaway.grepAll('error', { maxMatches: 1 });
    const outputs: Outputs = tuckaway.jq('id', '.rows', page.next === undefined ? {} : { cursor: page.next });
    const list: Artifact[] = tuckaway.listArtifacts();
    const definitions: ToolDefinition[] = tuckaway.toolDefinitions(['read', 'grep']);
    const reply: string = tuckaway.callTool('artifact_jq', { artifact_id: 'id' }).text;
    const later: AsyncTuckaway = await createAsync({ tokens: async (text) => gptTokens(text), contextWindow: 8000 });
    const awaited: View = await later.process(output);
    const format: HistoryFormat = await later.histories.detectFormat([]);
    const store: AsyncStore = new OwnStore();
    await createInline({ tokens: estimate, contextWindow: 8000 });
    console.log(view, views, decision, failed, shape, text, matches, all, outputs, list, definitions, reply, awaited, format, store);
}

main().catch((error: unknown) => {
    if (error instanceof TuckawayError && error.kind === 'limit') {
        console.error(error.message);
    }
});
`;
