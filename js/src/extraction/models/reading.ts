/** Code that the adapters share: reading calls and numbers from JSON. */

import type { ModelCall, ModelReply, ModelTurn, StopReason } from '../../contract/types.js';
import type { Json } from './endpoint.js';

/** Creates a reply. Token counts of 0 are omitted: a server that does not count tokens reports 0. */
export function reply(
    turn: ModelTurn,
    stop: StopReason,
    inputs: readonly unknown[],
    output: unknown,
): ModelReply {
    const inputTokens = inputs.map(counted).reduce((sum, tokens) => sum + tokens, 0);
    const outputTokens = counted(output);
    return {
        turn,
        stop,
        inputTokens: inputTokens > 0 ? inputTokens : undefined,
        outputTokens: outputTokens > 0 ? outputTokens : undefined,
    };
}

/** Reads a count; a provider may report anything. The sum of a few counts stays exact. */
function counted(tokens: unknown): number {
    return Number.isInteger(tokens) && (tokens as number) > 0 ? Math.min(tokens as number, 2 ** 48) : 0;
}

/** Reads a call; one without a name is ignored. Some servers leave the id empty. */
export function readCall(id: unknown, name: unknown, args: Json, request: string, index: number): ModelCall[] {
    if (typeof name !== 'string') {
        return [];
    }
    const given = typeof id === 'string' && id !== '' ? id : `call_${request.replaceAll('-', '_')}_${index}`;
    return [{ id: given, name, arguments: typeof args === 'string' ? args : JSON.stringify(args ?? {}) }];
}

/** Returns a list of objects from unchecked JSON. */
export function objects(value: Json): Json[] {
    return Array.isArray(value) ? value.filter((each) => typeof each === 'object' && each !== null) : [];
}

/** Returns a text from unchecked JSON. */
export function textOf(value: Json): string {
    return typeof value === 'string' ? value : '';
}
