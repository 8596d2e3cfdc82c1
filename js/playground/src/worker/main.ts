/** The worker: answers calls, one after the other. */

import { TuckawayError } from 'tuckaway';

import type { Answer, Argument, Method, Reply, Request } from '../protocol.js';
import { Session } from './session.js';

type Handlers = { [M in Method]: (argument: Argument<M>) => Answer<M> | Promise<Answer<M>> };

const session = new Session();

const handlers: Handlers = {
    open: () => session.open(),
    offload: (request) => session.offload(request),
    read: ({ id, options }) => session.read(id, options),
    grep: ({ id, pattern, options }) => session.grep(id, pattern, options),
    jq: ({ id, filter, options }) => session.jq(id, filter, options),
    remove: ({ id }) => session.remove(id),
    compare: ({ id, question }) => session.compare(id, question),
    measure: (request) => session.measure(request),
};

async function answer({ call, method, argument }: Request): Promise<Reply> {
    try {
        return { call, answer: await handlers[method](argument as never) };
    } catch (error) {
        const message = error instanceof Error ? error.message : String(error);
        return { call, error: { message, ...(error instanceof TuckawayError ? { kind: error.kind } : {}) } };
    }
}

let last: Promise<void> = Promise.resolve();

self.addEventListener('message', ({ data }: MessageEvent<Request>) => {
    last = last.then(async () => self.postMessage(await answer(data)));
});
