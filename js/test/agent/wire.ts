/** A scripted model on a local server, in the formats of the real APIs. */

import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';

import type Anthropic from '@anthropic-ai/sdk';
import type OpenAI from 'openai';

/** The answers of the scripted model, each a function of the request. */
export type Script<Request> = readonly ((request: Request) => object)[];

/**
 * Starts a server that answers requests by a script, one after the other, and records them.
 *
 * An error in the script becomes an error response, so that the client throws it.
 */
export async function scriptedModel<Request>(t: TestContext, script: Script<Request>) {
    const requests: Request[] = [];
    const server = createServer(async (incoming, outgoing) => {
        const chunks: Buffer[] = [];
        for await (const chunk of incoming) {
            chunks.push(chunk as Buffer);
        }
        const request = JSON.parse(Buffer.concat(chunks).toString()) as Request;
        const answer = script[requests.push(request) - 1];
        try {
            assert.ok(answer, `the script has no answer number ${requests.length}`);
            outgoing.setHeader('content-type', 'application/json').end(JSON.stringify(answer(request)));
        } catch (error) {
            outgoing.writeHead(400, { 'content-type': 'application/json' });
            outgoing.end(JSON.stringify({ error: { type: 'invalid_request_error', message: String(error) } }));
        }
    });
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    t.after(() => {
        server.closeAllConnections();
        server.close();
    });
    return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests };
}

// Chat Completions

export type ChatRequest = OpenAI.ChatCompletionCreateParamsNonStreaming;

export interface ToolCall {
    id: string;
    type: 'function';
    function: { name: string; arguments: string };
}

/** Returns a call. Arguments that are a string are sent unchanged. */
export function toolCall(id: string, name: string, args: object | string): ToolCall {
    const text = typeof args === 'string' ? args : JSON.stringify(args);
    return { id, type: 'function', function: { name, arguments: text } };
}

/** Returns a completion with a text, or with calls. */
export function completion(...parts: [string] | ToolCall[]): object {
    const [first] = parts;
    const message = typeof first === 'string' ? { content: first } : { content: null, tool_calls: parts };
    return {
        id: 'chatcmpl-1',
        object: 'chat.completion',
        created: 1_760_000_000,
        model: 'scripted',
        choices: [
            {
                index: 0,
                finish_reason: typeof first === 'string' ? 'stop' : 'tool_calls',
                logprobs: null,
                message: { role: 'assistant', refusal: null, ...message },
            },
        ],
        usage: { prompt_tokens: 900, completion_tokens: 100, total_tokens: 1000 },
    };
}

/** Returns the content of the message that answers a call. */
export function toolMessageTo(request: ChatRequest, id: string): string {
    const message = request.messages.find((each) => each.role === 'tool' && each.tool_call_id === id);
    assert.ok(typeof message?.content === 'string', `no tool message answers ${id}`);
    return message.content;
}

// Responses

export type ResponsesRequest = OpenAI.Responses.ResponseCreateParamsNonStreaming & {
    input: OpenAI.Responses.ResponseInput;
};

export function functionCall(call_id: string, name: string, args: object): object {
    const json = JSON.stringify(args);
    return { type: 'function_call', id: `fc_${call_id}`, call_id, name, arguments: json, status: 'completed' };
}

export function outputText(text: string): object {
    const content = [{ type: 'output_text', text, annotations: [] }];
    return { type: 'message', id: 'msg_1', role: 'assistant', status: 'completed', content };
}

export function response(...output: object[]): object {
    const usage = {
        input_tokens: 900,
        output_tokens: 100,
        total_tokens: 1000,
        input_tokens_details: { cached_tokens: 0 },
        output_tokens_details: { reasoning_tokens: 0 },
    };
    const made = { id: 'resp_1', object: 'response', created_at: 1_760_000_000, model: 'scripted' };
    return { ...made, status: 'completed', output, usage };
}

/** Returns the output of the item that answers a call. */
export function outputTo(request: ResponsesRequest, id: string) {
    const item = request.input.find((each) => each.type === 'function_call_output' && each.call_id === id);
    assert.ok(item?.type === 'function_call_output', `nothing answers ${id}`);
    return item.output;
}

// Messages

export type MessagesRequest = Anthropic.MessageCreateParamsNonStreaming;

export function toolUse(id: string, name: string, input: object): { type: 'tool_use'; [field: string]: unknown } {
    return { type: 'tool_use', id, name, input, caller: { type: 'direct' } };
}

export function text(text: string): object {
    return { type: 'text', text };
}

export function message(...content: object[]): object {
    return {
        id: 'msg_1',
        type: 'message',
        role: 'assistant',
        model: 'scripted',
        content,
        stop_reason: content.some((block) => 'input' in block) ? 'tool_use' : 'end_turn',
        stop_sequence: null,
        usage: { input_tokens: 900, output_tokens: 100 },
    };
}

/** Returns the block that answers a call. */
export function toolResultTo(request: MessagesRequest, id: string): Anthropic.ToolResultBlockParam {
    const blocks = request.messages.flatMap(({ content }) => (typeof content === 'string' ? [] : content));
    const block = blocks.find((each) => each.type === 'tool_result' && each.tool_use_id === id);
    assert.ok(block?.type === 'tool_result', `nothing answers ${id}`);
    return block;
}
