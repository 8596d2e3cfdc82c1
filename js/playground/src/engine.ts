/** The worker, as the page sees it: methods that return promises, and a way to stop them. */

import type { ErrorKind } from 'tuckaway';

import type { Answer, Argument, Method, Opened, Reply, Request } from './protocol.js';

/** What the worker answered in place of what was asked for. */
export class EngineError extends Error {
    constructor(message: string, readonly kind?: ErrorKind | 'stopped') {
        super(message);
    }
}

interface Pending {
    resolve(answer: never): void;
    reject(error: EngineError): void;
}

/** One worker after the other. */
export class Engine {
    #worker: Worker | undefined;
    #pending = new Map<number, Pending>();
    #calls = 0;
    #opened: Promise<Opened> | undefined;

    /** `onBusy` hears how many calls are under way. */
    constructor(private readonly onBusy: (calls: number) => void) {}

    /** Starts a worker and opens the store in it. */
    start(): Promise<Opened> {
        if (typeof Worker === 'undefined') {
            return Promise.reject(new EngineError('This browser has no workers, and the playground runs in one.'));
        }
        const worker = new Worker(new URL('./worker/main.ts', import.meta.url), { type: 'module', name: 'tuckaway' });
        worker.addEventListener('message', ({ data }: MessageEvent<Reply>) => this.#settle(data));
        worker.addEventListener('error', (event) => {
            event.preventDefault();
            this.#end(new EngineError(`The worker could not go on: ${event.message || 'its script did not load'}.`));
        });
        this.#worker = worker;
        this.#opened = this.#send('open', undefined);
        return this.#opened;
    }

    /** Calls a method once the store is open. */
    async call<M extends Exclude<Method, 'open'>>(method: M, argument: Argument<M>): Promise<Answer<M>> {
        await this.#opened;
        return this.#send(method, argument);
    }

    /** Ends all that is under way, with the worker that does it, and starts another. */
    stop(): Promise<Opened> {
        this.#end(new EngineError('Stopped.', 'stopped'));
        return this.start();
    }

    #send<M extends Method>(method: M, argument: Argument<M>): Promise<Answer<M>> {
        const worker = this.#worker;
        if (worker === undefined) {
            return Promise.reject(new EngineError('The worker has ended; reload the page.'));
        }
        const call = (this.#calls += 1);
        const answer = new Promise<Answer<M>>((resolve, reject) => this.#pending.set(call, { resolve, reject }));
        worker.postMessage({ call, method, argument } satisfies Request);
        this.onBusy(this.#pending.size);
        return answer;
    }

    #settle(reply: Reply): void {
        const pending = this.#pending.get(reply.call);
        this.#pending.delete(reply.call);
        if ('error' in reply) {
            pending?.reject(new EngineError(reply.error.message, reply.error.kind));
        } else {
            pending?.resolve(reply.answer as never);
        }
        this.onBusy(this.#pending.size);
    }

    #end(error: EngineError): void {
        this.#worker?.terminate();
        this.#worker = undefined;
        const pending = [...this.#pending.values()];
        this.#pending.clear();
        pending.forEach(({ reject }) => reject(error));
        this.onBusy(0);
    }
}
