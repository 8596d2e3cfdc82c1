/** The worker of an extraction: plans it, and runs it with the scripted model or an endpoint. */

import { type Question, type Tuckaway, MemoryStore, createTuckaway } from 'tuckaway';
import { type Model, anthropicModel, extract, openaiModel } from 'tuckaway/extraction';

import { SAMPLES, makeSample } from '../samples.js';
import type { Asked, Endpoint, FromWorker, RequestLine, ToWorker } from './protocol.js';
import { scripted } from './scripted.js';

/** Maximum characters of a model's answer that are shown. */
const SHOWN = 160;

const post = (message: FromWorker) => self.postMessage(message);

let stored: { key: string; tuckaway: Tuckaway; artifact: string } | undefined;
let ending = new AbortController();

/** Stores a sample, unless the last question was about the same one. */
async function open({ sample, bytes, contextTokens }: Asked): Promise<{ tuckaway: Tuckaway; artifact: string }> {
    const key = `${sample} ${bytes}`;
    if (stored?.key !== key) {
        stored?.tuckaway.dispose();
        const tuckaway = await createTuckaway({ store: new MemoryStore(), contextWindow: contextTokens });
        const output = { tool: SAMPLES[sample].tool, content: makeSample(sample, bytes) };
        const { artifacts } = tuckaway.process(output, {}, { keepAll: true });
        stored = { key, tuckaway, artifact: artifacts[0]!.id };
    }
    return stored;
}

function modelAt(endpoint: Endpoint | undefined): Model {
    if (endpoint === undefined) {
        return scripted;
    }
    const { api, ...options } = endpoint;
    // Without this header, Anthropic refuses requests from browsers.
    const headers = { 'anthropic-dangerous-direct-browser-access': 'true' };
    return api === 'openai' ? openaiModel(options) : anthropicModel({ ...options, headers });
}

/** Reports each request to the page. */
function observed(model: Model, turn: number): Model {
    return async (request, options) => {
        const { id, purpose, inputTokens } = request;
        const tell = (state: RequestLine['state'], said: string) =>
            post({ turn, request: { id, purpose, inputTokens, state, said: said.slice(0, SHOWN) } });
        tell('open', '');
        try {
            const reply = await model(request, options);
            const calls = reply.turn.calls?.map(({ name, arguments: args }) => `${name}(${args})`) ?? [];
            tell('answered', [reply.turn.text.replace(/<\/?ai-agent-[^>]*>/g, '').trim(), ...calls].join(' ').trim());
            return reply;
        } catch (error) {
            tell('failed', error instanceof Error ? error.message : String(error));
            throw error;
        }
    };
}

async function answer(message: ToWorker): Promise<void> {
    const { turn } = message;
    if ('cancel' in message) {
        ending.abort();
        return;
    }
    const asked = 'plan' in message ? message.plan : message.run;
    const { tuckaway, artifact } = await open(asked);
    const question: Question = { artifact, extract: asked.extract, mode: asked.mode };
    const config = { contextTokens: asked.contextTokens };
    post({ turn, estimate: tuckaway.extraction.estimate(question, config) });
    if ('run' in message) {
        ending = new AbortController();
        const model = observed(modelAt(message.endpoint), turn);
        const onProgress = (progress: Extract<FromWorker, { progress: unknown }>['progress']) => post({ turn, progress });
        post({ turn, answer: await extract(tuckaway, question, { model, config, signal: ending.signal, onProgress }) });
    }
}

self.addEventListener('message', ({ data }: MessageEvent<ToWorker>) => {
    answer(data).catch((error: unknown) => post({ turn: data.turn, error: error instanceof Error ? error.message : String(error) }));
});
