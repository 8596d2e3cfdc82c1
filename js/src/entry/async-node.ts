/** `tuckaway/async` in Node. */

import { instantiate } from '../../generated/jspi.js';
import { asyncCreator } from '../create.js';
import { fromFile } from '../load-file.js';

export * from './common.js';
export { DirStore, type DirStoreOptions } from '../stores/dir.js';

/**
 * Creates a tuckaway whose store and token counter may return promises; all options except `contextWindow` have
 * defaults.
 */
export const createTuckaway = /* @__PURE__ */ asyncCreator(fromFile, instantiate);
