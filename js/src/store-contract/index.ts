/** `tuckaway/store-contract`: the contract of a store, as tests for stores of your own. */

export { storeContract } from './contract.js';
export { limitsContract } from './limits.js';
export { type StoreWithSessions, sessionsContract } from './sessions.js';
export { sharingContract } from './sharing.js';
export type { ContractOptions, EmptyStore, Opener, Tests } from './tests.js';
