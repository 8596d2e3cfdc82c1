// An agent on another machine that shares a session in a bucket, for tests that run it next to their own, in Node or in
// Rust. It uses the built package (`npm run build`).
//
//   node s3-peer.mjs put TOOL                  stores stdin
//   node s3-peer.mjs put TOOL COUNT MAX_BYTES  stores COUNT artifacts of 0 to MAX_BYTES random bytes
//   node s3-peer.mjs list                      every artifact of the session, with the digest of its readable content
//   node s3-peer.mjs stat ID
//   node s3-peer.mjs read ID                   the content, unchanged
//   node s3-peer.mjs delete ID
//   node s3-peer.mjs sessions | remove-session NAME | gc
//
// `put`, `list` and `stat` print an object per line: the artifact as in `tuckaway list --json`, with the `sha256` of
// its content except for `stat`. A store's error is printed as `{"error": CODE, "message", "tool", "expired_at"}`, and
// the exit status is 1.
//
// Where: TUCKAWAY_S3_BUCKET, TUCKAWAY_S3_ENDPOINT (default: AWS), TUCKAWAY_S3_PREFIX, TUCKAWAY_S3_SESSION,
// TUCKAWAY_S3_MAX_AGE (seconds), TUCKAWAY_S3_SEGMENT_BYTES; credentials and region as the SDK reads them
// (AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_REGION).

import { createHash, randomBytes, randomInt } from 'node:crypto';
import { buffer } from 'node:stream/consumers';

import { S3Client } from '@aws-sdk/client-s3';
import { StoreError } from 'tuckaway';
import { BucketStore } from 'tuckaway/s3';

const setting = (name) => process.env[`TUCKAWAY_S3_${name}`] || undefined;
const number = (name) => (setting(name) === undefined ? undefined : Number(setting(name)));

/** Bytes of each `append`, fewer than in a segment. */
const PIECE = 1 << 20;

const store = BucketStore.open({
    client: new S3Client({ endpoint: setting('ENDPOINT'), forcePathStyle: setting('ENDPOINT') !== undefined }),
    bucket: setting('BUCKET'),
    prefix: setting('PREFIX'),
    session: setting('SESSION'),
    maxAgeSeconds: number('MAX_AGE'),
    segmentBytes: number('SEGMENT_BYTES'),
});

const print = (value) => console.log(JSON.stringify(value));
const sha256 = (bytes) => createHash('sha256').update(bytes).digest('hex');
const inSnakeCase = ({ id, tool, mediaType, sizeBytes, lineCount, createdAt }, more = {}) => ({
    id, tool, media_type: mediaType, size_bytes: sizeBytes, line_count: lineCount, created_at: createdAt, ...more,
});

async function put(tool, content) {
    const id = await store.create(tool, 'application/octet-stream');
    for (let at = 0; at < content.length; at += PIECE) {
        await store.append(id, content.subarray(at, at + PIECE));
    }
    const feeds = content.reduce((count, byte) => count + (byte === 10 ? 1 : 0), 0);
    const lines = feeds + (content.length > 0 && content.at(-1) !== 10 ? 1 : 0);
    print(inSnakeCase(await store.seal(id, lines), { sha256: sha256(content) }));
}

const commands = {
    put: async (tool, count, maxBytes) => {
        if (count === undefined) {
            return put(tool, await buffer(process.stdin));
        }
        for (let n = 0; n < Number(count); n++) {
            await put(tool, randomBytes(randomInt(Number(maxBytes) + 1)));
        }
    },
    list: async () => {
        for (const artifact of await store.listArtifacts()) {
            print(inSnakeCase(artifact, { sha256: sha256(await store.read(artifact.id, 0, artifact.sizeBytes)) }));
        }
    },
    stat: async (id) => print(inSnakeCase(await store.stat(id))),
    read: async (id) => {
        const { sizeBytes } = await store.stat(id);
        process.stdout.write(await store.read(id, 0, sizeBytes));
    },
    delete: (id) => store.delete(id),
    sessions: async () => print(await store.sessions()),
    'remove-session': (name) => store.removeSession(name),
    gc: async () => print(await store.collectGarbage()),
};

const [command, ...args] = process.argv.slice(2);
if (!Object.hasOwn(commands, command)) {
    console.error(`error: no command ${command}; there are ${Object.keys(commands).join(', ')}`);
    process.exit(2);
}
try {
    await commands[command](...args);
} catch (error) {
    if (!(error instanceof StoreError)) {
        throw error;
    }
    const { code, message, expiry } = error;
    print({ error: code, message, tool: expiry?.tool, expired_at: expiry?.expiredAt });
    process.exitCode = 1;
}
