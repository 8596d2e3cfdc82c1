/** When a request is sent again: exponential backoff with jitter, and `Retry-After`. */

/** Returns how many milliseconds to wait before an attempt, the second one being 1. The cap holds for the server's wish, too. */
export function waitMs(attempt: number, firstMs: number, capMs: number, wishMs: number | undefined): number {
    if (wishMs !== undefined) {
        return Math.min(wishMs, capMs);
    }
    // Shorter by up to a half, so that clients that failed together do not return together.
    return Math.min(firstMs * 2 ** (attempt - 1), capMs) * (1 - Math.random() / 2);
}

const HTTP_DATE = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;

/** Reads the header `Retry-After`: seconds, or a date. A date that has passed asks for no wait. */
export function retryAfterMs(header: string | null, now: number): number | undefined {
    const value = header?.trim() ?? '';
    if (/^\d+(\.\d+)?$/.test(value)) {
        return Number(value) * 1_000;
    }
    const date = HTTP_DATE.test(value) ? Date.parse(value) : NaN;
    return Number.isNaN(date) ? undefined : Math.max(date - now, 0);
}

/** Waits, unless the signal ends it: then it throws the signal's reason. */
export function sleep(ms: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
        signal.throwIfAborted();
        const stop = () => {
            clearTimeout(timer);
            reject(signal.reason as Error);
        };
        const timer = setTimeout(() => {
            signal.removeEventListener('abort', stop);
            resolve();
        }, ms);
        signal.addEventListener('abort', stop, { once: true });
    });
}
