/** The waits before a request is sent again: exponential backoff with jitter, and `Retry-After`. */

/**
 * Returns the wait in milliseconds before retry `attempt`, counted from 1. The cap also applies to the server's wish.
 */
export function waitMs(attempt: number, firstMs: number, capMs: number, wishMs: number | undefined): number {
    if (wishMs !== undefined) {
        return Math.min(wishMs, capMs);
    }
    // Shortened by up to a half, so that clients that failed together do not retry together.
    return Math.min(firstMs * 2 ** (attempt - 1), capMs) * (1 - Math.random() / 2);
}

const HTTP_DATE = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;

/** Parses the header `Retry-After`: seconds, or a date. A date in the past asks for no wait. */
export function retryAfterMs(header: string | null, now: number): number | undefined {
    const value = header?.trim() ?? '';
    if (/^\d+(\.\d+)?$/.test(value)) {
        return Number(value) * 1_000;
    }
    const date = HTTP_DATE.test(value) ? Date.parse(value) : NaN;
    return Number.isNaN(date) ? undefined : Math.max(date - now, 0);
}

/** Waits, unless the signal aborts: then it throws the signal's reason. */
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
