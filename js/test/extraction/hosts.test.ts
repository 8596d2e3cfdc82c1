/**
 * An extraction that is started by one host, killed, and finished by another. `TUCKAWAY_CLI` names the command line.
 */

import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';

import { type Answer, DirStore, createTuckaway } from 'tuckaway';
import { extract, openaiModel } from 'tuckaway/extraction';

import { packageRoot } from '../support/browser.js';
import { commandLine } from '../support/command-line.js';
import { modelServer } from './server.js';
import { KEY, NEEDLE, WHAT, manyLines, oneLine, settings, stored } from './support.js';

/** Runs an extraction in a separate Node process, and writes each state to a file. */
const PROGRAM = `
    import { renameSync, writeFileSync } from 'node:fs';
    import { DirStore, createTuckaway } from 'tuckaway';
    import { extract, openaiModel } from 'tuckaway/extraction';
    const { path, question, settings, stateFile } = JSON.parse(process.argv[1]);
    const tuckaway = await createTuckaway({ store: DirStore.open(path), contextWindow: 200_000 });
    const onState = (state) => {
        writeFileSync(stateFile + '.new', state);
        renameSync(stateFile + '.new', stateFile);
    };
    await extract(tuckaway, question, { model: openaiModel(settings), config: { contextTokens: 32_000 }, onState });
`;

/** The first two requests are answered; all others would take half a minute. */
const TWO_ANSWERS = [['none', 'none'], 'slow:30000'] as const;

async function folder(t: TestContext, text: string) {
    const root = fs.mkdtempSync(join(tmpdir(), 'tuckaway-'));
    t.after(() => fs.rmSync(root, { recursive: true }));
    const path = join(root, 'store');
    return { path, stateFile: join(root, 'state.json'), ...(await stored(text, DirStore.open(path))) };
}

/** Waits until this many requests have arrived, then kills the process. */
async function killed(child: ChildProcess, { asked }: { asked: unknown[] }, requests: number): Promise<void> {
    const ended = new Promise((resolve) => child.once('exit', (_, signal) => resolve(signal)));
    while (asked.length < requests) {
        assert.equal(child.exitCode, null, 'it ended by itself');
        await new Promise((resolve) => setTimeout(resolve, 5));
    }
    child.kill('SIGKILL');
    assert.equal(await ended, 'SIGKILL');
}

/** Starts the command line. */
function command(path: string, artifact: string, url: string, stateFile: string): ChildProcess {
    const args = ['--store', `dir:${path}`, 'extract', artifact, WHAT, '--base-url', url, '--model', 'scripted'];
    const more = ['--context-tokens', '32000', '--tokens', 'estimate', '--state', stateFile, '--json'];
    const env = { ...process.env, TUCKAWAY_API_KEY: KEY };
    return spawn(commandLine(), [...args, ...more], { env, stdio: ['ignore', 'pipe', 'inherit'] });
}

function check(answer: { text: string; outcome: string; usage: { requests: number } }, requests: number): void {
    assert.equal(answer.outcome, 'found', answer.text);
    assert.ok(answer.text.includes(NEEDLE), answer.text);
    // The two answers that the killed process received are not requested again.
    assert.equal(answer.usage.requests, requests + 2);
}

/** The number of requests when the state has two answers: four in parallel and two more, or sequential ones. */
const CASES = [['chunks', oneLine(10_000), 6], ['a search', manyLines(40_000), 3]] as const;

for (const [what, text, requests] of CASES) {
    test(`${what}: started in Node, killed, finished by the command line`, async (t) => {
        const { path, question, stateFile } = await folder(t, text);
        const slow = await modelServer(t, ...TWO_ANSWERS);
        const given = JSON.stringify({ path, question, settings: settings(slow), stateFile });
        const node = spawn(process.execPath, ['--input-type=module', '--eval', PROGRAM, given], { cwd: packageRoot, stdio: 'inherit' });
        await killed(node, slow, requests);
        const server = await modelServer(t);
        const child = command(path, question.artifact, server.url, stateFile);
        const printed: Buffer[] = [];
        child.stdout!.on('data', (chunk: Buffer) => printed.push(chunk));
        assert.equal(await new Promise((resolve) => child.once('close', resolve)), 0);
        check(JSON.parse(Buffer.concat(printed).toString()) as Answer, server.asked.length);
        assert.ok(!fs.existsSync(stateFile), 'it is removed with the answer');
    });

    test(`${what}: started by the command line, killed, finished in Node`, async (t) => {
        const { path, question, stateFile } = await folder(t, text);
        const slow = await modelServer(t, ...TWO_ANSWERS);
        await killed(command(path, question.artifact, slow.url, stateFile), slow, requests);
        const server = await modelServer(t);
        const tuckaway = await createTuckaway({ store: DirStore.open(path), contextWindow: 200_000 });
        const resumeFrom = fs.readFileSync(stateFile, 'utf8');
        check(await extract(tuckaway, question, { model: openaiModel(settings(server)), resumeFrom }), server.asked.length);
    });
}
