/** The messages between the page of an extraction and its worker. */

import type { Answer, ExtractionEstimate, ExtractionMode, ExtractionUsage, RequestPurpose } from 'tuckaway';
import type { ExtractionProgress } from 'tuckaway/extraction';

import type { FreshOrigin } from '../protocol.js';

/** The page's request. */
export interface Asked {
    /** The output, and the tool that returned it. The same `key` means the same output, which is stored only once. */
    output: FreshOrigin;
    tool: string;
    key: number;
    extract: string;
    mode: ExtractionMode;
    contextTokens: number;
}

/** The address of the model; the worker's scripted model if omitted. */
export interface Endpoint {
    api: 'openai' | 'anthropic';
    model: string;
    baseUrl: string | undefined;
    apiKey: string | undefined;
}

/** A request, first as sent, then as ended. */
export interface RequestLine {
    id: string;
    purpose: RequestPurpose;
    inputTokens: number;
    state: 'open' | 'answered' | 'failed';
    /** The model's answer, shortened, or the reason for a failure. */
    said: string;
}

/** From the page. `turn` numbers the requests: a new one cancels the one before. */
export type ToWorker =
    | { turn: number; plan: Asked }
    | { turn: number; run: Asked; endpoint?: Endpoint | undefined }
    | { turn: number; cancel: true };

/** To the page. */
export type FromWorker = { turn: number } & (
    | { estimate: ExtractionEstimate }
    /** The cost with the scripted model. */
    | { likely: ExtractionUsage }
    | { request: RequestLine }
    | { progress: ExtractionProgress }
    /** `viewTokens` is the size of the answer's text, estimated. */
    | { answer: Answer; viewTokens: number }
    | { error: string }
);
