/** The messages between the page of a conversation and its worker: a call, and its one reply. */

import type { Account, Alarm, BudgetConfig, Preset, Receipt, Role } from 'tuckaway';
import type { FormatName } from 'tuckaway/history';

/** What the page asks for. */
export interface Settings {
    /** The JSON of a conversation. */
    text: string;
    contextWindow: number;
    /** The most tokens of all results; a quarter of the window if omitted. */
    outputTokens?: number | undefined;
    preset?: Preset | undefined;
}

/** What became of a message. */
export type Fate = 'stays' | 'trimmed' | 'goes' | 'new';

/** A message for people. */
export interface Line {
    role: Role;
    /** The start of what it contains. */
    text: string;
    /** Its tokens, estimated. */
    tokens: number;
    fate: Fate;
}

/** What the model is asked. */
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
    /** The messages that came, and those that are left. */
    from: Line[];
    to: Line[];
    /** The new history as JSON, as it came. */
    json: string;
    /** What the model is asked before the next step; none at the end. */
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
