/** Calls a callback for logs. An exception or a rejection of the callback never loses an output. */
export function notify<Args extends unknown[]>(
    callback: ((...args: Args) => unknown) | undefined,
    ...args: Args
): void {
    (async () => callback?.(...args))().catch(() => undefined);
}
