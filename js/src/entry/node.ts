/** `tuckaway` in Node. */

import { instantiate } from '../../generated/sync.js';
import { creator } from '../create.js';
import { fromFile } from '../load-file.js';

export * from './common.js';
export { DirStore, type DirStoreOptions } from '../stores/dir.js';

/** Creates a tuckaway; all options except `contextWindow` have defaults. */
export const createTuckaway = /* @__PURE__ */ creator(fromFile, instantiate);
