/** Requests for the objects of a bucket, with time limits. Every failure is a {@link StoreError}. */

import {
    DeleteObjectCommand,
    GetObjectCommand,
    type GetObjectCommandOutput,
    ListObjectsV2Command,
    type ListObjectsV2CommandOutput,
    PutObjectCommand,
    type PutObjectCommandOutput,
    type S3Client,
} from '@aws-sdk/client-s3';

import { TransferError, failure, isMissingBucket, statusOf } from './failure.js';
import { inParallel } from './parallel.js';

/** How often a body that ends early is requested. The SDK only repeats requests that fail earlier. */
const TRANSFERS = 3;

/** The transfer rate of a slow connection, in bytes per second: larger requests get more time. */
const BYTES_PER_SECOND = 512 * 1024;

/** An object in a listing. */
export interface Listed {
    key: string;
    size: number;
    /** Changes whenever the object changes. */
    stamp: string;
    /** When it was written, in Unix seconds of the server's clock. */
    writtenAt: number;
}

/** A whole object. */
export interface Fetched {
    bytes: Uint8Array;
    stamp: string | undefined;
}

/** How long requests may take, in milliseconds. */
export interface TimeLimits {
    /** Time limit for each try of a request: until the answer, and then until the end of its body. */
    request: number;
    /** Time limit for an operation of the store: all of its requests with all of their repetitions. */
    operation: number;
}

type Command = PutObjectCommand | GetObjectCommand | ListObjectsV2Command | DeleteObjectCommand;

/** The objects of a bucket. `operation` describes the purpose of a request in errors. */
export class Objects {
    readonly #client: S3Client;
    readonly #bucket: string;
    readonly #limits: TimeLimits;
    /** The deadline of the operation that the requests belong to; if missing, each request has its own deadline. */
    readonly #end: AbortSignal | undefined;

    constructor(client: S3Client, bucket: string, limits: TimeLimits, end?: AbortSignal) {
        this.#client = client;
        this.#bucket = bucket;
        this.#limits = limits;
        this.#end = end;
    }

    /** Returns the same objects for one operation, whose requests share its time limit. */
    forOperation(): Objects {
        return new Objects(this.#client, this.#bucket, this.#limits, AbortSignal.timeout(this.#limits.operation));
    }

    /**
     * Writes an object and returns its stamp. With `isNew`, the result is `taken` if the object exists already, or may
     * exist soon. Servers that reject such conditional requests get an unconditional one.
     */
    async put(
        operation: string,
        key: string,
        body: Uint8Array,
        isNew = false,
    ): Promise<string | undefined | typeof TAKEN> {
        const input = { Bucket: this.#bucket, Key: key, Body: body };
        const put = (more: object) =>
            this.#send<PutObjectCommandOutput>(new PutObjectCommand({ ...input, ...more }), body.length);
        try {
            if (!isNew) {
                return (await put({})).ETag;
            }
            try {
                return (await put({ IfNoneMatch: '*' })).ETag;
            } catch (error) {
                if (statusOf(error) !== 501) {
                    throw error;
                }
                return (await put({})).ETag;
            }
        } catch (error) {
            // 409: another request for the key is not decided yet, such as an earlier try of this one.
            if (isNew && [409, 412].includes(statusOf(error) ?? 0)) {
                return TAKEN;
            }
            throw failure(operation, error);
        }
    }

    /** Returns an object; undefined if it does not exist, and `too-long` if it is longer than expected. */
    async get(operation: string, key: string, maxBytes: number): Promise<Fetched | undefined | typeof TOO_LONG> {
        return this.#download(operation, { Key: key }, maxBytes, async (output, bytes) => ({
            bytes: await bytes(),
            stamp: output.ETag,
        }));
    }

    /** Returns the bytes `from` to `to` of an object; undefined if it does not exist, or has another size. */
    async range(
        operation: string,
        key: string,
        [from, to]: [number, number],
        size: number,
    ): Promise<Uint8Array | undefined> {
        const input = { Key: key, Range: `bytes=${from}-${to - 1}` };
        const found = await this.#download(operation, input, size, async (output, bytes) => {
            const whole = /\/([0-9]+)$/.exec(output.ContentRange ?? '')?.[1];
            if (whole !== undefined && Number(whole) !== size) {
                throw new TooShort();
            }
            const body = await bytes();
            // Without this header, the server has sent the whole object.
            const part = output.ContentRange === undefined ? body.subarray(from, to) : body;
            if (part.length !== to - from) {
                throw output.ContentRange === undefined ? new TooShort() : new TransferError('the answer ended early');
            }
            return part;
        });
        return found === TOO_LONG ? undefined : found;
    }

    /** Lists the objects whose keys begin with a prefix, in pages. */
    async *list(operation: string, prefix: string): AsyncGenerator<Listed[]> {
        for await (const { Contents = [] } of this.#pages(operation, { Prefix: prefix })) {
            yield Contents.flatMap(({ Key, Size = 0, ETag, LastModified }) => {
                const writtenAt = (LastModified?.getTime() ?? Infinity) / 1000;
                return Key === undefined ? [] : [{ key: Key, size: Size, stamp: ETag ?? `${Size} ${writtenAt}`, writtenAt }];
            });
        }
    }

    /** Lists the prefixes between a prefix, which ends in `/`, and the next `/`. */
    async folders(operation: string, prefix: string): Promise<string[]> {
        const found: string[] = [];
        for await (const { CommonPrefixes = [] } of this.#pages(operation, { Prefix: prefix, Delimiter: '/' })) {
            found.push(...CommonPrefixes.flatMap(({ Prefix }) => Prefix ?? []));
        }
        return found;
    }

    /** Removes objects. One that is missing counts as removed. */
    async remove(operation: string, keys: readonly string[]): Promise<void> {
        await inParallel(keys, async (Key) => {
            try {
                await this.#send(new DeleteObjectCommand({ Bucket: this.#bucket, Key }));
            } catch (error) {
                if (statusOf(error) !== 404) {
                    throw failure(operation, error);
                }
            }
        });
    }

    async *#pages(operation: string, input: object): AsyncGenerator<ListObjectsV2CommandOutput> {
        let token: string | undefined;
        do {
            const command = new ListObjectsV2Command({ Bucket: this.#bucket, ...input, ContinuationToken: token });
            const page = await this.#send<ListObjectsV2CommandOutput>(command).catch((error: unknown) => {
                throw failure(operation, error);
            });
            yield page;
            token = page.IsTruncated === true ? page.NextContinuationToken : undefined;
        } while (token !== undefined);
    }

    /** Requests an object and reads its body, again if the body ends early. */
    async #download<T>(
        operation: string,
        input: { Key: string; Range?: string },
        maxBytes: number,
        take: (output: GetObjectCommandOutput, bytes: () => Promise<Uint8Array>) => Promise<T>,
    ): Promise<T | undefined | typeof TOO_LONG> {
        for (let transfer = 1; ; transfer++) {
            const abort = new AbortController();
            try {
                const command = new GetObjectCommand({ Bucket: this.#bucket, ...input });
                const output = await this.#send<GetObjectCommandOutput>(command, 0, abort);
                if ((output.ContentLength ?? 0) > maxBytes) {
                    discard(output, abort);
                    return TOO_LONG;
                }
                return await take(output, () => this.#body(output)).catch((error: unknown) => {
                    discard(output, abort);
                    throw error;
                });
            } catch (error) {
                const status = statusOf(error);
                if ((status === 404 && !isMissingBucket(error)) || status === 416 || error instanceof TooShort) {
                    return undefined;
                }
                if (!(error instanceof TransferError) || transfer === TRANSFERS || this.#end?.aborted) {
                    throw failure(operation, error);
                }
            }
        }
    }

    async #body(output: GetObjectCommandOutput): Promise<Uint8Array> {
        const expected = output.ContentLength ?? 0;
        const late = new TransferError('the answer stalled');
        try {
            const reading = output.Body?.transformToByteArray() ?? Promise.resolve(new Uint8Array(0));
            const bytes = await within(this.#millisecondsFor(expected), late, reading);
            if (output.ContentLength !== undefined && bytes.length !== expected) {
                throw new TransferError('the answer ended early');
            }
            return bytes;
        } catch (error) {
            throw error instanceof TransferError ? error : new TransferError('the answer ended early', { cause: error });
        }
    }

    /** Sends a request. The SDK repeats it if it fails, and each try has its own time limit. */
    async #send<Output>(command: Command, bytes = 0, abort = new AbortController()): Promise<Output> {
        const milliseconds = this.#millisecondsFor(bytes);
        const end = this.#end ?? AbortSignal.timeout(Math.max(this.#limits.operation, milliseconds));
        let isLate = false;
        // For this code, all four kinds of requests are the same.
        const { middlewareStack } = command as GetObjectCommand;
        middlewareStack.add(
            (next: (args: any) => Promise<any>) => async (args: any) => {
                // The SDK repeats requests that fail with this name.
                const late = Object.assign(new Error('no answer in time'), { name: 'TimeoutError' });
                return within(milliseconds, late, next(args)).catch((error: unknown) => {
                    isLate ||= error === late;
                    throw error;
                });
            },
            { step: 'deserialize', priority: 'high', name: 'tuckawayTimeLimit' },
        );
        try {
            const abortSignal = AbortSignal.any([end, abort.signal]);
            return (await this.#client.send(command as GetObjectCommand, { abortSignal })) as Output;
        } finally {
            if (isLate && !(command instanceof GetObjectCommand)) {
                // Closes the connections of tries without an answer.
                abort.abort();
            }
        }
    }

    #millisecondsFor(bytes: number): number {
        return this.#limits.request + (1000 * bytes) / BYTES_PER_SECOND;
    }
}

/** Closes an answer whose body is not needed. */
function discard({ Body }: GetObjectCommandOutput, abort: AbortController): void {
    // A Node stream throws if it is destroyed early and has no listener; a web stream cannot.
    (Body as { on?: (event: string, ignore: () => void) => void } | undefined)?.on?.('error', () => {});
    abort.abort();
}

/** The object exists already. */
export const TAKEN = Symbol('taken');

/** The object is longer than expected. */
export const TOO_LONG = Symbol('too long');

/** The object has fewer bytes than it should. */
class TooShort extends Error {}

/** Waits for a promise, up to a time limit. */
async function within<T>(milliseconds: number, late: Error, promise: Promise<T>): Promise<T> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const timeout = new Promise<never>((_, failed) => {
        timer = setTimeout(() => failed(late), milliseconds);
    });
    try {
        return await Promise.race([promise, timeout]);
    } finally {
        clearTimeout(timer);
    }
}
