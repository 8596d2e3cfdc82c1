/** Programs of users. Each stores a promise of its answer in `globalThis.answer`, unless it ends otherwise. */

/** The answer of every program. */
export const ANSWER = 'artifact: row 19999';

const program = (imports: string, body: string, ending = 'globalThis.answer = run().catch(String);') => `
    ${imports}
    const rows = Array.from({ length: 20_000 }, (_, id) => ({ id, name: 'row ' + id }));
    const run = async () => {${body}};
    ${ending}
`;

/** Ends a program for workerd, which does not let modules ask for random bytes while they load. */
export const WORKERD_TEST = 'export default { async test() { console.log(await run()); } };';

/** Ends a program for Next, which runs a static route while it builds. */
export const NEXT_ROUTE = "export const dynamic = 'force-static'; export const GET = async () => new Response(await run());";

/** Returns a program that stores an output and queries it. */
export const single = (entry: string, options = '', ending?: string) =>
    program(
        `import { createTuckaway } from '${entry}';`,
        `
        const tuckaway = await createTuckaway({ contextWindow: 8000, ${options} });
        const view = await tuckaway.process({ tool: 'sql', content: JSON.stringify(rows) });
        const { text } = await tuckaway.jq(view.artifacts[0].id, '.[19999].name', { raw: true });
        return view.decision.action + ': ' + text.trim();
    `,
        ending,
    );

/** Returns a program that stores and queries a tool's output in each of the agent loops, with a tuckaway of `entry`. */
export const agents = (entry: string, options = '') =>
    program(
        `
    import { createTuckaway } from '${entry}';
    import { offloadTools } from 'tuckaway/ai-sdk';
    import { runToolCalls } from 'tuckaway/anthropic';
    import { runChatToolCalls } from 'tuckaway/openai';
    `,
        `
        const tuckaway = await createTuckaway({ contextWindow: 8000, ${options} });
        const sql = () => rows;
        const tools = await offloadTools(tuckaway, { sql: { execute: sql } });
        const loops = [
            async (name, input) => {
                const call = { id: '1', type: 'function', function: { name, arguments: JSON.stringify(input) } };
                const completion = { choices: [{ message: { tool_calls: [call] } }] };
                return (await runChatToolCalls(tuckaway, completion, { sql }))[0].content;
            },
            async (name, input) => {
                const message = { content: [{ type: 'tool_use', id: '1', name, input }] };
                return (await runToolCalls(tuckaway, message, { sql }))[0].content;
            },
            async (name, input) => {
                const output = await tools[name].execute(input, { toolCallId: '1', messages: [] });
                return (await tools[name].toModelOutput({ toolCallId: '1', input, output })).value;
            },
        ];
        const answers = new Set();
        for (const ask of loops) {
            const { artifact_id } = JSON.parse(await ask('sql', {}));
            const text = await ask('artifact_jq', { artifact_id, filter: '.[19999].name', raw: true });
            answers.add('artifact: ' + text.trim());
        }
        return [...answers].join();
    `,
    );

/** A program that prints how many checks of the contract of stores have passed, unless one fails. */
export const STORES = `
    import { DirStore, MemoryStore, mint } from 'tuckaway';
    import { limitsContract, sessionsContract, sharingContract, storeContract } from 'tuckaway/store-contract';
    const path = () => 'outputs/' + mint('store');
    const contract = (empty) => ({ ...storeContract(empty), ...limitsContract(empty), ...sessionsContract(empty) });
    const contracts = {
        MemoryStore: contract((options) => new MemoryStore(options)),
        DirStore: {
            ...contract((options) => DirStore.open(path(), options)),
            ...sharingContract(() => DirStore.open.bind(undefined, path())),
        },
    };
    let passed = 0;
    for (const [store, checks] of Object.entries(contracts)) {
        for (const [name, check] of Object.entries(checks)) {
            await check().catch((cause) => { throw new Error(store + ': ' + name, { cause }); });
            passed += 1;
        }
    }
    console.log(passed + ' checks passed');
`;

/** Appended to a program that runs in Node. */
export const PRINT = 'globalThis.answer.then(console.log);';
