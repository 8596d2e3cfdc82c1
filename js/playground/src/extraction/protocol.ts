/** The messages between the page of an extraction and its worker. */

import type { Answer, ExtractionEstimate, ExtractionMode, RequestPurpose } from 'tuckaway';
import type { ExtractionProgress } from 'tuckaway/extraction';

import type { SampleName } from '../samples.js';

/** What the page asks for. */
export interface Asked {
    sample: SampleName;
    bytes: number;
    extract: string;
    mode: ExtractionMode;
    contextTokens: number;
}

/** Where the model is; the scripted one of the worker if omitted. */
export interface Endpoint {
    api: 'openai' | 'anthropic';
    model: string;
    baseUrl: string | undefined;
    apiKey: string | undefined;
}

/** A request as it was sent, and then as it ended. */
export interface RequestLine {
    id: string;
    purpose: RequestPurpose;
    inputTokens: number;
    state: 'open' | 'answered' | 'failed';
    /** What the model said, shortened, or why it did not. */
    said: string;
}

/** From the page. `turn` counts what it asked for: a new one ends the one before. */
export type ToWorker =
    | { turn: number; plan: Asked }
    | { turn: number; run: Asked; endpoint?: Endpoint | undefined }
    | { turn: number; cancel: true };

/** To the page. */
export type FromWorker = { turn: number } & (
    | { estimate: ExtractionEstimate }
    | { request: RequestLine }
    | { progress: ExtractionProgress }
    | { answer: Answer }
    | { error: string }
);
