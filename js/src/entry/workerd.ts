/** `tuckaway` in workerd, the runtime of Cloudflare Workers, which compiles no bytes: its modules are imported. */

import { instantiate } from '../../generated/sync.js';
import { creator } from '../create.js';
import { fromModules } from '../load-modules.js';

export * from './common.js';

/** Creates a tuckaway; all options except `contextWindow` have defaults. */
export const createTuckaway = /* @__PURE__ */ creator(fromModules, instantiate);
