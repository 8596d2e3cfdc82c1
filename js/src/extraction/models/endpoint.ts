/** An HTTP API: its address, its requests and its answers. */

import { TuckawayError, messageOf } from '../../error.js';
import { number, optional, record, size, string, invalid, anything, callback } from '../../validate.js';
import { ModelError } from '../model.js';
import { retryAfterMs, sleep, waitMs } from './retry.js';

/** The address of a model, and the time limits of its requests. */
export interface ModelOptions {
    /** The name of the model. */
    model: string;
    /** The key; omitted if the API does not need one. It is only sent in its header, and removed from messages. */
    apiKey?: string | undefined;
    /** The URL of the API, without the path of the method. Default: the provider's. */
    baseUrl?: string | undefined;
    /** Additional headers, such as the ones that a provider requires from browsers. Default: none. */
    headers?: Readonly<Record<string, string>> | undefined;
    /**
     * Time limit of one attempt in milliseconds, from connecting to the end of the body. Default: 180,000, 3 minutes.
     */
    timeoutMs?: number | undefined;
    /** Maximum number of attempts for a request, at least 1. Default: 5. */
    attempts?: number | undefined;
    /** The wait before the second attempt in milliseconds; it doubles with each attempt. Default: 500. */
    backoffMs?: number | undefined;
    /** The longest wait in milliseconds, even if the server asks for a longer one. Default: 60,000. */
    maxWaitMs?: number | undefined;
    /** Maximum bytes of an answer's body. Default: 8 MiB. */
    maxBodyBytes?: number | undefined;
    /** The function that sends the requests. Default: the global `fetch`. */
    fetch?: typeof fetch | undefined;
}

const knownOptions = record({
    model: string,
    apiKey: optional(string),
    baseUrl: optional(string),
    headers: optional(anything),
    timeoutMs: optional(number),
    attempts: optional(size),
    backoffMs: optional(number),
    maxWaitMs: optional(number),
    maxBodyBytes: optional(size),
    fetch: optional(callback),
});

/** The differences between providers. */
export interface Provider {
    baseUrl: string;
    path: string;
    /** Returns the header with the key. */
    key: (key: string) => Record<string, string>;
    headers: Readonly<Record<string, string>>;
}

/** Maximum characters of a server's error message. */
const MAX_EXPLANATION = 200;

/** A failure that is retried. */
class Temporary extends ModelError {
    readonly waitMs: number | undefined;

    constructor(message: string, options: ErrorOptions & { waitMs?: number | undefined } = {}) {
        super(message, options);
        this.waitMs = options.waitMs;
    }
}

/** Sends requests to one URL. */
export class Connection {
    readonly model: string;
    readonly baseUrl: string;
    readonly #url: string;
    readonly #headers: Headers;
    readonly #key: string;
    readonly #limits: Required<Pick<ModelOptions, 'timeoutMs' | 'attempts' | 'backoffMs' | 'maxWaitMs' | 'maxBodyBytes'>>;
    readonly #fetch: typeof fetch;

    /**
     * @throws TuckawayError of kind `invalid_input` for options that cannot be sent; the message contains no part of a
     * key
     */
    constructor(given: ModelOptions, provider: Provider) {
        knownOptions(given, 'options');
        this.model = given.model;
        this.baseUrl = given.baseUrl ?? provider.baseUrl;
        this.#url = checkedUrl(`${this.baseUrl.replace(/\/+$/, '')}${provider.path}`);
        this.#key = given.apiKey?.trim() ?? '';
        if (!/^[\x20-\x7e]*$/.test(this.#key)) {
            const why = 'options.apiKey has characters that cannot be sent. Check that the key is complete.';
            throw new TuckawayError('invalid_input', why, { arguments: ['options.apiKey'] });
        }
        this.#headers = new Headers({
            'content-type': 'application/json',
            ...provider.headers,
            ...(this.#key !== '' && provider.key(this.#key)),
        });
        addHeaders(this.#headers, given.headers);
        this.#limits = {
            timeoutMs: given.timeoutMs ?? 180_000,
            attempts: given.attempts ?? 5,
            backoffMs: given.backoffMs ?? 500,
            maxWaitMs: given.maxWaitMs ?? 60_000,
            maxBodyBytes: given.maxBodyBytes ?? 8 << 20,
        };
        this.#fetch = given.fetch ?? ((input, init) => fetch(input, init));
    }

    /**
     * Sends a body and reads the answer. Temporary failures are retried: statuses 408, 429 and 5xx, broken connections
     * and bodies, and answers that cannot be parsed.
     */
    async post<Answer>(body: object, read: (answer: Json) => Answer, signal: AbortSignal): Promise<Answer> {
        const text = JSON.stringify(body);
        const { attempts, backoffMs, maxWaitMs } = this.#limits;
        for (let attempt = 1; ; attempt++) {
            try {
                return readable(read, await this.#attempt(text, signal));
            } catch (error) {
                signal.throwIfAborted();
                if (!(error instanceof Temporary) || attempt >= attempts) {
                    throw this.#withoutKey(error);
                }
                await sleep(waitMs(attempt, backoffMs, maxWaitMs, error.waitMs), signal);
            }
        }
    }

    /** Sends a body once, within the time limit. */
    async #attempt(body: string, signal: AbortSignal): Promise<Json> {
        signal.throwIfAborted();
        const ending = new AbortController();
        let isLate = false;
        const end = () => ending.abort();
        signal.addEventListener('abort', end, { once: true });
        const timer = setTimeout(() => {
            isLate = true;
            end();
        }, this.#limits.timeoutMs);
        try {
            return await this.#exchange(body, ending.signal);
        } catch (error) {
            throw isLate ? new Temporary("The model's API took too long.") : error;
        } finally {
            clearTimeout(timer);
            signal.removeEventListener('abort', end);
            // The rest of an oversized body is not needed.
            end();
        }
    }

    async #exchange(body: string, signal: AbortSignal): Promise<Json> {
        // Following a redirect would send the key to another host.
        const init = { method: 'POST', headers: this.#headers, body, signal, redirect: 'manual' } as const;
        let response: Response;
        try {
            response = await this.#fetch(this.#url, init);
        } catch (error) {
            throw new Temporary(`The model's API cannot be reached: ${clean(reasonOf(error))}.`);
        }
        if (!response.ok) {
            const said = await this.#body(response).catch(() => '');
            throw refused(response, parsed(said));
        }
        const answer = parsed(await this.#body(response));
        if (answer === undefined) {
            throw new Temporary("The model's API did not answer with JSON.");
        }
        return answer;
    }

    /** Reads a body, up to its limit. */
    async #body(response: Response): Promise<string> {
        const decoder = new TextDecoder();
        const parts: string[] = [];
        const reader = response.body?.getReader();
        for (let bytes = 0; reader !== undefined; ) {
            const { done, value } = await reader.read().catch((error: unknown) => {
                throw new Temporary("The answer from the model's API was cut off.", { cause: error });
            });
            if (done) {
                break;
            }
            bytes += value.length;
            if (bytes > this.#limits.maxBodyBytes) {
                const { maxBodyBytes } = this.#limits;
                throw new ModelError(`The answer from the model's API is larger than ${maxBodyBytes} bytes.`);
            }
            parts.push(decoder.decode(value, { stream: true }));
        }
        return parts.join('') + decoder.decode();
    }

    /** Removes the key from a message, because a server may repeat it. */
    #withoutKey(error: unknown): ModelError {
        const message = messageOf(error);
        const isPermanent = error instanceof ModelError && error.isPermanent;
        return new ModelError(this.#key === '' ? message : message.replaceAll(this.#key, '[key]'), { isPermanent });
    }
}

/** Any JSON value; every member has to be checked. */
export type Json = any;

function parsed(text: string): Json | undefined {
    try {
        return JSON.parse(text);
    } catch {
        return undefined;
    }
}

/** Parses an answer. A malformed one is retried. */
function readable<Answer>(read: (answer: Json) => Answer, answer: Json): Answer {
    try {
        return read(answer);
    } catch (error) {
        throw new Temporary(messageOf(error));
    }
}

function checkedUrl(url: string): string {
    const parsed = URL.canParse(url) ? new URL(url) : undefined;
    // The message omits the URL, which may contain a password.
    if (parsed === undefined || !/^https?:$/.test(parsed.protocol) || parsed.username !== '' || parsed.password !== '') {
        const why = 'options.baseUrl must be an HTTP URL without a password, such as https://host/v1.';
        throw new TuckawayError('invalid_input', why, { arguments: ['options.baseUrl'] });
    }
    return url;
}

function addHeaders(headers: Headers, given: unknown): void {
    for (const [name, value] of Object.entries(given ?? {})) {
        try {
            headers.set(name, string(value, name));
        } catch {
            throw invalid('options.headers', given, 'an object whose values can be sent as headers');
        }
    }
}

/** Returns the innermost error, which is the most specific. */
function reasonOf(error: unknown): string {
    let reason = error;
    for (let depth = 0; depth < 10 && reason instanceof Error && reason.cause instanceof Error; depth++) {
        reason = reason.cause;
    }
    return messageOf(reason) || 'the connection failed';
}

/** Removes terminal control sequences, and truncates a text. */
function clean(text: string): string {
    const plain = text.slice(0, 4_096).replace(/\x1b\[[0-?]*[ -/]*[@-~]/g, '').replace(/[\p{Cc}\p{Cf}\p{Cs}]+/gu, ' ').trim();
    const chars = Array.from(plain);
    return chars.length > MAX_EXPLANATION ? `${chars.slice(0, MAX_EXPLANATION - 1).join('')}…` : plain;
}

/** Converts an HTTP status that reports a failure. */
function refused({ status, type, headers }: Response, body: Json | undefined): ModelError {
    const error = body?.error;
    const said = [error?.message, error, body?.message].find((each) => typeof each === 'string') as string | undefined;
    const explained = (what: string) => (said ? `${what} (HTTP ${status}): ${clean(said)}` : `${what} (HTTP ${status}).`);
    const permanent = (message: string) => new ModelError(message, { isPermanent: true });
    if (status === 401 || status === 403) {
        // The server's message may contain part of the key.
        return permanent(`The model's API refused the key (HTTP ${status}).`);
    }
    if (status === 402) {
        return permanent(explained("The model's API requires payment"));
    }
    if (status === 429 && error?.code === 'insufficient_quota') {
        return permanent(explained("The quota of the model's API is used up"));
    }
    if (status === 404 || status === 405 || type === 'opaqueredirect' || (status >= 300 && status < 400)) {
        return permanent(explained("The model's API has no such model or method: check the base URL and the model"));
    }
    if (status === 408 || status === 429 || status >= 500) {
        const waitMs = retryAfterMs(headers.get('retry-after'), Date.now());
        return new Temporary(explained("The model's API is busy or has failed"), { waitMs });
    }
    return new ModelError(explained("The model's API refused the request"));
}
