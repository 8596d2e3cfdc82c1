/** Requirements of the contract's tests. */

import type { AsyncStore } from '../ports.js';

/** Named tests. Each throws an error if the store violates the contract. */
export type Tests = Record<string, () => Promise<void>>;

/** Options that a store must accept to be tested with them. */
export interface ContractOptions {
    /** The maximum number of content bytes, unsealed artifacts included. */
    quotaBytes?: number;
    /** The age at which artifacts expire, to the second. */
    maxAgeSeconds?: number;
    /** Returns the milliseconds since 1970. */
    clock?: () => number;
}

/** Creates an empty store with these options. */
export type EmptyStore<S extends AsyncStore = AsyncStore> = (options?: ContractOptions) => S | Promise<S>;

/** Opens one place; each call returns a store as another process would have it. */
export type Opener<S extends AsyncStore = AsyncStore> = (options?: ContractOptions) => S | Promise<S>;
