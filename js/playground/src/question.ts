/** A query to one of the consoles, as the values of its fields. It is saved in the address of the page. */

/** The fields of each console; the first one that a link sets is the query. */
const FIELDS = {
    read: ['unit', 'from', 'to', 'numbers', 'perPage'],
    grep: ['pattern', 'ignoreCase', 'fixedString', 'invert', 'eachMatch', 'before', 'after'],
    jq: ['filter', 'slurp', 'compact', 'raw'],
} as const;

export type ConsoleName = keyof typeof FIELDS;
export const CONSOLE_NAMES = Object.keys(FIELDS) as ConsoleName[];

export interface Question {
    console: ConsoleName;
    /** The fields that differ from their defaults, by name; `true` or `false` for a checkbox. */
    values: Readonly<Record<string, string>>;
}

/** Returns the question in an address. Fields of other consoles are ignored. */
export function questionFrom(address: URLSearchParams): Question | undefined {
    const name = CONSOLE_NAMES.find((each) => each === address.get('ask'));
    if (name === undefined) {
        return undefined;
    }
    const fields = FIELDS[name].filter((field) => address.has(field));
    return { console: name, values: Object.fromEntries(fields.map((field) => [field, address.get(field)!])) };
}

/** Writes a question to an address. */
export function writeQuestion(question: Question, address: URLSearchParams): void {
    address.set('ask', question.console);
    for (const [field, value] of Object.entries(question.values)) address.set(field, value);
}
