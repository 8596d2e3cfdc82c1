/** Extractions from the first request to the answer, and models over HTTP. */

export { type CallOptions, answerCall } from './call.js';
export { type ExtractOptions, type ExtractionProgress, extract } from './drive.js';
export { type Model, ModelError } from './model.js';
export { anthropicCompaction, anthropicModel } from './models/anthropic.js';
export type { ModelOptions } from './models/endpoint.js';
export { openaiCompaction, openaiModel } from './models/openai.js';
