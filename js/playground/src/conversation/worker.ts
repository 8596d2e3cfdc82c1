/** The worker of a conversation: answers calls, one after the other. */

import type { Method, Reply, Request } from './protocol.js';
import { ConversationSession } from './session.js';

const session = new ConversationSession();
const handlers: Record<Method, (argument: never) => unknown> = {
    plan: (settings) => session.plan(settings),
    read: (artifact) => session.read(artifact),
};

async function answer({ call, method, argument }: Request): Promise<Reply> {
    try {
        return { call, answer: await handlers[method](argument as never) };
    } catch (error) {
        return { call, error: error instanceof Error ? error.message : String(error) };
    }
}

let last: Promise<void> = Promise.resolve();

self.addEventListener('message', ({ data }: MessageEvent<Request>) => {
    last = last.then(async () => self.postMessage(await answer(data)));
});
