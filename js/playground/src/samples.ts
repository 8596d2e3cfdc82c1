/** Sample outputs, generated on demand: the same name and size always give the same bytes. */

import type { Question } from './question.js';

/** The available sizes, in bytes. */
export const SAMPLE_SIZES = [64_000, 1_000_000, 10_000_000, 50_000_000] as const;

/** The smallest size that a link may name. */
const MIN_BYTES = 1_000;

/** A question in words, and as a query. */
export interface Puzzle {
    words: string;
    question: Question;
}

/** A text made of parts: a head, as many items as fit, a tail. */
interface Sample {
    label: string;
    /** A tool that would have returned it. */
    tool: string;
    /** A question that its head and tail cannot answer, and a query that does. */
    puzzle: Puzzle;
    head: string;
    /** The separator between two items. */
    separator: string;
    tail: string;
    /** Returns an item. `isMiddle` is true for the item at the start of the second half. */
    item(random: Random, index: number, isMiddle: boolean): string;
}

/** Returns pseudo-random whole numbers below a limit, always in the same order (mulberry32). */
type Random = (below: number) => number;

function seeded(seed: number): Random {
    let state = seed;
    return (below) => {
        state = (state + 0x6d2b79f5) | 0;
        let mixed = Math.imul(state ^ (state >>> 15), state | 1);
        mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
        return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * below);
    };
}

const pick = <T>(random: Random, from: readonly T[]): T => from[random(from.length)] as T;
const padded = (value: number, width = 2): string => String(value).padStart(width, '0');
const hex = (random: Random, digits: number): string =>
    Array.from({ length: digits }, () => random(16).toString(16)).join('');
const clock = (seconds: number): string =>
    `${padded(Math.floor(seconds / 3600) % 24)}:${padded(Math.floor(seconds / 60) % 60)}:${padded(seconds % 60)}`;
const date = (days: number): string => `2026-03-${padded(1 + (days % 28))}`;
const timestamp = (seconds: number): string => `${date(Math.floor(seconds / 86_400))}T${clock(seconds)}Z`;

const FIRST = ['Ada', 'Grace', 'Linus', 'Margaret', 'Edsger', 'Barbara', 'Ken', 'Radia', 'Tony', 'Frances'];
const LAST = ['Lovelace', 'Hopper', 'Hamilton', 'Liskov', 'Perlman', 'Dijkstra', 'Allen', 'Hoare', 'Thompson'];
const CITIES = ['Lisbon', 'Oslo', 'Kyoto', 'Nairobi', 'Montréal', 'Kraków', 'São Paulo', 'Wellington'];
const PLANS = ['free', 'team', 'enterprise'];
const CRATES = ['serde', 'tokio', 'regex', 'bytes', 'hyper', 'tracing', 'rustls', 'indexmap', 'memchr', 'clap'];
const PATHS = ['/v1/orders', '/v1/orders/{id}', '/v1/users/me', '/healthz', '/v1/search', '/v1/invoices'];
const CLAUSES = [
    '系统会把完整的输出保存在本地', '模型只需要读取一个很小的摘要', '查询按行或按模式返回结果', '上下文窗口的余量由网关控制',
    '大きな出力は保管庫に移されます', '要約だけが文脈に残ります', '큰 출력은 저장소에 보관됩니다', '필요한 줄만 다시 읽을 수 있습니다',
];

export const SAMPLES = {
    rows: {
        label: 'SQL rows',
        tool: 'sql_query',
        puzzle: {
            words: 'How many customers are suspended?',
            question: { console: 'jq', values: { filter: '[.rows[] | select(.suspended_at)] | length' } },
        },
        head: '{"database":"billing","query":"select * from customers order by id","rows":[\n',
        separator: ',\n',
        tail: '\n],"truncated":false}\n',
        item: (random, index) => {
            const [first, last] = [pick(random, FIRST), pick(random, LAST)];
            return JSON.stringify({
                id: 1001 + index,
                name: `${first} ${last}`,
                email: random(20) === 0 ? null : `${first}.${last}${random(900)}@example.com`.toLowerCase(),
                city: pick(random, CITIES),
                plan: pick(random, PLANS),
                balance: random(2_000_000) / 100,
                ...(random(12) === 0 ? { suspended_at: timestamp(random(2_000_000)) } : {}),
            });
        },
    },
    events: {
        label: 'NDJSON events',
        tool: 'fetch_logs',
        puzzle: {
            words: 'How many requests failed with status 500?',
            question: { console: 'jq', values: { filter: 'map(select(.status == 500)) | length', slurp: 'true' } },
        },
        head: '',
        separator: '\n',
        tail: '\n',
        item: (random, index) => {
            const status = pick(random, [200, 200, 200, 200, 201, 204, 304, 404, 500]);
            return JSON.stringify({
                time: timestamp(index * 3 + random(3)),
                level: status === 500 ? 'error' : status === 404 ? 'warn' : 'info',
                request: {
                    id: hex(random, 12), method: pick(random, ['GET', 'GET', 'POST']), path: pick(random, PATHS),
                },
                status,
                ms: status === 500 ? 2000 + random(3000) : 1 + random(120),
                ...(status === 500 ? { error: 'upstream timed out after 2 attempts' } : {}),
            });
        },
    },
    build: {
        label: 'Build log, failed',
        tool: 'run_command',
        puzzle: {
            words: 'Which line of which file broke the build?',
            question: { console: 'grep', values: { pattern: '^ +--> ' } },
        },
        head: '$ cargo test --workspace\n    Updating crates.io index\n',
        separator: '\n',
        tail: '\nwarning: build failed, waiting for other jobs to finish...\n',
        item: (random, index, isMiddle) => {
            const crate = `${pick(random, CRATES)}-${pick(random, ['core', 'macros', 'util', 'derive', 'sys'])}`;
            if (isMiddle) {
                return [
                    'error[E0308]: mismatched types',
                    '   --> ledger/src/settle.rs:214:31',
                    '    |',
                    '214 |         let due = invoice.total - payment;',
                    '    |                                   ^^^^^^^ expected `Decimal`, found `Option<Decimal>`',
                    '    |',
                    'error: could not compile `ledger` (lib test) due to 1 previous error',
                ].join('\n');
            }
            const version = `v${random(3)}.${random(40)}.${random(12)}`;
            return `[${clock(Math.floor(index / 7))}] ${pick(random, [
                `   Compiling ${crate} ${version}`,
                `  Downloaded ${crate} ${version}`,
                `       Fresh ${crate} ${version}`,
                `     Running tests/${crate}.rs (target/debug/deps/${crate}-${hex(random, 16)})`,
                `test ${crate.replace('-', '::')}::case_${random(400)} ... ok`,
            ])}`;
        },
    },
    csv: {
        label: 'CSV export',
        tool: 'export_report',
        puzzle: {
            words: 'How many orders went to Oslo?',
            question: { console: 'jq', values: { filter: 'map(select(.city == "Oslo")) | length' } },
        },
        head: 'order_id,ordered_at,customer,city,quantity,unit_price,total,note\n',
        separator: '\n',
        tail: '\n',
        item: (random, index) => {
            const [quantity, cents] = [1 + random(12), 199 + random(9_000)];
            const note = random(15) === 0 ? '"gift, ""handle with care"""' : '';
            return [
                `A-${padded(index + 1, 7)}`, timestamp(index * 41), `${pick(random, FIRST)} ${pick(random, LAST)}`,
                pick(random, CITIES), quantity,
                (cents / 100).toFixed(2), ((quantity * cents) / 100).toFixed(2), note,
            ].join(',');
        },
    },
    line: {
        label: 'One long line',
        tool: 'read_file',
        puzzle: {
            words: 'How many functions call filter?',
            question: { console: 'grep', values: { pattern: 'e.filter(', fixedString: 'true', eachMatch: 'true' } },
        },
        head: '!function(){"use strict";',
        separator: '',
        tail: '}();',
        item: (random, index) =>
            `var ${hex(random, 2).replace(/^\d/, 'x')}${index.toString(36)}=function(e,t)` +
            `{return e.${pick(random, ['map', 'filter', 'reduce', 'find'])}` +
            `(function(n){return n.${pick(random, ['id', 'key', 'size', 'next'])}===t[${random(64)}]})` +
            `||"${hex(random, 8)}"};`,
    },
    prose: {
        label: 'CJK text',
        tool: 'fetch_page',
        puzzle: {
            words: 'How many lines mention 큰 출력 (“large output”)?',
            question: { console: 'grep', values: { pattern: '큰 출력' } },
        },
        head: '',
        separator: '',
        tail: '\n',
        item: (random, index) => `${pick(random, CLAUSES)}${index % 6 === 5 ? '。\n' : '，'}`,
    },
} satisfies Record<string, Sample>;

export type SampleName = keyof typeof SAMPLES;
export const SAMPLE_NAMES = Object.keys(SAMPLES) as SampleName[];

/** The sample that first-time visitors see. */
export const DEFAULT_SAMPLE = { sample: 'build', bytes: SAMPLE_SIZES[1] } as const;

/** Returns the sample that an address names, if it names one. */
export function sampleFrom(address: URLSearchParams): { sample: SampleName; bytes: number } | undefined {
    const sample = SAMPLE_NAMES.find((name) => name === address.get('sample'));
    const bytes = Math.round(Number(address.get('size') ?? DEFAULT_SAMPLE.bytes));
    const isSize = bytes >= MIN_BYTES && bytes <= SAMPLE_SIZES.at(-1)!;
    return sample && { sample, bytes: isSize ? bytes : DEFAULT_SAMPLE.bytes };
}

/** Returns a sample of about this many UTF-8 bytes, with at least one item. */
export function makeSample(name: SampleName, bytes: number): Uint8Array<ArrayBuffer> {
    const sample: Sample = SAMPLES[name];
    const random = seeded(42);
    const encoder = new TextEncoder();
    const tail = encoder.encode(sample.tail);
    const made = new Uint8Array(bytes + 4_096);
    let length = encoder.encodeInto(sample.head, made).written;
    let inFirstHalf = true;
    for (let index = 0; length + tail.length < bytes || index === 0; index += 1) {
        const isMiddle: boolean = inFirstHalf && length >= bytes / 2;
        inFirstHalf &&= !isMiddle;
        const item = (index === 0 ? '' : sample.separator) + sample.item(random, index, isMiddle);
        length += encoder.encodeInto(item, made.subarray(length)).written;
    }
    made.set(tail, length);
    return made.subarray(0, length + tail.length);
}
