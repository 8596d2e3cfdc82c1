/** Type-checks the helpers against the real packages. Nothing here is run. */

import type Anthropic from '@anthropic-ai/sdk';
import { Agent } from '@mastra/core/agent';
import { createTool } from '@mastra/core/tools';
import {
    type InferUITools, type LanguageModel, type Tool, ToolLoopAgent, type ToolSet, type UIMessage,
    convertToModelMessages, generateText, streamText, tool,
} from 'ai';
import type OpenAI from 'openai';
import { type AsyncTuckaway, type Tuckaway, createTuckaway } from 'tuckaway';
import {
    type ArtifactToolEntry, type OffloadedOutput, isOffloaded, manageContext as manageModelMessages, manageSteps, offloadTools,
} from 'tuckaway/ai-sdk';
import {
    type ContextOptions, ToolResult, manageContext, runToolCalls, toolDefinitions, usedTokens,
} from 'tuckaway/anthropic';
import { createTuckaway as createAsyncTuckaway } from 'tuckaway/async';
import { manageHistory } from 'tuckaway/history';
import { withTuckaway } from 'tuckaway/mastra';
import {
    chatToolDefinitions, manageChatContext, manageResponsesContext, responsesToolDefinitions, runChatToolCalls,
    runResponsesToolCalls,
    usedTokens as usedByOpenai,
} from 'tuckaway/openai';
import { z } from 'zod';

const handlers = {
    search: ({ query }: { query: string }) => [query],
    page: async (_: object, { id }: { id: string }) => new ToolResult([{ type: 'text', text: id }], { isError: true }),
};

export async function chat(client: OpenAI, tuckaway: Tuckaway | AsyncTuckaway) {
    const messages: OpenAI.ChatCompletionMessageParam[] = [];
    const own: OpenAI.ChatCompletionTool[] = [];
    const tools = [...own, ...(await chatToolDefinitions(tuckaway, ['read', 'jq']))];
    const completion = await client.chat.completions.create({ model: 'm', messages, tools });
    messages.push(...(await runChatToolCalls(tuckaway, completion, handlers)));
    const streamed = await client.chat.completions.stream({ model: 'm', messages, tools }).finalChatCompletion();
    messages.push(...(await runChatToolCalls(tuckaway, streamed, handlers)));
    return usedByOpenai(streamed.usage);
}

export async function responses(client: OpenAI, tuckaway: Tuckaway | AsyncTuckaway) {
    const tools: OpenAI.Responses.Tool[] = await responsesToolDefinitions(tuckaway);
    const response = await client.responses.create({ model: 'm', input: 'Hello', tools });
    const input = await runResponsesToolCalls(tuckaway, response, handlers);
    const following = { model: 'm', input, previous_response_id: response.id };
    const streamed = await client.responses.stream(following).finalResponse();
    const next: OpenAI.Responses.ResponseInput = await runResponsesToolCalls(tuckaway, streamed, handlers);
    return [next, usedByOpenai(response.usage)];
}

export async function messages(client: Anthropic, tuckaway: Tuckaway | AsyncTuckaway) {
    const own: Anthropic.ToolUnion[] = [];
    const tools = [...own, ...(await toolDefinitions(tuckaway))];
    const params = { model: 'm', max_tokens: 1, messages: [] as Anthropic.MessageParam[], tools };
    const message = await client.messages.create(params);
    params.messages.push({ role: 'user', content: await runToolCalls(tuckaway, message, handlers) });
    const streamed = await client.messages.stream(params).finalMessage();
    params.messages.push({ role: 'user', content: await runToolCalls(tuckaway, streamed, handlers) });

    const betaTools: Anthropic.Beta.BetaToolUnion[] = await toolDefinitions(tuckaway);
    const beta = await client.beta.messages.create({ model: 'm', max_tokens: 1, messages: [], tools: betaTools });
    const results: Anthropic.Beta.BetaContentBlockParam[] = await runToolCalls(tuckaway, beta, handlers);
    return [results, usedTokens(message.usage), usedTokens(beta.usage)];
}

export async function mistakes(message: Anthropic.Message, tuckaway: Tuckaway) {
    // @ts-expect-error a handler is a function
    await runToolCalls(tuckaway, message, { search: 'not a function' });
    // @ts-expect-error the completion of another provider
    await runChatToolCalls(tuckaway, message, handlers);
    // @ts-expect-error no such option
    await runToolCalls(tuckaway, message, handlers, { usedTokens: 1 });
}

export async function offered(mcp: ToolSet, tuckaway: Tuckaway<'read' | 'jq'>, every: Tuckaway) {
    const { contextWindow } = every;
    const some = await offloadTools(await createTuckaway({ contextWindow, tools: ['read', 'jq'] }), mcp);
    const suspending = await offloadTools(await createAsyncTuckaway({ contextWindow, tools: ['grep'] }), {});
    const none = await offloadTools(await createTuckaway({ contextWindow, tools: [] }), { own: {} });
    const all = await offloadTools(await createTuckaway({ contextWindow }), {});
    const same: typeof some = await offloadTools(tuckaway, mcp);
    const names: readonly ('read' | 'jq')[] = tuckaway.tools;
    every = tuckaway;
    // @ts-expect-error it may lack the others
    tuckaway = every;
    // @ts-expect-error it was not given
    suspending.artifact_jq;
    // @ts-expect-error no artifact tools were given
    none.artifact_read;
    // @ts-expect-error no such artifact tool
    await createTuckaway({ contextWindow, tools: ['write'] });
    // @ts-expect-error `grep` was not given
    const least: Record<'artifact_grep', ArtifactToolEntry> = await offloadTools(tuckaway, {});
    const entries: ArtifactToolEntry[] = [
        some.artifact_read, some.artifact_jq, suspending.artifact_grep, all.artifact_read, all.artifact_grep, all.artifact_jq,
    ];
    return [entries, none.own, same, names, least];
}

export async function aiSdk(tuckaway: Tuckaway | AsyncTuckaway, mcp: ToolSet, model: LanguageModel) {
    const search = tool({
        inputSchema: z.object({ query: z.string() }),
        execute: async ({ query }) => ({ hits: [query] }),
    });
    const stream = tool({
        inputSchema: z.object({}),
        execute: async function* () {
            yield 1;
        },
    });
    const client = tool({ inputSchema: z.object({}), outputSchema: z.string() });
    const contextual = tool({
        inputSchema: z.object({}),
        contextSchema: z.object({ key: z.string() }),
        execute: (_, { context }) => context.key,
    });
    const plain = { description: 'Plain.', inputSchema: z.object({}), execute: () => 1 };
    const tools = await offloadTools(tuckaway, { search, stream, client, plain });
    const asSet: ToolSet = tools;
    const asTool: Tool = tools.search;

    const { steps } = await generateText({ model, tools, prompt: '' });
    for (const { input, output, toolName, dynamic } of steps[0]!.toolResults) {
        if (!dynamic && toolName === 'search') {
            const query: string = input.query;
            const hits: { hits: string[] } | OffloadedOutput = output;
            // @ts-expect-error it may be offloaded
            output.hits;
            return [query, hits, isOffloaded(output) ? output.artifacts : output.hits, asSet, asTool];
        }
        if (!dynamic && toolName === 'stream') {
            const number: number | OffloadedOutput = output;
            return number;
        }
        if (!dynamic && toolName === 'artifact_jq') {
            return output.text;
        }
    }

    const ui: UIMessage<never, never, InferUITools<typeof tools>>[] = [];
    streamText({ model, tools, messages: await convertToModelMessages(ui, { tools }) });
    new ToolLoopAgent({ model, tools });
    await generateText({ model, tools: await offloadTools(tuckaway, mcp), prompt: '' });
    await generateText({ model, tools: await offloadTools(tuckaway, { ...mcp, search }), prompt: '' });
    const withContext = await offloadTools(tuckaway, { contextual });
    await generateText({ model, tools: withContext, toolsContext: { contextual: { key: 'k' } }, prompt: '' });
    // @ts-expect-error the context of the tool is missing
    await generateText({ model, tools: withContext, prompt: '' });
    return undefined;
}

export async function contexts(openai: OpenAI, anthropic: Anthropic, tuckaway: Tuckaway | AsyncTuckaway, model: LanguageModel) {
    const options: ContextOptions = {
        contextWindow: 200_000,
        budget: 'general',
        summarize: async ({ messages, maxOutputTokens: max_tokens }) => {
            const reply = await anthropic.messages.create({ model: 'm', max_tokens, messages });
            return reply.content.map((block) => (block.type === 'text' ? block.text : '')).join('');
        },
    };
    const message = await anthropic.messages.create({ model: 'm', max_tokens: 1, messages: [] });
    const given = { messages: [] as Anthropic.MessageParam[], tools: [] as Anthropic.ToolUnion[], system: 'Be brief.' };
    let context = await manageContext(tuckaway, { ...given, usage: message.usage }, options);
    context = await manageContext(tuckaway, { ...given, ...context, usage: message.usage }, options);
    const params: Anthropic.MessageCreateParams = { model: 'm', max_tokens: 1, ...given, messages: context.messages, tools: context.tools };

    const completion = await openai.chat.completions.create({ model: 'm', messages: [] });
    const chatMessages: OpenAI.ChatCompletionMessageParam[] = [];
    const chatTools: OpenAI.ChatCompletionTool[] = await chatToolDefinitions(tuckaway);
    const chat = await manageChatContext(tuckaway, { messages: chatMessages, tools: chatTools, usage: completion.usage }, {
        summarize: async ({ messages }) => {
            const reply = await openai.chat.completions.create({ model: 'm', messages });
            return reply.choices[0]?.message.content ?? '';
        },
    });
    await openai.chat.completions.create({ model: 'm', messages: chat.messages, tools: chat.tools });

    const input: OpenAI.Responses.ResponseInput = [];
    const tools: OpenAI.Responses.Tool[] = await responsesToolDefinitions(tuckaway);
    const managed = await manageResponsesContext(tuckaway, { input, tools, instructions: 'Be brief.' }, {
        summarize: async ({ messages }) => (await openai.responses.create({ model: 'm', input: messages })).output_text,
    });
    await openai.responses.create({ model: 'm', input: managed.input, tools: managed.tools });

    const set = await offloadTools(tuckaway, {});
    const summarize: ContextOptions['summarize'] = async ({ messages }) => (await generateText({ model, messages })).text;
    const prepareStep = manageSteps(tuckaway, { tools: set, summarize });
    await generateText({ model, tools: set, prompt: '', prepareStep });
    streamText({ model, tools: set, prompt: '', prepareStep });
    new ToolLoopAgent({ model, tools: set, prepareStep });
    const own = await manageModelMessages(tuckaway, { messages: [{ role: 'user', content: '' }], tools: set });
    const ui: { items: UIMessage[]; tools: typeof set } = await manageHistory(tuckaway, { items: [] as UIMessage[], tools: set });
    // @ts-expect-error no such option
    await manageContext(tuckaway, given, { window: 5 });
    return [params, own.messages, ui];
}

export async function mastra(tuckaway: Tuckaway | AsyncTuckaway) {
    const search = createTool({
        id: 'search',
        description: 'Searches.',
        inputSchema: z.object({ query: z.string() }),
        outputSchema: z.object({ hits: z.array(z.string()) }),
        execute: async ({ query }) => ({ hits: [query] }),
    });
    const config = { id: 'a', name: 'a', instructions: 'Be brief.', model: 'openai/gpt-5.5' };
    const agent = new Agent(await withTuckaway(tuckaway, { ...config, tools: { search } }, { manage: { budget: 'general' } }));
    const bare = new Agent(await withTuckaway(tuckaway, config));
    const dynamic = new Agent(await withTuckaway(tuckaway, { ...config, tools: async () => ({ search }) }));
    // @ts-expect-error no such option
    await withTuckaway(tuckaway, config, { window: 5 });
    const { search: wrapped } = await agent.listTools();
    const description: string = wrapped.description;
    const { text } = await agent.generate('Hello');
    return [text, description, bare, dynamic];
}
