/** A proxy between a store and an object server that injects the faults of a test and counts the requests. */

import { type IncomingMessage, type ServerResponse, createServer, request as send } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';

/** A request, as a test inspects it. */
export interface Seen {
    method: string;
    /** The path and the query. */
    path: string;
    range: string | undefined;
    isConditional: boolean;
    /** The purpose of the request, derived from its key. */
    kind: 'segment' | 'metadata' | 'listing' | 'other';
    /** Bytes of the answer's body that were sent. */
    answered: number;
}

/**
 * The fault of a request:
 *
 * - a number: the server answers with this status.
 * - `reset-request`: the connection is reset in the middle of the request's body.
 * - `reset-answer`, `end-answer`, `stall-answer`: the connection is reset, ends, or stalls in the middle of the
 *   answer's body.
 * - `stall`: no answer is sent.
 * - `lose-answer`: the server carries out the request, then the connection is reset.
 * - `twice`: the server gets the request twice.
 * - `no-condition`: the server does not see the condition of the request.
 */
export type Fault =
    | number
    | 'reset-request'
    | 'reset-answer'
    | 'end-answer'
    | 'stall-answer'
    | 'stall'
    | 'lose-answer'
    | 'twice'
    | 'no-condition';

/** A proxy that runs until the end of the test. */
export interface FaultProxy {
    port: number;
    /** The requests since it was last set to an empty array. */
    seen: Seen[];
    /** Chooses the fault of a request; no faults if undefined. */
    fault: ((seen: Seen) => Fault | undefined) | undefined;
}

/** Starts a proxy in front of a port. */
export async function startProxy(test: TestContext, target: number): Promise<FaultProxy> {
    const server = createServer((request, response) => {
        const seen = inspect(request);
        proxy.seen.push(seen);
        handle(target, seen, proxy.fault?.(seen), request, response).catch(() => response.destroy());
    });
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    test.after(() => new Promise((closed) => {
        server.close(closed);
        server.closeAllConnections();
    }));
    const proxy: FaultProxy = { port: (server.address() as AddressInfo).port, seen: [], fault: undefined };
    return proxy;
}

function inspect({ method = '', url = '', headers }: IncomingMessage): Seen {
    const path = decodeURIComponent(url);
    const kind = path.includes('list-type=2')
        ? 'listing'
        : /\/data\/[^/]+\/[0-9]{8}/.test(path)
          ? 'segment'
          : /\/meta\/[^/]+\.json/.test(path)
            ? 'metadata'
            : 'other';
    return { method, path, range: headers.range, isConditional: headers['if-none-match'] !== undefined, kind, answered: 0 };
}

async function handle(
    target: number,
    seen: Seen,
    fault: Fault | undefined,
    request: IncomingMessage,
    response: ServerResponse,
): Promise<void> {
    if (fault === 'stall') {
        return;
    }
    if (fault === 'reset-request') {
        const expected = Number(request.headers['content-length'] ?? 0);
        let received = 0;
        for await (const data of request) {
            received += (data as Buffer).length;
            if (received >= expected / 2) {
                break;
            }
        }
        request.socket.resetAndDestroy();
        return;
    }
    const body = await bytesOf(request);
    if (typeof fault === 'number') {
        response.writeHead(fault, { 'content-type': 'application/xml' });
        response.end(`<?xml version="1.0"?><Error><Code>Broken${fault}</Code><Message>${BROKEN}</Message></Error>`);
        return;
    }
    const headers = { ...request.headers };
    if (fault === 'no-condition') {
        delete headers['if-none-match'];
    }
    if (fault === 'twice') {
        await forward(target, request, headers, body);
    }
    const answer = await forward(target, request, headers, body);
    if (fault === 'lose-answer') {
        request.socket.resetAndDestroy();
        return;
    }
    const content = await bytesOf(answer);
    const length = request.method === 'HEAD' ? undefined : content.length;
    response.writeHead(answer.statusCode ?? 500, withLength(answer.headers, length));
    if (fault === undefined || fault === 'twice' || fault === 'no-condition') {
        seen.answered = content.length;
        response.end(content);
        return;
    }
    response.write(content.subarray(0, content.length >> 1), () => {
        if (fault === 'reset-answer') {
            request.socket.resetAndDestroy();
        } else if (fault === 'end-answer') {
            request.socket.end();
        }
    });
}

/** A text that a model must not see: the message of a broken server. */
export const BROKEN = 'the key secret-prefix/data in secret-bucket is broken';

function forward(
    port: number,
    { method, url }: IncomingMessage,
    headers: IncomingMessage['headers'],
    body: Buffer,
): Promise<IncomingMessage> {
    return new Promise((answered, failed) => {
        const { 'transfer-encoding': _, expect: __, ...rest } = headers;
        const forwarded = send({ host: '127.0.0.1', port, method, path: url, headers: rest }, answered);
        forwarded.on('error', failed);
        forwarded.end(body);
    });
}

function withLength(headers: IncomingMessage['headers'], length: number | undefined): IncomingMessage['headers'] {
    const { 'transfer-encoding': _, ...rest } = headers;
    return length === undefined ? headers : { ...rest, 'content-length': String(length) };
}

async function bytesOf(stream: AsyncIterable<unknown>): Promise<Buffer> {
    const chunks: Buffer[] = [];
    for await (const chunk of stream) {
        chunks.push(chunk as Buffer);
    }
    return Buffer.concat(chunks);
}
