/** `tuckaway` in browsers and through bundlers. */

import { instantiate } from '../../generated/sync.js';
import { creator } from '../create.js';
import { fromUrl } from '../load-fetch.js';

export * from './common.js';
export { OpfsStore, type OpfsStoreOptions } from '../stores/opfs.js';

/** Creates a tuckaway; all options except `contextWindow` have defaults. */
export const createTuckaway = /* @__PURE__ */ creator(fromUrl, instantiate);
