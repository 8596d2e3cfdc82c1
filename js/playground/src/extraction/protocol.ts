/** The messages between the page of an extraction and its worker. */

import type { Answer, ExtractionEstimate, ExtractionMode, RequestPurpose } from 'tuckaway';
import type { ExtractionProgress } from 'tuckaway/extraction';

import type { SampleName } from '../samples.js';

/** The page's request. */
export interface Asked {
    sample: SampleName;
    bytes: number;
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

/** A request as it was sent, and then as it ended. */
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
    | { request: RequestLine }
    | { progress: ExtractionProgress }
    | { answer: Answer }
    | { error: string }
);
