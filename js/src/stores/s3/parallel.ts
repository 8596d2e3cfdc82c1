/** Parallel requests, limited in number. */

/** Maximum concurrent requests. */
const AT_ONCE = 16;

/**
 * Calls an action for each item, with at most 16 calls in parallel, and returns the results in order. Throws the first
 * error.
 */
export async function inParallel<T, R>(items: readonly T[], action: (item: T) => Promise<R>): Promise<R[]> {
    const results = new Array<R>(items.length);
    let next = 0;
    const run = async () => {
        while (next < items.length) {
            const index = next;
            next += 1;
            try {
                results[index] = await action(items[index] as T);
            } catch (error) {
                // The other workers begin nothing more.
                next = items.length;
                throw error;
            }
        }
    };
    await Promise.all(Array.from({ length: Math.min(AT_ONCE, items.length) }, run));
    return results;
}
