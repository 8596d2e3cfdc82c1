/** The page's interface to the worker of a conversation. */

import type { Method, Methods, Reply, Request } from './protocol.js';

interface Pending {
    resolve(answer: never): void;
    reject(error: Error): void;
}

export class Client {
    readonly #worker = new Worker(new URL('./worker.ts', import.meta.url), { type: 'module', name: 'tuckaway' });
    readonly #pending = new Map<number, Pending>();
    #calls = 0;

    constructor() {
        this.#worker.addEventListener('message', ({ data }: MessageEvent<Reply>) => {
            const pending = this.#pending.get(data.call);
            this.#pending.delete(data.call);
            if ('error' in data) {
                pending?.reject(new Error(data.error));
            } else {
                pending?.resolve(data.answer as never);
            }
        });
        this.#worker.addEventListener('error', (event) => {
            event.preventDefault();
            const why = new Error(`The worker failed: ${event.message || 'it could not be loaded'}. Reload the page.`);
            this.#pending.forEach(({ reject }) => reject(why));
            this.#pending.clear();
        });
    }

    call<M extends Method>(method: M, argument: Parameters<Methods[M]>[0]): Promise<ReturnType<Methods[M]>> {
        const call = (this.#calls += 1);
        return new Promise((resolve, reject) => {
            this.#pending.set(call, { resolve, reject });
            const request: Request = { call, method, argument };
            this.#worker.postMessage(request);
        });
    }
}
