/**
 * The store and the token counter of a case. They behave as the case's script says, and record how they were
 * called.
 */

import { StoreError, type Artifact, type AsyncStore, type Expiry, type Store } from 'tuckaway';

import { asText, encoded, join } from './content.js';
import type { Json, JsonObject } from './json.js';
import { EPOCH, parseScript } from './script.js';

const encoder = new TextEncoder();

interface ScriptedArtifact {
    artifact: Artifact;
    /** What was appended; {@link contentOf} joins it. */
    chunks: Uint8Array[];
    sealed: boolean;
    /** The remaining data about it, if it has expired. */
    expired: { expiry: Expiry | undefined } | undefined;
    /** Created during the case, not present from the start. */
    fresh: boolean;
}

/** A scripted store and a scripted token counter, of one case after the other: all use the same instance. */
export class World implements Store {
    #script = parseScript().script;
    /** In the order of creation. */
    #kept: ScriptedArtifact[] = [];
    /** The number of calls of each method. */
    #calls = new Map<string, number>();
    #deleted: string[] = [];
    #minted = 0;
    #counted = 0;

    /** Becomes the world that a case's `store` and `tokens` describe. */
    become(store: Json | undefined, tokens: Json | undefined): void {
        const { script, present } = parseScript(store, tokens);
        this.#script = script;
        this.#kept = present.map(({ bytes, ...rest }) => ({ ...rest, chunks: [bytes], sealed: true, fresh: false }));
        this.#calls = new Map();
        this.#deleted = [];
        this.#minted = 0;
        this.#counted = 0;
    }

    create(tool: string, mediaType: string): string {
        this.#called('create');
        this.#minted += 1;
        const id = this.#script.lies.minted ?? `art_${slug(tool)}_${String(this.#minted).padStart(10, '0')}`;
        this.#kept.push({
            artifact: { id, tool, mediaType, sizeBytes: 0, lineCount: 0, createdAt: EPOCH + this.#minted },
            chunks: [],
            sealed: false,
            expired: undefined,
            fresh: true,
        });
        return id;
    }

    append(id: string, bytes: Uint8Array): void {
        this.#called('append');
        this.#open(id).chunks.push(bytes.slice());
    }

    seal(id: string, lineCount: number): Artifact {
        this.#called('seal');
        const kept = this.#open(id);
        kept.sealed = true;
        const sizeBytes = contentOf(kept).length;
        Object.assign(kept.artifact, { sizeBytes, lineCount });
        const { sealedSize, sealedId } = this.#script.lies;
        return { ...kept.artifact, sizeBytes: sealedSize ?? sizeBytes, id: sealedId ?? id };
    }

    stat(id: string): Artifact {
        this.#called('stat');
        const { artifact } = this.#sealed(id);
        return { ...artifact, id: this.#script.lies.statId ?? id };
    }

    read(id: string, offset: number, length: number): Uint8Array {
        this.#called('read');
        const bytes = contentOf(this.#sealed(id));
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

    listArtifacts(): Artifact[] {
        this.#called('list_artifacts');
        return this.#kept.filter(({ sealed, expired }) => sealed && expired === undefined).map(({ artifact }) => ({ ...artifact }));
    }

    delete(id: string): void {
        this.#called('delete');
        const at = this.#kept.findIndex(({ artifact }) => artifact.id === id);
        if (at < 0) {
            throw new StoreError('not_found');
        }
        this.#kept.splice(at, 1);
        this.#deleted.push(id);
    }

    count(text: string): number {
        this.#counted += 1;
        return this.#script.count(text, encoder.encode(text).length);
    }

    /** Returns the artifacts and counts after the case. Members without content are omitted. */
    after(): JsonObject {
        const fresh = this.#kept.filter((kept) => kept.fresh);
        const stored = Object.fromEntries(fresh.map((kept) => [kept.artifact.id, left(kept)]));
        return {
            ...(fresh.length > 0 && { stored }),
            ...(this.#deleted.length > 0 && { deleted: [...this.#deleted] }),
            ...(this.#counted > 0 && { counted: this.#counted }),
        };
    }

    /** Counts a call of a method, and fails if the script says so. */
    #called(method: string): void {
        const calls = (this.#calls.get(method) ?? 0) + 1;
        this.#calls.set(method, calls);
        const failure = this.#script.failures.get(method);
        if (failure !== undefined && (failure.at ?? calls) === calls) {
            throw failure.error();
        }
    }

    #sealed(id: string): ScriptedArtifact {
        const kept = this.#kept.find(({ artifact, sealed }) => artifact.id === id && sealed);
        if (kept === undefined) {
            throw new StoreError('not_found');
        }
        if (kept.expired !== undefined) {
            throw new StoreError('expired', 'expired', kept.expired);
        }
        return kept;
    }

    #open(id: string): ScriptedArtifact {
        const kept = this.#kept.find(({ artifact, sealed }) => artifact.id === id && !sealed);
        if (kept === undefined) {
            throw new StoreError('not_found');
        }
        return kept;
    }
}

/** Returns the ports of a world; each answer comes on a later turn of the event loop. */
export function asyncPorts(world: World): { store: AsyncStore; tokens: (text: string) => Promise<number> } {
    const delayed = <Args extends unknown[], Answer>(method: (...args: Args) => Answer) =>
        async (...args: Args): Promise<Answer> => {
            await laterTurn();
            return method.apply(world, args);
        };
    return {
        store: {
            create: delayed(world.create),
            append: delayed(world.append),
            seal: delayed(world.seal),
            stat: delayed(world.stat),
            read: delayed(world.read),
            listArtifacts: delayed(world.listArtifacts),
            delete: delayed(world.delete),
        },
        tokens: delayed(world.count),
    };
}

/** Waits for a later turn of the event loop. A timer would take a millisecond or more, in a page at least four. */
function laterTurn(): Promise<void> {
    return new Promise((resolve) => {
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = () => {
            port1.close();
            resolve();
        };
        port2.postMessage(undefined);
    });
}

/** Returns the content so far. */
function contentOf(kept: ScriptedArtifact): Uint8Array {
    const [first, ...more] = kept.chunks;
    const whole = first === undefined || more.length > 0 ? join(kept.chunks) : first;
    kept.chunks = [whole];
    return whole;
}

function left(kept: ScriptedArtifact): JsonObject {
    const { artifact, sealed } = kept;
    const bytes = contentOf(kept);
    return {
        tool: artifact.tool,
        media_type: artifact.mediaType,
        ...(sealed ? { line_count: artifact.lineCount } : { sealed: false }),
        content: asText(bytes) ?? encoded(bytes),
    };
}

/** Returns a tool's name as in ids: lowercase ASCII letters and digits, one `_` for each run of anything else. */
function slug(tool: string): string {
    const words = tool.toLowerCase().replace(/[^a-z0-9]+/g, '_').replace(/^_/, '');
    return words.slice(0, 49).replace(/_$/, '') || 'tool';
}
