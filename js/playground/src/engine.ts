/** The page's interface to the worker: methods that return promises, and a way to stop them. */

import type { ErrorKind } from 'tuckaway';

import type { Answer, Argument, Method, Opened, Reply, Request } from './protocol.js';

/** An error that the worker returned in place of an answer. */
export class EngineError extends Error {
    constructor(message: string, readonly kind?: ErrorKind | 'stopped') {
        super(message);
    }
}

interface Pending {
    request: Request;
    resolve(answer: never): void;
    reject(error: EngineError): void;
}

/** Runs calls in a worker, and replaces the worker when a call is stopped. */
export class Engine {
    #worker: Worker | undefined;
    #pending = new Map<number, Pending>();
    #calls = 0;
    #opened: Promise<Opened> | undefined;

    /** `onBusy` receives the number of pending calls. */
    constructor(private readonly onBusy: (calls: number) => void) {}

    /** Starts a worker and opens the store in it. */
    start(): Promise<Opened> {
        this.#opened = this.#launch();
        return this.#opened;
    }

    async #launch(): Promise<Opened> {
        if (typeof Worker === 'undefined') {
            throw new EngineError('The playground needs workers, which this browser lacks. Use another browser.');
        }
        const worker = new Worker(new URL('./worker/main.ts', import.meta.url), {
            type: 'module', name: 'tuckaway',
        });
        worker.addEventListener('message', ({ data }: MessageEvent<Reply>) => this.#settle(data));
        worker.addEventListener('error', (event) => {
            event.preventDefault();
            const why = event.message || 'its script did not load';
            const error = new EngineError(`The worker failed: ${why}.`);
            this.#end().forEach(({ reject }) => reject(error));
        });
        this.#worker = worker;
        return this.#send('open', undefined);
    }

    /** Calls a method once the store is open. */
    async call<M extends Exclude<Method, 'open'>>(method: M, argument: Argument<M>): Promise<Answer<M>> {
        await this.#opened;
        return this.#send(method, argument);
    }

    /** Stops the current call by ending its worker; a new worker gets the calls that wait. */
    stop(): Promise<Opened> {
        const [current, ...waiting] = this.#end();
        current?.reject(new EngineError('Stopped.', 'stopped'));
        const opened = this.start();
        opened.then(
            () => waiting.forEach((pending) => this.#post(pending)),
            (error: EngineError) => waiting.forEach((pending) => pending.reject(error)),
        );
        return opened;
    }

    #send<M extends Method>(method: M, argument: Argument<M>): Promise<Answer<M>> {
        const call = (this.#calls += 1);
        return new Promise<Answer<M>>((resolve, reject) => {
            this.#post({ request: { call, method, argument }, resolve, reject });
        });
    }

    #post(pending: Pending): void {
        if (this.#worker === undefined) {
            pending.reject(new EngineError('The worker has ended. Reload the page.'));
            return;
        }
        this.#pending.set(pending.request.call, pending);
        this.#worker.postMessage(pending.request);
        this.onBusy(this.#pending.size);
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

    /** Ends the worker. Returns the calls that it did not answer, the current one first. */
    #end(): Pending[] {
        this.#worker?.terminate();
        this.#worker = undefined;
        const pending = [...this.#pending.values()];
        this.#pending.clear();
        this.onBusy(0);
        return pending;
    }
}
