/** `tuckaway/async` in browsers and through bundlers. */

import { instantiate } from '../../generated/jspi.js';
import { asyncCreator } from '../create.js';
import { fromUrl } from '../load-fetch.js';

export * from './common.js';
export { IndexedDbStore, type IndexedDbStoreOptions } from '../stores/indexeddb.js';
export { OpfsStore, type OpfsStoreOptions } from '../stores/opfs.js';

/**
 * Creates a tuckaway whose store and token counter may return promises; all options except `contextWindow` have
 * defaults.
 */
export const createTuckaway = /* @__PURE__ */ asyncCreator(fromUrl, instantiate);
