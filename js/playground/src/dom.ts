/** Helpers for the document and for localStorage. */

type Child = Node | string | null | undefined | false;
type Attributes = Record<string, string | number | boolean | null | undefined | ((event: never) => void)>;

/** Creates an element from attributes (`true` for one without a value, `onclick` for a listener) and children. */
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

/** Returns the element of the page with this id. */
export function byId<Type extends HTMLElement = HTMLElement>(id: string): Type {
    const found = document.getElementById(id);
    if (found === null) {
        throw new Error(`the page has no element #${id}`);
    }
    return found as Type;
}

/** Returns a value from localStorage; null if it is missing, or if the browser has no storage. */
export function remembered(name: string): string | null {
    try {
        return localStorage.getItem(`tuckaway.${name}`);
    } catch {
        return null;
    }
}

/** Saves a value in localStorage, or removes it. Does nothing if the browser has no storage. */
export function remember(name: string, value: string | null): void {
    try {
        if (value === null) {
            localStorage.removeItem(`tuckaway.${name}`);
        } else {
            localStorage.setItem(`tuckaway.${name}`, value);
        }
    } catch {
        // Storage is full or not allowed. Saved values are only a convenience.
    }
}
