// An agent over Anthropic's Messages API, with a tool whose output does not fit the context window. Needs Node 24 and
// the package @anthropic-ai/sdk. Run it in a folder with a package-lock.json:
//
//     ANTHROPIC_API_KEY=… node anthropic.ts 'Which packages have an install script?'

import { readFile } from 'node:fs/promises';

import Anthropic from '@anthropic-ai/sdk';
import { createTuckaway } from 'tuckaway';
import {
    type ContextMemory, type Summarize, manageContext, runToolCalls, toolDefinitions,
} from 'tuckaway/anthropic';

const client = new Anthropic();
const tuckaway = await createTuckaway({ contextWindow: 200_000 });

const handlers = {
    get_lockfile: () => readFile('package-lock.json', 'utf8'),
};
const getLockfile: Anthropic.Tool = {
    name: 'get_lockfile',
    description: 'The package-lock.json of this project.',
    input_schema: { type: 'object' },
};
let tools = [getLockfile, ...(await toolDefinitions(tuckaway))];

const summarize: Summarize = async ({ messages, maxOutputTokens }) => {
    const limit = { max_tokens: maxOutputTokens };
    const { content } = await client.messages.create({ model: 'claude-haiku-4-5', messages, ...limit });
    return content.map((block) => (block.type === 'text' ? block.text : '')).join('');
};

const question = process.argv[2] ?? 'How many packages does this project depend on?';
let messages: Anthropic.MessageParam[] = [{ role: 'user', content: question }];
let memory: ContextMemory | undefined;

const ask = () => client.messages.create({ model: 'claude-haiku-4-5', max_tokens: 4096, messages, tools });

/** Keeps the history within the window, and returns whether it changed. */
async function manage(usage: Anthropic.Usage | undefined, refusal?: unknown): Promise<boolean> {
    const managed = await manageContext(tuckaway, { messages, tools, usage, memory }, { summarize, refusal });
    ({ messages, tools, memory } = managed);
    return managed.report.isChanged;
}

for (;;) {
    const message = await ask().catch(async (error: unknown) => {
        // A history that is refused because of its size is shortened and sent once more.
        if (await manage(undefined, error)) return ask();
        throw error;
    });
    const results = await runToolCalls(tuckaway, message, handlers);
    if (results.length === 0) {
        console.log(message.content.map((block) => (block.type === 'text' ? block.text : '')).join(''));
        break;
    }
    messages.push({ role: 'assistant', content: message.content }, { role: 'user', content: results });
    await manage(message.usage);
}
