/** Histories in the formats of model providers, and what is done to keep them within the context window. */

import type { Account, Alarm, Receipt, Span, SummaryRequest } from '../conversation/model.js';

/**
 * The format of a history.
 *
 * - `openai-chat`: messages of OpenAI's Chat Completions and of compatible servers.
 * - `openai-responses`: input items of OpenAI's Responses.
 * - `anthropic`: messages of Anthropic.
 * - `ai-sdk`: model messages of the AI SDK.
 * - `ai-sdk-ui`: UI messages of the AI SDK.
 * - `gemini`: contents of Gemini.
 * - `bedrock`: messages of Amazon Bedrock's Converse.
 * - `langchain`: LangChain's messages, as `messages_to_dict` writes them.
 * - `neutral`: a conversation of the contract, with names in snake case.
 */
export type HistoryFormat =
    | 'openai-chat'
    | 'openai-responses'
    | 'anthropic'
    | 'ai-sdk'
    | 'ai-sdk-ui'
    | 'gemini'
    | 'bedrock'
    | 'langchain'
    | 'neutral';

/**
 * Data about a history that is not in it: plain JSON without texts, to be stored with the history and passed to the
 * next call, in JavaScript or any other host. Without it, artifacts are stored again and earlier summaries count as the
 * user's own words; nothing is lost. Its other members are not for callers.
 */
export interface ContextMemory {
    /** The version of its form. */
    readonly version: number;
}

/** An artifact that contains the result of a call. */
export interface KnownArtifact {
    /** The id of the call. */
    callId: string;
    /**
     * The text of the result in the history. With a text, the artifact belongs only to a result with this text; without
     * one, only to a result whose call id no other result has.
     */
    text?: string | undefined;
    /** The artifact. */
    artifact: string;
}

/** A history, and what is known about it. */
export interface HistoryInput {
    /**
     * The history as JSON: the list of items, or an object with the items as `items` or under the provider's name
     * (`messages`, `input`, `contents`), and optionally with the system prompt (`system` or the provider's name) and
     * `tools`.
     */
    json: string;
    /** The format. Default: detected. */
    format?: HistoryFormat | undefined;
    /** The usage of the last answer as the provider reported it, or its JSON. Default: the object's member `usage`. */
    usage?: string | object | null | undefined;
    /** Artifacts that contain results. Default: none. */
    artifacts?: readonly KnownArtifact[] | undefined;
    /** The indexes of items that must stay unchanged. Default: none. */
    pinned?: readonly number[] | undefined;
    /**
     * If true, a call without a result before the next message, and a result without a call, are `invalid-input`. If
     * false, they are repaired: the call gets a result that says that it was interrupted, and the result becomes a
     * text. Default: false.
     */
    isStrict?: boolean | undefined;
    /** Whether the new history is also returned as JSON. Default: false. */
    withJson?: boolean | undefined;
}

/** A piece of the new history: items of the given history that stay unchanged, or the JSON of a new or changed item. */
export type HistoryItem = { keep: Span } | { insert: string };

/** What was done to a history. */
export interface HistoryReport {
    /** Whether the history or its tools changed. */
    isChanged: boolean;
    /** The number of items of the given history. */
    itemCount: number;
    /** The account of the given history. */
    before: Account;
    /** The account of the new history. */
    after: Account;
    /** The removed content, and where it can be read. Messages are items of the given history. */
    receipts: Receipt[];
    /** Warnings for the caller. */
    alarms: Alarm[];
    /** The number of answered requests for summaries. */
    requests: number;
    /** Why summaries could not be obtained. */
    summaryErrors: string[];
    /** Why a summary was refused; omitted if it was not refused or not needed. */
    refusal?: string;
    /**
     * Artifacts with the removed items that contained images or files, as NDJSON. Their texts are in the artifacts of
     * `receipts`.
     */
    originals: string[];
    /** What was repaired, one sentence each. */
    repairs: string[];
}

/** A history after the steps so far. */
export interface ManagedHistory {
    /** The format that was read. */
    format: HistoryFormat;
    /** The new history, in order. */
    items: HistoryItem[];
    /** The indexes of the tools that stay: elements of the array, or members of the object. Omitted if all stay. */
    keptTools?: number[];
    /**
     * The new history as JSON, in the form of the given one, if it was asked for. Everything that stays is preserved
     * byte for byte.
     */
    json?: string;
    /** The memory for the next call. */
    memory: ContextMemory;
    /** What was done. */
    report: HistoryReport;
}

/** A step of managing a history. */
export interface HistoryStep {
    /** The state for the next step; empty if this is the last one. */
    state: string;
    /** The request to send to the model; omitted if this is the last step. */
    request?: SummaryRequest;
    /** The history after the steps so far. The caller may end with it at any time. */
    history: ManagedHistory;
}

/**
 * The model's answer to a request for a summary: its text, or why the model could not be asked. The history is then
 * planned without a summary.
 */
export type SummaryAnswer = { text: string } | { failed: string };
