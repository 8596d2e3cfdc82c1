/** Token counters that fail, return nonsense, or call tuckaway. */

import { MemoryStore, type TokenCounter } from 'tuckaway';

import { ok, same } from '../../support/expect.js';
import { open, refusesWith, type Tests } from './support.js';

/** An output that is counted: small enough for every gate except the headroom. */
const COUNTED = { tool: 'sql', content: 'x'.repeat(5_000) };
const TURN = { contextWindow: 10_000, usedTokens: 6_000 };

const NO_COUNTS = [NaN, -1, 1.5, 2 ** 53, Infinity, -Infinity, '5', 5n, null, undefined, {}, [5], true];

export const tests: Tests = {
    'an invalid number of tokens is reported, and estimated from bytes': async () => {
        for (const answer of NO_COUNTS) {
            const tuckaway = await open({ tokens: (() => answer) as unknown as TokenCounter });
            const { tokensEstimated, tokenCount, failures } = tuckaway.decide(COUNTED, TURN);
            same([tokensEstimated, tokenCount], [true, 1_250], `a count of ${String(answer)}`);
            same(failures.map(({ kind }) => kind), ['tokens'], `a count of ${String(answer)}`);
        }
    },

    'any thrown value is reported, and tokens are estimated from bytes': async () => {
        for (const thrown of [
            new Error('no vocabulary'), 'no vocabulary', { toString: () => 'no vocabulary' }, null,
            Object.create(null),
        ]) {
            const tuckaway = await open({
                tokens: () => {
                    throw thrown;
                },
            });
            const { tokensEstimated, failures } = tuckaway.decide(COUNTED, TURN);
            same([tokensEstimated, failures.length], [true, 1]);
            const isBare = thrown !== null && Object.getPrototypeOf(thrown) === null;
            const reason = thrown === null ? 'null' : isBare ? 'cannot be converted to text' : 'no vocabulary';
            ok(failures[0]?.message.includes(reason), failures[0]?.message ?? 'no failure');
        }
    },

    'a count of more tokens than bytes is rejected': async () => {
        const tuckaway = await open({ tokens: (text) => text.length + 1 });
        same(tuckaway.decide(COUNTED, TURN).tokensEstimated, true);
    },

    'the error for a promise names the counter and the remedy': async () => {
        for (const later of [Promise.resolve(5), Promise.reject(new Error('lost'))]) {
            const tuckaway = await open({ tokens: (() => later) as unknown as TokenCounter });
            await refusesWith('invalid_input', ['token counter', 'promise', 'tuckaway/async'], () =>
                tuckaway.decide(COUNTED, TURN));
        }
    },

    'a counter can call the tuckaway that calls it': async () => {
        const seen: string[] = [];
        const tuckaway = await open({
            tokens: (text) => {
                const first = tuckaway.listArtifacts()[0];
                if (first !== undefined) {
                    seen.push(tuckaway.read(first.id, { lines: { start: 1, end: 1 } }).text);
                    seen.push(tuckaway.process({ tool: 'inner', content: 'from within' }).text);
                }
                return Math.ceil(text.length / 4);
            },
        });
        const view = tuckaway.process({ tool: 'outer', content: 'first line\n'.repeat(50_000) });
        same(view.decision.action, 'artifact');
        same(tuckaway.decide(COUNTED, TURN).tokenCount, 1_250);
        same(seen, ['first line\n', 'from within']);
    },

    'a store can call the tuckaway that calls it': async () => {
        const store = new MemoryStore();
        let shape = '';
        const append = store.append.bind(store);
        store.append = (id, bytes) => {
            shape = tuckaway.inferShape(new TextDecoder().decode(bytes.subarray(0, 12))).mediaType;
            append(id, bytes);
        };
        const tuckaway = await open({ store, policy: { keepAll: true } });
        const view = tuckaway.process({ tool: 'sql', content: '{"rows": []}' });
        same([shape, view.text], ['application/json', '{"rows": []}']);
        same(new TextDecoder().decode(store.read(view.artifacts[0]?.id ?? '', 0, 99)), '{"rows": []}');
    },
};
