// An agent over OpenAI's Chat Completions, with a tool whose output does not fit the context window. Needs Node 24 and
// the package openai. Run it in a folder with a package-lock.json:
//
//     OPENAI_API_KEY=… node openai.ts 'Which packages have an install script?'

import { readFile } from 'node:fs/promises';

import OpenAI from 'openai';
import { createTuckaway } from 'tuckaway';
import {
    type ContextMemory, type Summarize, chatToolDefinitions, manageChatContext, runChatToolCalls,
} from 'tuckaway/openai';

const client = new OpenAI();
const tuckaway = await createTuckaway({ contextWindow: 128_000 });

const handlers = {
    get_lockfile: () => readFile('package-lock.json', 'utf8'),
};
const getLockfile: OpenAI.ChatCompletionTool = {
    type: 'function',
    function: { name: 'get_lockfile', description: 'The package-lock.json of this project.' },
};
let tools = [getLockfile, ...(await chatToolDefinitions(tuckaway))];

const summarize: Summarize = async ({ messages, maxOutputTokens }) => {
    const limit = { max_completion_tokens: maxOutputTokens };
    const completion = await client.chat.completions.create({ model: 'gpt-5-mini', messages, ...limit });
    return completion.choices[0]?.message.content ?? '';
};

const question = process.argv[2] ?? 'How many packages does this project depend on?';
let messages: OpenAI.ChatCompletionMessageParam[] = [{ role: 'user', content: question }];
let memory: ContextMemory | undefined;

const ask = () => client.chat.completions.create({ model: 'gpt-5-mini', messages, tools });

/** Keeps the history within the window, and returns whether it changed. */
async function manage(usage: OpenAI.CompletionUsage | undefined, refusal?: unknown): Promise<boolean> {
    const managed = await manageChatContext(tuckaway, { messages, tools, usage, memory }, { summarize, refusal });
    ({ messages, tools, memory } = managed);
    return managed.report.isChanged;
}

for (;;) {
    const completion = await ask().catch(async (error: unknown) => {
        // A history that is refused because of its size is shortened and sent once more.
        if (await manage(undefined, error)) return ask();
        throw error;
    });
    const message = completion.choices[0]!.message;
    const replies = await runChatToolCalls(tuckaway, completion, handlers);
    if (replies.length === 0) {
        console.log(message.content);
        break;
    }
    messages.push(message, ...replies);
    await manage(completion.usage);
}
