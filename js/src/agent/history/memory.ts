/** A host's memory of a conversation from one plan to the next, as plain JSON. */

import type { Conversation, Plan, PlanState, TokenUsage, Usage } from '../../conversation/model.js';
import type { View } from '../../types.js';
import { onlyText } from './format.js';

/**
 * Data about a conversation that is not in its history: plain JSON, to be stored with the history and passed to the
 * next call. Without it, artifacts are stored again and earlier summaries count as the user's own words; nothing is
 * lost.
 */
export interface ContextMemory {
    /** State that the planner keeps. */
    state: PlanState;
    /** The artifacts of results, by call and fingerprint of the text. */
    artifacts: Record<string, string>;
    /** Fingerprints of the messages that plans have inserted. */
    inserted: string[];
    /** The usage that counts the history as the last plan left it. */
    usage?: Usage | undefined;
    /** The usage that was reported before the last plan. */
    reported?: TokenUsage | undefined;
}

/** Returns the memory of a new conversation. */
export function newMemory(): ContextMemory {
    return { state: {}, artifacts: {}, inserted: [] };
}

/**
 * Returns the key of a result: its call, and its text. Providers may reuse the id of a call, and only this exact text
 * can be read from the artifact.
 */
export function resultKey(callId: string, text: string): string {
    return `${callId} ${fingerprint(text)}`;
}

/** Returns a short hash of a text: its length, and FNV-1a with two different primes. */
export function fingerprint(text: string): string {
    let [a, b] = [0x811c9dc5, 0x811c9dc5];
    for (let index = 0; index < text.length; index++) {
        const unit = text.charCodeAt(index);
        a = Math.imul(a ^ unit, 0x01000193);
        b = Math.imul(b ^ unit, 0x85ebca6b);
    }
    return [text.length, a >>> 0, b >>> 0].map((part) => part.toString(36)).join('.');
}

/** Records the effects of a plan on a conversation. */
export function remember(memory: ContextMemory, conversation: Conversation, plan: Plan): ContextMemory {
    const artifacts = { ...memory.artifacts };
    for (const { message, part, text, artifact } of plan.replacements) {
        const replaced = conversation.messages[message]?.parts[part];
        if (replaced !== undefined && 'toolResult' in replaced) {
            artifacts[resultKey(replaced.toolResult.callId, text)] = artifact;
        }
    }
    const inserted = plan.history.flatMap((entry) => ('insert' in entry ? [fingerprint(entry.insert.text)] : []));
    const { usage: _, ...rest } = memory;
    return {
        ...rest,
        state: plan.state,
        artifacts,
        inserted: [...new Set([...memory.inserted, ...inserted])],
        ...(plan.usage !== undefined && { usage: plan.usage }),
    };
}

/** Keeps only entries that belong to a history, so that the memory does not grow with the session. */
export function settle(memory: ContextMemory, { messages }: Conversation): ContextMemory {
    const artifacts: Record<string, string> = {};
    const texts = new Set<string>();
    for (const message of messages) {
        for (const part of message.parts) {
            if ('toolResult' in part && part.toolResult.artifact !== undefined) {
                artifacts[resultKey(part.toolResult.callId, part.toolResult.text)] = part.toolResult.artifact;
            }
        }
        if (message.inserted) {
            texts.add(fingerprint(onlyText(message) ?? ''));
        }
    }
    return { ...memory, artifacts, inserted: memory.inserted.filter((text) => texts.has(text)) };
}

/** Maximum number of results noted for histories that have not arrived. */
const MAX_NOTED = 10_000;

const noted = new WeakMap<object, Map<string, string>>();

/**
 * Notes from which artifact a result can be read, until a history with the result arrives. A view of several artifacts
 * has no single one.
 *
 * @param tuckaway the tuckaway whose store has the artifact
 */
export function noteView(tuckaway: object, callId: string, { text, artifacts }: View): void {
    const [artifact, ...more] = artifacts;
    if (artifact === undefined || more.length > 0) {
        return;
    }
    const results = noted.get(tuckaway) ?? new Map<string, string>();
    noted.set(tuckaway, results);
    results.set(resultKey(callId, text), artifact.id);
    if (results.size > MAX_NOTED) {
        results.delete(results.keys().next().value!);
    }
}

/** Returns the artifact that was noted for a result. */
export function notedArtifact(tuckaway: object, key: string): string | undefined {
    return noted.get(tuckaway)?.get(key);
}

/** Drops the notes that a memory has taken over. */
export function forgetNoted(tuckaway: object, { artifacts }: ContextMemory): void {
    for (const key of Object.keys(artifacts)) {
        noted.get(tuckaway)?.delete(key);
    }
}
