// Measures how long process() takes for single files, and how much of the time the preview takes. Runs in Node and in a
// page, so it uses no API that only one of them has.

const RUNS = 15;

/**
 * Rounds over all files before anything is measured: the engine optimizes a function only after it has run often, as in
 * an agent that has been running for a while. JSON.parse is compiled in advance. The duration of the first call in a
 * new process is returned as `first`.
 */
const WARM_UP_ROUNDS = 8;

/**
 * Returns for each file the median milliseconds of process(), of process() without a preview, and of JSON.parse. They
 * take turns, so that a momentarily busy machine affects all three.
 */
export async function measure(createTuckaway, files) {
    const tuckaway = await createTuckaway({ store: new SizesOnly(), contextWindow: 2_000 });
    const process = (text, previewBytes) => {
        const { decision } = tuckaway.process({ tool: 'tool', content: text }, {}, { previewBytes });
        if (decision.action !== 'artifact') {
            throw new Error(`not stored: ${decision.gate}`);
        }
    };
    const first = new Map(files.map(({ name, text }) => [name, time(() => process(text, undefined))]));
    for (let round = 1; round < WARM_UP_ROUNDS; round++) {
        files.forEach(({ text }) => process(text, undefined));
    }
    return files.map(({ name, text }) => {
        const [whole, bare, parse] = medians([
            () => process(text, undefined),
            () => process(text, 0),
            ...(name.endsWith('.json') ? [() => parsed(text)] : []),
        ]);
        return { name, bytes: new TextEncoder().encode(text).length, first: first.get(name), whole, bare, parse };
    });
}

/** Returns the result of JSON.parse for a text; undefined if it is not JSON, regardless of its name. */
function parsed(text) {
    try {
        return JSON.parse(text);
    } catch {
        return undefined;
    }
}

/** Returns the median milliseconds of each action. */
function medians(actions) {
    const rounds = Array.from({ length: RUNS }, () => actions.map(time));
    return actions.map((_, index) => rounds.map((times) => times[index]).sort((a, b) => a - b)[Math.floor(RUNS / 2)]);
}

function time(action) {
    const begun = performance.now();
    action();
    return performance.now() - begun;
}

/** A store that keeps only sizes: the bench does not measure stores. */
export class SizesOnly {
    /** As the package's stores do. */
    borrowsBytes = true;
    #sizes = new Map();
    create(tool, mediaType) {
        const id = `art_${this.#sizes.size}`;
        this.#sizes.set(id, { id, tool, mediaType, sizeBytes: 0, lineCount: 0, createdAt: 0 });
        return id;
    }
    append(id, bytes) {
        this.#sizes.get(id).sizeBytes += bytes.length;
    }
    seal(id, lineCount) {
        return Object.assign(this.#sizes.get(id), { lineCount });
    }
    stat(id) {
        return this.#sizes.get(id);
    }
    read() {
        return new Uint8Array();
    }
    listArtifacts() {
        return [];
    }
    delete(id) {
        this.#sizes.delete(id);
    }
}
