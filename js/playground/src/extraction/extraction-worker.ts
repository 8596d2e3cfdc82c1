/** The worker of an extraction: plans it, and runs it with the scripted model or an endpoint. */

import { type Question, type Tuckaway, MemoryStore, createTuckaway, estimate } from 'tuckaway';
import { type Model, anthropicModel, extract, openaiModel } from 'tuckaway/extraction';

import { load } from '../worker/origins.js';
import type { Asked, Endpoint, FromWorker, RequestLine, ToWorker } from './protocol.js';
import { scripted, scriptedSlowly } from './scripted.js';

/** Maximum characters of a model's answer that are shown. */
const SHOWN = 160;

const post = (message: FromWorker) => self.postMessage(message);

interface Stored {
    tuckaway: Tuckaway;
    artifact: string;
}

/** The output of the last question, which may still be loading. */
let stored: { key: number; opening: Promise<Stored> } | undefined;
let ending = new AbortController();

/** Stores an output, unless the last question was about the same one. */
function open(asked: Asked): Promise<Stored> {
    if (stored?.key !== asked.key) {
        // The caller has received the failure.
        stored?.opening.then(({ tuckaway }) => tuckaway.dispose(), () => {});
        stored = { key: asked.key, opening: store(asked) };
    }
    return stored.opening;
}

async function store({ output, tool, contextTokens }: Asked): Promise<Stored> {
    const content = await load(output);
    const tuckaway = await createTuckaway({ store: new MemoryStore(), contextWindow: contextTokens });
    const { artifacts } = tuckaway.process({ tool, content }, {}, { keepAll: true });
    return { tuckaway, artifact: artifacts[0]!.id };
}

function modelAt(endpoint: Endpoint | undefined): Model {
    if (endpoint === undefined) {
        return scriptedSlowly;
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
    ending.abort();
    ending = new AbortController();
    const { signal } = ending;
    const asked = 'plan' in message ? message.plan : message.run;
    const { tuckaway, artifact } = await open(asked);
    const question: Question = { artifact, extract: asked.extract, mode: asked.mode };
    const config = { contextTokens: asked.contextTokens };
    post({ turn, estimate: tuckaway.extraction.estimate(question, config) });
    const rehearsal = await extract(tuckaway, question, { model: scripted, config, signal });
    if (!signal.aborted) post({ turn, likely: rehearsal.usage });
    if ('run' in message) {
        const model = observed(modelAt(message.endpoint), turn);
        const onProgress = (progress: Extract<FromWorker, { progress: unknown }>['progress']) => post({ turn, progress });
        const answer = await extract(tuckaway, question, { model, config, signal, onProgress });
        post({ turn, answer, viewTokens: estimate(answer.text) });
    }
}

self.addEventListener('message', ({ data }: MessageEvent<ToWorker>) => {
    answer(data).catch((error: unknown) => post({ turn: data.turn, error: error instanceof Error ? error.message : String(error) }));
});
