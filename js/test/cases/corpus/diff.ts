/** Differences between expected and actual results, for people. */

/** Lines of context around a difference. */
const CONTEXT = 2;
/** Longer differences are truncated: the first lines suffice. */
const MAX_LINES = 60;

/** Returns the lines that differ, `-` expected and `+` actual, with some context. */
export function difference(expected: string, actual: string): string {
    const [wanted, found] = [expected.split('\n'), actual.split('\n')];
    const shorter = Math.min(wanted.length, found.length);
    let head = 0;
    while (head < shorter && wanted[head] === found[head]) {
        head += 1;
    }
    let tail = 0;
    while (tail < shorter - head && wanted.at(-1 - tail) === found.at(-1 - tail)) {
        tail += 1;
    }
    const around = (sign: string, lines: string[]) => lines.map((line) => `    ${sign} ${line}`);
    const end = wanted.length - tail;
    const shown = [
        ...around(' ', wanted.slice(Math.max(head - CONTEXT, 0), head)),
        ...around('-', wanted.slice(head, end)),
        ...around('+', found.slice(head, found.length - tail)),
        ...around(' ', wanted.slice(end, end + CONTEXT)),
    ];
    const omitted = shown.length - MAX_LINES;
    return [...shown.slice(0, MAX_LINES), ...(omitted > 0 ? [`    … ${omitted} more lines`] : [])].join('\n');
}
