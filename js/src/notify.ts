/** Calls a callback for logs. No output is lost if it throws or rejects. */
export function notify<Args extends unknown[]>(
    callback: ((...args: Args) => unknown) | undefined,
    ...args: Args
): void {
    (async () => callback?.(...args))().catch(() => undefined);
}
