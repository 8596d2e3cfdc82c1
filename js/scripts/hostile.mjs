// Measures how long the filters of the corpus that are meant to run forever take with the default limits, and how they
// end. Runs in Node and in a page, so it uses no API that only one of them has.

/** Runs the filters one after the other; after each, a plain call must succeed. */
export async function measure(createTuckaway, cases) {
    const content = new TextEncoder().encode(cases.store.artifacts[0].content);
    const artifact = { id: 'art', tool: 'bench', mediaType: 'application/json', sizeBytes: content.length, lineCount: 1, createdAt: 0 };
    const refuse = () => {
        throw new Error('the bench only reads');
    };
    const store = {
        create: refuse, append: refuse, seal: refuse, delete: refuse,
        stat: () => artifact,
        read: (_, offset, length) => content.slice(Number(offset), Number(offset) + Number(length)),
        listArtifacts: () => [artifact],
    };
    const tuckaway = await createTuckaway({ store, contextWindow: 200_000 });
    const options = { maxBytes: 256, compact: true };
    tuckaway.jq('art', '.', options);
    return cases.cases.map(({ input: { filter } }) => {
        const begun = performance.now();
        let ended;
        try {
            ended = tuckaway.jq('art', filter, options).failure;
        } catch (error) {
            ended = error;
        }
        const ms = performance.now() - begun;
        tuckaway.jq('art', '.', options);
        return { filter, ms, ended: ended?.kind ?? 'an answer' };
    });
}
