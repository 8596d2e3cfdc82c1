// Measures how long process() takes for single files, and how much of it is the preview. Runs in Node and in a page, so
// it uses APIs of neither.

const RUNS = 15;

/** Returns for each file the median milliseconds of process(), of process() without a preview, and of JSON.parse. */
export async function measure(createTuckaway, files) {
    const tuckaway = await createTuckaway({ store: new SizesOnly(), contextWindow: 2_000 });
    const process = (text, previewBytes) => {
        const { decision } = tuckaway.process({ tool: 'tool', content: text }, {}, { previewBytes });
        if (decision.action !== 'artifact') {
            throw new Error(`not stored: ${decision.gate}`);
        }
    };
    return files.map(({ name, text }) => ({
        name,
        bytes: new TextEncoder().encode(text).length,
        whole: median(() => process(text, undefined)),
        bare: median(() => process(text, 0)),
        parse: name.endsWith('.json') ? median(() => parsed(text)) : undefined,
    }));
}

/** Returns what JSON.parse makes of a text: nothing of one that is not JSON whatever its name says. */
function parsed(text) {
    try {
        return JSON.parse(text);
    } catch {
        return undefined;
    }
}

function median(run) {
    const times = Array.from({ length: RUNS }, () => {
        const begun = performance.now();
        run();
        return performance.now() - begun;
    });
    return times.sort((a, b) => a - b)[Math.floor(RUNS / 2)];
}

/** A store that keeps only sizes: the bench does not measure stores. */
export class SizesOnly {
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
    list() {
        return [];
    }
    delete(id) {
        this.#sizes.delete(id);
    }
}
