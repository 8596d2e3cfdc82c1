/** The examples, run unchanged, with a scripted model on a local server. */

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { artifactId } from './support.js';
import {
    type ChatRequest, type MessagesRequest, type ResponsesRequest, type Script, completion, functionCall, message,
    outputText, outputTo, response, scriptedModel, text, toolCall, toolMessageTo, toolResultTo, toolUse,
} from './wire.js';

const examples = fileURLToPath(new URL('examples/', import.meta.resolve('tuckaway/package.json')));
const packages = Array.from({ length: 10_000 }, (_, n) => [`node_modules/p${n}`, { version: `1.${n}.0` }]);
const lockfile = { packages: Object.fromEntries(packages) };
const count = (envelope: unknown) => ({ artifact_id: artifactId(envelope), filter: '.packages | length' });

/** Runs an example in a folder with a large lock file, checks that it sent little, and returns its output. */
async function run<Request>(t: TestContext, file: string, script: Script<Request>): Promise<string> {
    const folder = await mkdtemp(join(tmpdir(), 'tuckaway-example-'));
    t.after(() => rm(folder, { recursive: true }));
    await writeFile(join(folder, 'package-lock.json'), JSON.stringify(lockfile));
    const model = await scriptedModel(t, script);
    const env = {
        ...process.env,
        OPENAI_API_KEY: 'none',
        OPENAI_BASE_URL: `${model.origin}/v1`,
        ANTHROPIC_API_KEY: 'none',
        ANTHROPIC_BASE_URL: model.origin,
    };
    const { stdout } = await promisify(execFile)(process.execPath, [join(examples, file)], { cwd: folder, env });
    const sent = JSON.stringify(model.requests.at(-1)).length;
    assert.ok(sent < 10_000, `the last request has ${sent} characters`);
    return stdout;
}

/** Refuses a request because of its size. */
function refuse(): never {
    throw new Error('prompt is too long: 1200 tokens > 600 maximum');
}

test('openai.ts', async (t) => {
    const printed = await run<ChatRequest>(t, 'openai.ts', [
        () => completion(toolCall('call_1', 'get_lockfile', {})),
        (request) => completion(toolCall('call_2', 'artifact_jq', count(toolMessageTo(request, 'call_1')))),
        refuse,
        () => completion('<summary>The lock file is stored.</summary>'),
        (request) => completion(`There are ${toolMessageTo(request, 'call_2').trim()}.`),
    ]);
    assert.equal(printed, 'There are 10000.\n');
});

test('anthropic.ts', async (t) => {
    const printed = await run<MessagesRequest>(t, 'anthropic.ts', [
        () => message(toolUse('toolu_1', 'get_lockfile', {})),
        (request) => message(toolUse('toolu_2', 'artifact_jq', count(toolResultTo(request, 'toolu_1').content))),
        refuse,
        () => message(text('<summary>The lock file is stored.</summary>')),
        (request) => message(text(`There are ${String(toolResultTo(request, 'toolu_2').content).trim()}.`)),
    ]);
    assert.equal(printed, 'There are 10000.\n');
});

test('ai-sdk.ts', async (t) => {
    const printed = await run<ResponsesRequest>(t, 'ai-sdk.ts', [
        () => response(functionCall('call_1', 'getLockfile', {})),
        (request) => response(functionCall('call_2', 'artifact_jq', count(outputTo(request, 'call_1')))),
        (request) => response(outputText(`There are ${String(outputTo(request, 'call_2')).trim()}.`)),
    ]);
    assert.equal(printed, 'There are 10000.\n');
});
