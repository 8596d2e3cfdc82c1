/** What the tests of agent loops share: a model that says what it is told to, and a tool that says too much. */

import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';

import { type TuckawayOptions, createTuckaway } from 'tuckaway';

/** What a tool returns that a model should not read: some 1.4 MB as JSON. */
export const rows = Array.from({ length: 20_000 }, (_, id) => ({ id, name: `row ${id}`, city: 'Eindhoven', score: id % 7 }));

/** What a small tool returns. */
export const weather = { city: 'Delft', celsius: 11 };

/** A PNG of one pixel, in base64. */
export const pixel =
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII=';

export function newTuckaway(options: TuckawayOptions = {}) {
    return createTuckaway({ contextWindow: 200_000, ...options });
}

/** The id of the artifact that an envelope refers to. */
export function artifactId(envelope: unknown): string {
    const { artifact_id } = JSON.parse(String(envelope)) as { artifact_id: unknown };
    assert.ok(typeof artifact_id === 'string', 'no artifact_id in the envelope');
    return artifact_id;
}

/** One answer of the scripted model, made from the request that it answers. */
export type Script<Request> = readonly ((request: Request) => object)[];

/**
 * A server that answers one request after the other by a script, and keeps what it was asked.
 *
 * A mistake in the script is the answer's status, and what the client throws says it.
 */
export async function scriptedModel<Request>(t: TestContext, script: Script<Request>) {
    const requests: Request[] = [];
    const server = createServer(async (incoming, outgoing) => {
        const chunks: Buffer[] = [];
        for await (const chunk of incoming) {
            chunks.push(chunk as Buffer);
        }
        const request = JSON.parse(Buffer.concat(chunks).toString()) as Request;
        const answer = script[requests.push(request) - 1];
        try {
            assert.ok(answer, `the script has no answer number ${requests.length}`);
            outgoing.setHeader('content-type', 'application/json').end(JSON.stringify(answer(request)));
        } catch (error) {
            outgoing.writeHead(400, { 'content-type': 'application/json' });
            outgoing.end(JSON.stringify({ error: { type: 'invalid_request_error', message: String(error) } }));
        }
    });
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    t.after(() => {
        server.closeAllConnections();
        server.close();
    });
    return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests };
}
