/** Instances of the component, and the pool of idle ones. */

import type * as Types from '../generated/interfaces/tuckaway-context-types.js';
import type { Component, Instantiate, Modules } from './component.js';
import { failure } from './contract/answers.js';
import { Deadline } from './deadline.js';
import { TuckawayError, messageOf } from './error.js';
import { CallRecord, type Ports, importsOver } from './imports.js';

/** An instance whose memory has grown beyond this is discarded: a WebAssembly memory never shrinks. */
const KEPT_MEMORY_BYTES = 64 * 2 ** 20;

/** A call that fails with this much memory is assumed to have exhausted the 4 GiB that WebAssembly allows. */
const EXHAUSTED_MEMORY_BYTES = 2 ** 31;

const TOO_DEEP = 'The input is nested too deeply: the call exhausted its stack. Use a simpler filter or pattern.';

/** Maximum number of idle instances kept for overlapping calls. */
const KEPT_INSTANCES = 4;

/** An instance, taken from the pool for one call. The component keeps no state between calls. */
export class Instance {
    readonly exports: Component;
    record = new CallRecord(new Deadline(Infinity));
    #memory: WebAssembly.Memory | undefined;

    constructor(modules: Modules, instantiate: Instantiate, ports: Ports, suspends: boolean) {
        this.exports = instantiate(
            modules,
            importsOver(ports, () => this.record, suspends),
            (module, imports) => {
                const instance = new WebAssembly.Instance(module, imports);
                if (instance.exports.memory instanceof WebAssembly.Memory) {
                    this.#memory = instance.exports.memory;
                }
                return instance;
            },
        );
    }

    get memoryBytes(): number {
        return this.#memory?.buffer.byteLength ?? 0;
    }
}

/** Instances over one store and one token counter. */
export class Instances {
    #idle: Instance[] = [];
    #disposed = false;

    constructor(
        private readonly modules: Modules,
        private readonly instantiate: Instantiate,
        readonly ports: Ports,
        private readonly suspends: boolean,
        private readonly deadlineMs: number,
    ) {}

    /** Takes an instance for one call. A call from within the store gets another instance. */
    take(): Instance {
        if (this.#disposed) {
            throw new TuckawayError('invalid_input', 'This tuckaway was disposed. Create a new one.');
        }
        try {
            const instance = this.#idle.pop() ?? new Instance(this.modules, this.instantiate, this.ports, this.suspends);
            instance.record = new CallRecord(new Deadline(this.deadlineMs));
            return instance;
        } catch (error) {
            throw new TuckawayError('limit', `The component could not be started: ${messageOf(error)}`, { cause: error });
        }
    }

    /** Returns an instance to the pool after a call that completed. */
    giveBack(instance: Instance): void {
        const keep =
            !this.#disposed &&
            instance.memoryBytes <= KEPT_MEMORY_BYTES &&
            this.#idle.length < KEPT_INSTANCES;
        if (keep) {
            this.#idle.push(instance);
        }
    }

    dispose(): void {
        this.#disposed = true;
        this.#idle = [];
    }
}

/** Returns the component's own error if the call ended with one; undefined if the call trapped. */
export function componentError(error: unknown, record: CallRecord): TuckawayError | undefined {
    const own = error as Types.Error | undefined;
    if (error instanceof Error || typeof own?.kind !== 'string') {
        return undefined;
    }
    const external = own.kind === 'store' || own.kind === 'tokens';
    const late = external ? record.deadline.error() : undefined;
    if (late !== undefined) {
        return late;
    }
    const cause = external && record.thrown !== undefined ? { cause: record.thrown } : {};
    const { kind, message, arguments: names } = failure(own);
    return new TuckawayError(kind, message, { ...cause, arguments: names });
}

/** Converts a trap to an error that explains it to the caller. */
export function trapError(error: unknown, instance: Instance): TuckawayError {
    return new TuckawayError('limit', explain(error, instance), { cause: error });
}

function explain(error: unknown, instance: Instance): string {
    const message = messageOf(error);
    // No regular expressions: when its stack is exhausted, V8 aborts the process rather than compile one.
    const says = (words: string) => message.toLowerCase().includes(words);
    // The messages of JavaScript engines whose own stack is exhausted.
    if (says('call stack') || says('recursion')) {
        return TOO_DEEP;
    }
    // The glue throws a RangeError when addresses no longer fit.
    if (error instanceof RangeError || instance.memoryBytes >= EXHAUSTED_MEMORY_BYTES) {
        return 'The call needs more memory than a WebAssembly instance has. Narrow the query, or split the output.';
    }
    // The component's own stack, in its linear memory, overflows below address 0.
    if (says('out of bounds')) {
        return TOO_DEEP;
    }
    return (
        `The tuckaway component trapped (${message}). This is a bug in tuckaway; please report it with this ` +
        'input. Other calls are not affected.'
    );
}
