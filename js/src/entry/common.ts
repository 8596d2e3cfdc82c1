/** Everything that the entry points export. */

export {
    type Expiry,
    StoreError,
    type StoreErrorCode,
    type StoreErrorOptions,
    TuckawayError,
} from '../error.js';
export { mediaBytes } from '../media.js';
export type { AsyncStore, AsyncTokenCounter, Store, TokenCounter } from '../ports.js';
export { MemoryStore, type MemoryStoreOptions } from '../stores/memory.js';
export { mint } from '../stores/mint.js';
export type { AsyncSessions, Garbage, Sessions } from '../stores/sessions.js';
export { estimate } from '../tokens/estimate.js';
export type {
    AsyncTuckaway,
    AsyncTuckawayOptions,
    Tuckaway,
    TuckawayOptions,
    WasmModule,
    WasmSource,
} from '../tuckaway.js';
export type * from '../conversation/config.js';
export type * from '../contract/types.js';
export type { Extraction } from '../extraction/api.js';
export type { Histories } from '../histories/api.js';
export type * from '../json-types.js';
export type * from '../types.js';
