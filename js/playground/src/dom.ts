/** The little that is needed of the document. */

type Child = Node | string | null | undefined | false;
type Attributes = Record<string, string | number | boolean | null | undefined | ((event: never) => void)>;

/** An element: attributes by name, `true` for those without a value, listeners as `onclick`; then its children. */
export function element<Tag extends keyof HTMLElementTagNameMap>(
    tag: Tag,
    attributes: Attributes = {},
    ...children: Child[]
): HTMLElementTagNameMap[Tag] {
    const made = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) {
        if (typeof value === 'function') {
            made.addEventListener(name.slice(2), value as EventListener);
        } else if (value !== null && value !== undefined && value !== false) {
            made.setAttribute(name, value === true ? '' : String(value));
        }
    }
    made.append(...children.filter((child) => child !== null && child !== undefined && child !== false));
    return made;
}

/** The element of the page with this id. */
export function byId<Type extends HTMLElement = HTMLElement>(id: string): Type {
    const found = document.getElementById(id);
    if (found === null) {
        throw new Error(`the page has no element #${id}`);
    }
    return found as Type;
}

/** A value of localStorage; none where the browser keeps none. */
export function remembered(name: string): string | null {
    try {
        return localStorage.getItem(`tuckaway.${name}`);
    } catch {
        return null;
    }
}

/** Keeps a value in localStorage, or forgets it; where the browser keeps none, nothing happens. */
export function remember(name: string, value: string | null): void {
    try {
        if (value === null) {
            localStorage.removeItem(`tuckaway.${name}`);
        } else {
            localStorage.setItem(`tuckaway.${name}`, value);
        }
    } catch {
        // Storage is full or forbidden: what would have been remembered is only a convenience.
    }
}
