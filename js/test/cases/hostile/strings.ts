/**
 * Strings that are not well-formed: lone surrogates are stored exactly, as their three bytes in WTF-8, and shown as
 * U+FFFD. (For a leading BOM, see `cases/text/bom.json`.)
 */

import { MemoryStore } from 'tuckaway';

import { ok, same } from '../../support/expect.js';
import { open, refusesWith, storeWith, type Tests } from './support.js';

/** Strings, each with the bytes that are stored for it. */
const STRINGS: [given: string, hex: string][] = [
    ['\ud800', 'ed a0 80'],
    ['\udbff', 'ed af bf'],
    ['\udc00', 'ed b0 80'],
    ['\udfff', 'ed bf bf'],
    ['a\ud83d', '61 ed a0 bd'],
    ['\ude00a', 'ed b8 80 61'],
    ['\ude00\ud83d', 'ed b8 80 ed a0 bd'],
    ['\ud83d\ud83d\ude00', 'ed a0 bd f0 9f 98 80'],
    ['\ud83d\ude00\ude00', 'f0 9f 98 80 ed b8 80'],
    ['é\ud800漢\udfff\u{1f600}\ufffd', 'c3 a9 ed a0 80 e6 bc a2 ed bf bf f0 9f 98 80 ef bf bd'],
    ['\ufeff\ud800', 'ef bb bf ed a0 80'],
];

function hex(bytes: Uint8Array): string {
    return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join(' ');
}

/** Encodes WTF-8 by its definition: UTF-8 of all code points, including lone surrogates. */
function wtf8(text: string): Uint8Array {
    return Uint8Array.from(Array.from(text).flatMap((character) => {
        const code = character.codePointAt(0) ?? 0;
        const tail = (shift: number) => 0x80 | ((code >> shift) & 0x3f);
        if (code < 0x80) {
            return [code];
        }
        if (code < 0x800) {
            return [0xc0 | (code >> 6), tail(0)];
        }
        return code < 0x10000
            ? [0xe0 | (code >> 12), tail(6), tail(0)]
            : [0xf0 | (code >> 18), tail(12), tail(6), tail(0)];
    }));
}

/** Returns the displayed form of bytes: each byte that is not part of a character becomes U+FFFD. */
function shown(bytes: Uint8Array): string {
    return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
}

/** Generates strings with many surrogates, the same ones in each run: each unchanged, and well-formed. */
function* randomStrings(count: number): Generator<string> {
    let state = 1;
    const below = (bound: number) => {
        state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
        return (state >>> 8) % bound;
    };
    const units = [
        () => 0xd800 + below(0x400), () => 0xdc00 + below(0x400), () => below(0x80), () => below(0xd800),
        () => 0xe000 + below(0x2000),
    ];
    for (let made = 0; made < count; made += 1) {
        const any = String.fromCharCode(...Array.from({ length: 1 + below(40) }, () => units[below(units.length)]!()));
        yield any;
        yield any.toWellFormed();
    }
}

export const tests: Tests = {
    'lone surrogates are stored exactly, and shown': async () => {
        const store = new MemoryStore();
        const tuckaway = await open({ store, policy: { keepAll: true } });
        for (const [given, stored] of STRINGS) {
            const { text, artifacts, decision } = tuckaway.process({ tool: 'sql', content: given });
            const id = artifacts[0]?.id ?? '';
            const bytes = store.read(id, 0, 99);
            same([hex(bytes), decision.sizeBytes], [stored, bytes.length], 'what is stored');
            const found = tuckaway.grep(id, '').matches[0]?.text;
            const wanted = shown(bytes);
            // A byte order mark is not part of the first line that grep searches.
            same([text, tuckaway.read(id).text, found], [wanted, wanted, wanted.replace(/^\ufeff/, '')], stored);
            ok(text.isWellFormed() && text.includes('\ufffd'), `${stored} is shown as ${text}`);
        }
    },

    'strings of any code units are stored exactly': async () => {
        const store = new MemoryStore();
        const tuckaway = await open({ store, policy: { keepAll: true } });
        for (const given of randomStrings(500)) {
            const { text, artifacts } = tuckaway.process({ tool: 'sql', content: given });
            const bytes = store.read(artifacts[0]?.id ?? '', 0, 9_999);
            same(hex(bytes), hex(wtf8(given)));
            same(tuckaway.process({ tool: 'sql', content: bytes }).text, text, 'the view of the bytes');
            // With NULs and little valid UTF-8, the content is binary.
            if (!/^\[binary output of \d+ bytes, not shown\]$/.test(text)) same(text, shown(bytes));
        }
    },

    'a long string is stored exactly': async () => {
        const store = new MemoryStore();
        const tuckaway = await open({ store });
        const any = [...randomStrings(20_000)].join('\n');
        for (const content of [any, any.toWellFormed()]) {
            const { text, artifacts } = tuckaway.process({ tool: 'sql', content });
            const { id = '', sizeBytes = 0 } = artifacts[0] ?? {};
            const [stored, wanted] = [store.read(id, 0, sizeBytes), wtf8(content)];
            ok(stored.length === wanted.length && stored.every((byte, index) => byte === wanted[index]), 'the stored bytes differ');
            ok(text.isWellFormed(), 'the view is not well-formed');
        }
    },

    'JSON with a lone surrogate is recognized as JSON': async () => {
        const tuckaway = await open({ policy: { keepAll: true } });
        for (const content of ['{"a": "\ud800"}', '{"a": "\\ud800"}']) {
            const artifact = tuckaway.process({ tool: 'sql', content }).artifacts[0];
            same(artifact?.mediaType, 'application/json', content);
            ok(/^"\ufffd+"\n$/.test(tuckaway.jq(artifact?.id ?? '', '.a').text), content);
        }
    },

    'in text, a lone surrogate becomes U+FFFD': async () => {
        const tuckaway = await open({ policy: { keepAll: true } });
        same(tuckaway.truncate('a\ud800b', 512), 'a\ufffdb');
        same(tuckaway.inferShape('{"\ud800": 1}').json, '{"\ufffd": "integer, 1"}');
        const [artifact] = tuckaway.process({ tool: '\ud800', content: '{"a": "\ufffd"}' }).artifacts;
        same(artifact?.tool, '\ufffd');
        const id = artifact?.id ?? '';
        same(tuckaway.grep(id, '\ud800').total, 1);
        same(tuckaway.jq(id, '.a == "\ud800"').text, 'true\n');
        const policy = { overrides: [{ tools: '\udfff*', exempt: true }] };
        same(tuckaway.decide({ tool: '\ud800x', content: 'x' }, {}, policy).matchedOverride, '\ufffd*');
        await refusesWith('invalid_input', ['\ufffd'], () => tuckaway.callTool('\ud800', {}));
        await refusesWith('invalid_input', ['\ufffd'], () => tuckaway.read('\ud800'));
        const failing = await open({
            policy: { keepAll: true },
            store: storeWith({
                create: () => {
                    throw new Error('no \ud800');
                },
            }),
        });
        const message = failing.process({ tool: 'sql', content: 'x' }).decision.failures[0]?.message ?? '';
        ok(message.includes('no \ufffd'), message);
    },

    'bytes that are not UTF-8 are stored unchanged': async () => {
        const store = new MemoryStore();
        const tuckaway = await open({ store, policy: { keepAll: true } });
        const content = Uint8Array.from({ length: 256 }, (_, byte) => byte);
        const { text, artifacts } = tuckaway.process({ tool: 'sql', content, mediaType: 'text/plain' });
        same(store.read(artifacts[0]?.id ?? '', 0, 999), content);
        ok(text.isWellFormed(), 'the view is not well-formed');
        same(tuckaway.truncate(Uint8Array.of(0xef, 0xbb, 0xbf, 0xff), 512), '\ufeff\ufffd');
    },
};
