/**
 * What a case gives the component to deal with: a store and a token counter that do what the case's script
 * says, and remember what they were asked.
 */

import { StoreError, type Artifact, type AsyncStore, type Store } from 'tuckaway';

import { asText, encoded, join } from './content.js';
import type { Json, JsonObject } from './json.js';
import { EPOCH, parseScript, type Script } from './script.js';

const encoder = new TextEncoder();

interface Kept {
    artifact: Artifact;
    bytes: Uint8Array;
    sealed: boolean;
    expired: boolean;
    /** Made during the case, not there from the start. */
    fresh: boolean;
}

/** A scripted store and a scripted token counter. */
export class World implements Store {
    readonly #script: Script;
    /** In the order of their making. */
    readonly #kept: Kept[];
    /** How often each method was asked. */
    readonly #asked = new Map<string, number>();
    readonly #deleted: string[] = [];
    #minted = 0;
    #counted = 0;

    /** A world as a case's `store` and `tokens` describe it. */
    constructor(store: Json | undefined, tokens: Json | undefined) {
        const { script, present } = parseScript(store, tokens);
        this.#script = script;
        this.#kept = present.map((artifact) => ({ ...artifact, sealed: true, fresh: false }));
    }

    create(tool: string, mediaType: string): string {
        this.#ask('create');
        this.#minted += 1;
        const id = this.#script.lies.minted ?? `art_${slug(tool)}_${String(this.#minted).padStart(10, '0')}`;
        this.#kept.push({
            artifact: { id, tool, mediaType, sizeBytes: 0, lineCount: 0, createdAt: EPOCH + this.#minted },
            bytes: new Uint8Array(),
            sealed: false,
            expired: false,
            fresh: true,
        });
        return id;
    }

    append(id: string, bytes: Uint8Array): void {
        this.#ask('append');
        const kept = this.#open(id);
        kept.bytes = join([kept.bytes, bytes]);
    }

    seal(id: string, lineCount: number): Artifact {
        this.#ask('seal');
        const kept = this.#open(id);
        kept.sealed = true;
        Object.assign(kept.artifact, { sizeBytes: kept.bytes.length, lineCount });
        const { sealedSize, sealedId } = this.#script.lies;
        return { ...kept.artifact, sizeBytes: sealedSize ?? kept.bytes.length, id: sealedId ?? id };
    }

    stat(id: string): Artifact {
        this.#ask('stat');
        const { artifact } = this.#sealed(id);
        return { ...artifact, id: this.#script.lies.statId ?? id };
    }

    read(id: string, offset: number, length: number): Uint8Array {
        this.#ask('read');
        const { bytes } = this.#sealed(id);
        const honest = bytes.slice(offset, offset + length);
        switch (this.#script.lies.read) {
            case 'one_byte':
                return honest.slice(0, 1);
            case 'empty':
                return new Uint8Array();
            case 'too_long':
                return join([bytes.subarray(offset), encoder.encode('more')]);
            case 'wrong':
                return honest.fill('?'.charCodeAt(0));
            case undefined:
                return honest;
        }
    }

    list(): Artifact[] {
        this.#ask('list');
        return this.#kept.filter(({ sealed, expired }) => sealed && !expired).map(({ artifact }) => ({ ...artifact }));
    }

    delete(id: string): void {
        this.#ask('delete');
        const at = this.#kept.findIndex(({ artifact }) => artifact.id === id);
        if (at < 0) {
            throw new StoreError('not-found');
        }
        this.#kept.splice(at, 1);
        this.#deleted.push(id);
    }

    count(text: string): number {
        this.#counted += 1;
        return this.#script.count(text, encoder.encode(text).length);
    }

    /** What the case left behind. Only what there is to say. */
    after(): JsonObject {
        const fresh = this.#kept.filter((kept) => kept.fresh);
        const stored = Object.fromEntries(fresh.map((kept) => [kept.artifact.id, left(kept)]));
        return {
            ...(fresh.length > 0 && { stored }),
            ...(this.#deleted.length > 0 && { deleted: [...this.#deleted] }),
            ...(this.#counted > 0 && { counted: this.#counted }),
        };
    }

    /** Notes that a method was asked, and fails if the script says so. */
    #ask(method: string): void {
        const asked = (this.#asked.get(method) ?? 0) + 1;
        this.#asked.set(method, asked);
        const failure = this.#script.failures.get(method);
        if (failure !== undefined && (failure.at ?? asked) === asked) {
            throw failure.error();
        }
    }

    #sealed(id: string): Kept {
        const kept = this.#kept.find(({ artifact, sealed }) => artifact.id === id && sealed);
        if (kept === undefined || kept.expired) {
            throw new StoreError(kept === undefined ? 'not-found' : 'expired');
        }
        return kept;
    }

    #open(id: string): Kept {
        const kept = this.#kept.find(({ artifact, sealed }) => artifact.id === id && !sealed);
        if (kept === undefined) {
            throw new StoreError('not-found');
        }
        return kept;
    }
}

/** A world whose every answer comes on a later turn of the event loop. */
export function later(world: World): { store: AsyncStore; tokens: (text: string) => Promise<number> } {
    const put = <Args extends unknown[], Answer>(method: (...args: Args) => Answer) =>
        async (...args: Args): Promise<Answer> => {
            await new Promise((resolve) => setTimeout(resolve));
            return method.apply(world, args);
        };
    return {
        store: {
            create: put(world.create),
            append: put(world.append),
            seal: put(world.seal),
            stat: put(world.stat),
            read: put(world.read),
            list: put(world.list),
            delete: put(world.delete),
        },
        tokens: put(world.count),
    };
}

function left({ artifact, bytes, sealed }: Kept): JsonObject {
    return {
        tool: artifact.tool,
        media_type: artifact.mediaType,
        ...(sealed ? { line_count: artifact.lineCount } : { sealed: false }),
        content: asText(bytes) ?? encoded(bytes),
    };
}

/** A tool's name as ids show it: lowercase ASCII letters and digits, one `_` for each run of anything else. */
function slug(tool: string): string {
    const words = tool.toLowerCase().replace(/[^a-z0-9]+/g, '_').replace(/^_/, '');
    return words.slice(0, 49).replace(/_$/, '') || 'tool';
}
