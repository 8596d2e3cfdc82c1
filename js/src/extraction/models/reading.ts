/** What the adapters share: reading calls and numbers from JSON. */

import type { ModelCall, ModelReply, ModelTurn, StopReason } from '../types.js';
import type { Json } from './endpoint.js';

/** Creates a reply. The tokens are those that a provider reported, if it did: a server that does not count says 0. */
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

/** What a provider counts may be anything. A sum of a few stays exact. */
function counted(tokens: unknown): number {
    return Number.isInteger(tokens) && (tokens as number) > 0 ? Math.min(tokens as number, 2 ** 48) : 0;
}

/** Reads a call; one that has no name is ignored. Some servers leave the id empty. */
export function readCall(id: unknown, name: unknown, args: Json, request: string, index: number): ModelCall[] {
    if (typeof name !== 'string') {
        return [];
    }
    const given = typeof id === 'string' && id !== '' ? id : `call_${request.replaceAll('-', '_')}_${index}`;
    return [{ id: given, name, arguments: typeof args === 'string' ? args : JSON.stringify(args ?? {}) }];
}

/** Returns a list of objects from JSON that may be anything. */
export function objects(value: Json): Json[] {
    return Array.isArray(value) ? value.filter((each) => typeof each === 'object' && each !== null) : [];
}

/** Returns a text from JSON that may be anything. */
export function textOf(value: Json): string {
    return typeof value === 'string' ? value : '';
}
