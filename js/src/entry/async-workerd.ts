/** `tuckaway/async` in workerd, the runtime of Cloudflare Workers, which compiles no bytes: its modules are imported. */

import { instantiate } from '../../generated/jspi.js';
import { asyncCreator } from '../create.js';
import { fromModules } from '../load-modules.js';

export * from './common.js';

/**
 * Creates a tuckaway whose store and token counter may return promises; all options except `contextWindow` have
 * defaults.
 */
export const createTuckaway = /* @__PURE__ */ asyncCreator(fromModules, instantiate);
