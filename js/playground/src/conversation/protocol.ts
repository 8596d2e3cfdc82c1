/** The messages between the page of a conversation and its worker: a call, and its one reply. */

import type { Account, Alarm, BudgetConfig, HistoryFormat, Preset, Receipt } from 'tuckaway';

/** The page's request. */
export interface Settings {
    /** The JSON of a conversation. */
    text: string;
    contextWindow: number;
    /** Maximum tokens of all results; a quarter of the window if omitted. */
    outputTokens?: number | undefined;
    preset?: Preset | undefined;
    /** The model's answer to each request for a summary. */
    answer: string;
}

/** The fate of an item. In a new history, `new` items are inserted or changed. */
export type Fate = 'kept' | 'changed' | 'removed' | 'new';

/** An item of a history for people. */
export interface Line {
    /** Its role or type. */
    role: string;
    /** The start of its content. */
    text: string;
    /** Its tokens, estimated. */
    tokens: number;
    fate: Fate;
}

/** The request for the model. */
export interface Asked {
    prompt: string;
    messages: number;
    maxOutputTokens: number;
}

/** A step of the plan. */
export interface Stepped {
    /** The repairs before the first step. */
    repairs: string[];
    receipts: Receipt[];
    alarms: Alarm[];
    before: Account;
    after: Account;
    /** The request for the model before the next step; missing at the end. */
    asked?: Asked | undefined;
}

/** A whole plan. */
export interface Planned {
    format: HistoryFormat;
    budget?: BudgetConfig | undefined;
    steps: Stepped[];
    /** The tokens before the first step and after the last. */
    before: Account;
    after: Account;
    /** The items of the given history, and of the new one. */
    from: Line[];
    to: Line[];
    /** The new history as JSON, in the format of the given one. */
    json: string;
}

/** The methods of the worker. */
export interface Methods {
    plan(settings: Settings): Planned;
    read(artifact: { id: string }): { text: string; complete: boolean };
}

export type Method = keyof Methods;

export interface Request {
    call: number;
    method: Method;
    argument: unknown;
}

export type Reply = { call: number } & ({ answer: unknown } | { error: string });
