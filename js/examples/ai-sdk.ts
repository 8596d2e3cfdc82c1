// An agent over the AI SDK, with a tool whose output does not fit the context window. Needs Node 24 and the packages
// ai, @ai-sdk/openai and zod. Run it in a folder with a package-lock.json:
//
//     OPENAI_API_KEY=… node ai-sdk.ts 'Which packages have an install script?'

import { readFile } from 'node:fs/promises';

import { openai } from '@ai-sdk/openai';
import { generateText, isStepCount, tool } from 'ai';
import { createTuckaway } from 'tuckaway';
import { type Summarize, manageSteps, offloadTools } from 'tuckaway/ai-sdk';
import { z } from 'zod';

const getLockfile = tool({
    description: 'The package-lock.json of this project.',
    inputSchema: z.object({}),
    execute: () => readFile('package-lock.json', 'utf8'),
});

let usedTokens = 0;
const tuckaway = await createTuckaway({ contextWindow: 128_000 });
const tools = await offloadTools(tuckaway, { getLockfile }, { turn: () => ({ usedTokens }) });

const model = openai('gpt-5-mini');
const summarize: Summarize = async ({ messages, maxOutputTokens }) => {
    const { text } = await generateText({ model, messages, maxOutputTokens });
    return text;
};

const { text } = await generateText({
    model,
    tools,
    prompt: process.argv[2] ?? 'How many packages does this project depend on?',
    stopWhen: isStepCount(20),
    prepareStep: manageSteps(tuckaway, { tools, summarize }),
    onLanguageModelCallEnd: ({ usage }) => {
        usedTokens = usage.totalTokens ?? 0;
    },
});
console.log(text);
