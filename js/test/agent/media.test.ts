/** Calls that read a stored image, PDF document or recording, in each format. */

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { MemoryStore, TuckawayError, mediaBytes } from 'tuckaway';
import { runToolCalls } from 'tuckaway/anthropic';
import { callMcpTool } from 'tuckaway/mcp';
import { runChatToolCalls, runResponsesToolCalls } from 'tuckaway/openai';

import { FlakyStore, newTuckaway, pixel } from './support.js';

const png = Buffer.from(pixel, 'base64');
const pdf = Buffer.from('%PDF-1.7\n1 0 obj\xff', 'latin1');
const mp3 = Buffer.from('ID3\x04\0', 'latin1');

const BYTES = 'To read its bytes, pass start_byte and end_byte.';
const PNG = `The artifact is an image (image/png, ${png.length} bytes). ${BYTES}`;
const PDF = `The artifact is a PDF document (application/pdf, 17 bytes). ${BYTES}`;
const MP3 = `The artifact is an audio recording (audio/mpeg, 5 bytes). ${BYTES}`;

/** Returns a tuckaway whose store has one artifact, and the artifact's id. */
async function stored(bytes: Uint8Array, mediaType: string, store = new MemoryStore()) {
    const id = store.create('screenshot', mediaType);
    store.append(id, bytes);
    store.seal(id, 1);
    return { tuckaway: await newTuckaway({ store }), id };
}

/** Returns the content of the result in the format of Messages. */
async function fromMessages(bytes: Uint8Array, mediaType: string, args: object = {}, caller?: object) {
    const { tuckaway, id } = await stored(bytes, mediaType);
    const input = { artifact_id: id, ...args };
    const message = { content: [{ type: 'tool_use', id: 'c1', name: 'artifact_read', input, caller }] };
    const [result] = await runToolCalls(tuckaway, message, {});
    assert.equal(result?.is_error, undefined);
    return result?.content;
}

test('results of Messages have images and documents', async () => {
    const block = (type: string, media_type: string, bytes: Buffer) => {
        return { type, source: { type: 'base64', media_type, data: bytes.toString('base64') } };
    };
    const image = [{ type: 'text', text: PNG }, block('image', 'image/png', png)];
    assert.deepEqual(await fromMessages(png, 'image/png'), image);
    // Providers refuse an image of another type than its declared one.
    assert.deepEqual(await fromMessages(png, 'image/jpeg'), image);
    assert.deepEqual(await fromMessages(png, 'image/png', { start_line: 1, start_byte: 0, cursor: '' }), image);
    const document = [{ type: 'text', text: PDF }, block('document', 'application/pdf', pdf)];
    assert.deepEqual(await fromMessages(pdf, 'application/pdf'), document);
    const why = 'It is not played, because a result of Messages cannot contain audio.';
    assert.equal(await fromMessages(mp3, 'audio/mpeg'), `${MP3} ${why}`);
});

test('bytes of an image, and what is no image, are text', async () => {
    const part = await fromMessages(png, 'image/png', { start_byte: 1, end_byte: 4 });
    assert.match(String(part), /PNG/);
    assert.notEqual(part, PNG);
    // A program reads text only.
    assert.equal(await fromMessages(png, 'image/png', {}, { type: 'code_execution_20250825' }), PNG);
    // A reference to an image is stored as its text.
    const address = 'https://example.org/a.png';
    assert.match(String(await fromMessages(Buffer.from(address), 'image/png')), /example\.org/);
    assert.match(String(await fromMessages(pdf, 'text/plain')), /%PDF-1\.7/);
});

test('a large image is only described', async () => {
    const large = Buffer.concat([png, Buffer.alloc(3_932_161 - png.length)]);
    const why = 'It is not shown, because a reply has files of at most 3932160 bytes.';
    const text = `The artifact is an image (image/png, 3932161 bytes). ${why} ${BYTES}`;
    assert.equal(await fromMessages(large, 'image/png'), text);
    const [, image] = (await fromMessages(large.subarray(0, -1), 'image/png')) as { source: { data: string } }[];
    assert.equal(image?.source.data, large.subarray(0, -1).toString('base64'));
});

test('results of Responses have images and files', async () => {
    const output = async (bytes: Uint8Array, mediaType: string) => {
        const { tuckaway, id } = await stored(bytes, mediaType);
        const call = { type: 'function_call', call_id: 'c1', name: 'artifact_read', arguments: JSON.stringify({ artifact_id: id }) };
        const [item] = await runResponsesToolCalls(tuckaway, { output: [call] }, {});
        return { output: item?.output, id };
    };
    assert.deepEqual((await output(png, 'image/png')).output, [
        { type: 'input_text', text: PNG },
        { type: 'input_image', image_url: `data:image/png;base64,${pixel}` },
    ]);
    const { output: file, id } = await output(pdf, 'application/pdf');
    assert.deepEqual(file, [
        { type: 'input_text', text: PDF },
        { type: 'input_file', filename: `${id}.pdf`, file_data: `data:application/pdf;base64,${pdf.toString('base64')}` },
    ]);
    const why = 'It is not played, because a result of Responses cannot contain audio.';
    assert.equal((await output(mp3, 'audio/mpeg')).output, `${MP3} ${why}`);
});

test('results of Chat Completions describe an image', async () => {
    const { tuckaway, id } = await stored(png, 'image/png');
    const called = { name: 'artifact_read', arguments: JSON.stringify({ artifact_id: id }) };
    const message = { tool_calls: [{ id: 'c1', type: 'function' as const, function: called }] };
    const [reply] = await runChatToolCalls(tuckaway, { choices: [{ message }] }, {});
    const why = 'It is not shown, because a result of Chat Completions can only contain text.';
    assert.equal(reply?.content, `${PNG} ${why}`);
});

test('results of MCP have items', async () => {
    const read = async (bytes: Uint8Array, mediaType: string) => {
        const { tuckaway, id } = await stored(bytes, mediaType);
        return { result: await callMcpTool(tuckaway, 'artifact_read', { artifact_id: id }), id };
    };
    assert.deepEqual((await read(png, 'image/png')).result, {
        content: [{ type: 'text', text: PNG }, { type: 'image', data: pixel, mimeType: 'image/png' }],
        isError: false,
    });
    assert.deepEqual((await read(mp3, 'audio/mpeg')).result.content, [
        { type: 'text', text: MP3 },
        { type: 'audio', data: mp3.toString('base64'), mimeType: 'audio/mpeg' },
    ]);
    const { result, id } = await read(pdf, 'application/pdf');
    const resource = { uri: `tuckaway://${id}`, mimeType: 'application/pdf', blob: pdf.toString('base64') };
    assert.deepEqual(result.content, [{ type: 'text', text: PDF }, { type: 'resource', resource }]);
    assert.deepEqual((await read(Buffer.from('a\nb\n'), 'text/plain')).result.content, [
        { type: 'text', text: '     1\ta\n     2\tb\n' },
    ]);
});

test('mistakes and failures of calls are answered as before', async () => {
    const { tuckaway } = await stored(png, 'image/png');
    assert.equal((await callMcpTool(tuckaway, 'artifact_read', undefined)).isError, true);
    assert.equal((await callMcpTool(tuckaway, 'artifact_read', { artifact_id: 'art_missing' })).isError, true);
    await assert.rejects(callMcpTool(tuckaway, 'web_search', {}), TuckawayError);
    const store = new FlakyStore();
    const flaky = await stored(png, 'image/png', store);
    store.isBroken = true;
    await assert.rejects(callMcpTool(flaky.tuckaway, 'artifact_read', { artifact_id: flaky.id }), /the store failed/);
});

test('a loop of its own reads the bytes that a reply names', async () => {
    const store = new FlakyStore();
    const { tuckaway, id } = await stored(png, 'image/png', store);
    const { media } = tuckaway.callTool('artifact_read', { artifact_id: id });
    assert.deepEqual(media, { artifactId: id, kind: 'image', mediaType: 'image/png', sizeBytes: png.length });
    assert.deepEqual(Buffer.from(await mediaBytes(tuckaway, media!)), png);
    assert.equal(tuckaway.callTool('artifact_read', { artifact_id: id, end_byte: 4 }).media, undefined);
    const isStoreError = (error: TuckawayError) => error instanceof TuckawayError && error.kind === 'store';
    await assert.rejects(mediaBytes(tuckaway, { ...media!, sizeBytes: png.length + 1 }), isStoreError);
    store.isBroken = true;
    await assert.rejects(mediaBytes(tuckaway, media!), isStoreError);
    store.isBroken = false;
    store.delete(id);
    await assert.rejects(mediaBytes(tuckaway, media!), (error: TuckawayError) => error.kind === 'not_found');
});
