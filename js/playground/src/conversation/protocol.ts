/** The messages between the page of a conversation and its worker: a call, and its one reply. */

import type { Account, Alarm, BudgetConfig, Preset, Receipt, Role } from 'tuckaway';
import type { FormatName } from 'tuckaway/history';

/** The page's request. */
export interface Settings {
    /** The JSON of a conversation. */
    text: string;
    contextWindow: number;
    /** Maximum tokens of all results; a quarter of the window if omitted. */
    outputTokens?: number | undefined;
    preset?: Preset | undefined;
}

/** How a plan changes a message. */
export type Fate = 'kept' | 'trimmed' | 'removed' | 'new';

/** A message for people. */
export interface Line {
    role: Role;
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
    remaining: number;
    maxOutputTokens: number;
}

/** A conversation before its first step. */
export interface OpenedConversation {
    format: FormatName;
    account: Account;
    budget?: BudgetConfig | undefined;
    lines: Line[];
}

/** A step of the plan. */
export interface Stepped {
    receipts: Receipt[];
    alarms: Alarm[];
    before: Account;
    after: Account;
    /** The messages before the step, and after it. */
    from: Line[];
    to: Line[];
    /** The new history as JSON, in the format of the pasted one. */
    json: string;
    /** The request for the model before the next step; none at the end. */
    asked?: Asked | undefined;
}

/** The methods of the worker. */
export interface Methods {
    open(settings: Settings): OpenedConversation;
    step(answer: { answer?: string | undefined }): Stepped;
    read(artifact: { id: string }): { text: string; complete: boolean };
}

export type Method = keyof Methods;

export interface Request {
    call: number;
    method: Method;
    argument: unknown;
}

export type Reply = { call: number } & ({ answer: unknown } | { error: string });
