/**
 * A scripted model, which knows nothing but the text of the request. It searches for the passage in quotation marks
 * in the text to extract from. For a chunk or for extracts, it answers with the lines that contain the passage; with
 * `Read` and `Grep` it searches, reads the first line that was found, and answers with that line.
 */

/** The request that the model receives. */
export interface Ask {
    system: string;
    /** The texts of the user. */
    users: string[];
    /** The results of the model's calls. */
    results: string[];
    mayCall: boolean;
}

/** The answer of the model. */
export interface Said {
    text: string;
    calls: { name: string; input: object }[];
    isCut?: boolean;
}

/** Returns the nonce of the wrapper that a system prompt requires. */
export function nonceOf({ system }: Ask): string {
    return /.*<ai-agent-([A-Za-z0-9]+)-FINAL/s.exec(system)?.[1] ?? '';
}

export function wrapped(nonce: string, content: string): string {
    return `Here it is.\n<ai-agent-${nonce}-FINAL format="text">\n${content}\n</ai-agent-${nonce}-FINAL>\n`;
}

export function answer(ask: Ask): Said {
    const wanted = /WHAT TO EXTRACT\n[^"]*"([^"]+)"/.exec(ask.system)?.[1] ?? 'nothing';
    const filename = /- Handle\/filename: (\S+)/.exec(ask.system)?.[1];
    if (ask.mayCall && ask.results.length === 0) {
        return { text: 'I search.', calls: [{ name: 'Grep', input: { filename, pattern: wanted } }] };
    }
    const line = Number(/^(\d+)[:@]/m.exec(ask.results[0] ?? '')?.[1]);
    if (ask.mayCall && ask.results.length === 1 && line > 0) {
        return { text: '', calls: [{ name: 'Read', input: { filename, offset: line - 1, limit: 1 } }] };
    }
    const given = ask.results.length > 0 ? ask.results : [...ask.users, ask.system.split('CHUNK OUTPUTS\n')[1] ?? ''];
    const lines = given.flatMap((text) => text.split('\n')).filter((each) => each.includes(wanted));
    const found = new Set(lines.map((each) => {
        const at = each.indexOf(wanted);
        return each.slice(Math.max(at - 80, 0), at + wanted.length + 80);
    }));
    const content = [...found].join('\n') || `NO RELEVANT DATA FOUND\nText without ${wanted}.`;
    return { text: wrapped(nonceOf(ask), content), calls: [] };
}
