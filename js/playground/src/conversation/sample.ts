/** A sample: an agent of Anthropic that looks for the cause of a failed build, in a small window. */

/** A window that the sample exceeds. */
export const SAMPLE_WINDOW = 10_000;

/** A model's answer about the sample, for a page that calls no model. */
export const SAMPLE_ANSWER = `<summary>
The user wants the build to pass again. It has failed since commit 3f2c1e9, because crates/net/src/retry.rs still calls
Backoff::next, which was renamed to Backoff::delay. Files 1 to 6 were read; none of the others uses Backoff.
</summary>`;

/** A model's answer about any other conversation. */
export const ANY_ANSWER = `<summary>
The summary that a model would write of the earlier messages.
</summary>`;

const FILES = ['lib', 'client', 'pool', 'tls', 'retry', 'dns', 'proxy', 'cookies'];

/** Returns the sample as the JSON of a request. */
export function sample(): string {
    const messages: object[] = [
        { role: 'user', content: 'The build has been red since this morning. Find out why, and fix it.' },
    ];
    const call = (n: number, name: string, input: object, text: string, output: string) => {
        const content = [
            { type: 'thinking', thinking: `Next: ${name}.`, signature: `c2lnbmF0dXJlIDA${n}` },
            { type: 'text', text },
            { type: 'tool_use', id: `toolu_${n}`, name, input },
        ];
        const result = { type: 'tool_result', tool_use_id: `toolu_${n}`, content: output };
        messages.push({ role: 'assistant', content }, { role: 'user', content: [result] });
    };
    call(0, 'ci_log', { job: 'build' }, 'First, the build log.', log());
    FILES.forEach((file, n) => {
        const path = `crates/net/src/${file}.rs`;
        call(n + 1, 'read_file', { path }, `Now ${path}.`, source(file));
    });
    messages.push({ role: 'assistant', content: [{ type: 'text', text: 'retry.rs calls a method that was renamed.' }] });
    messages.push({ role: 'user', content: 'Fix it, and run the tests.' });
    call(20, 'run', { command: 'cargo test -p net' }, 'I will rename the call and run the tests.', tests());
    messages.push({ role: 'assistant', content: [{ type: 'text', text: 'All tests pass. The build is green again.' }] });
    messages.push({ role: 'user', content: 'Thanks. Which files did you read?' });
    const tools = ['ci_log', 'read_file', 'run'].map((name) => ({
        name, description: `Runs ${name}.`, input_schema: { type: 'object', properties: {} },
    }));
    return JSON.stringify({ system: 'You fix builds. Read before you write.', tools, messages }, null, 1);
}

function log(): string {
    const lines = Array.from({ length: 160 }, (_, n) => `   Compiling dependency-${n} v1.${n % 40}.${n % 7}`);
    const error = [
        'error[E0599]: no method named `next` found for struct `Backoff`',
        '  --> crates/net/src/retry.rs:41:29',
        'error: could not compile `net` (lib) due to 1 previous error',
    ];
    return [...lines, ...error].join('\n');
}

function source(file: string): string {
    const lines = Array.from({ length: 70 }, (_, n) => [
        `/// Step ${n} of ${file}.`,
        `pub fn ${file}_${n}(state: &mut State) -> Result<u32, Error> {`,
        `    state.count(${n * 17})?.checked_add(${n}).ok_or(Error::Overflow)`,
        '}',
    ]);
    return lines.flat().join('\n');
}

function tests(): string {
    return Array.from({ length: 90 }, (_, n) => `test net::case_${n} ... ok`).join('\n');
}
