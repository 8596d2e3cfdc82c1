/** `tuckaway/inline`: the core module is part of the JavaScript, for programs in a single file. */

import { core } from '../../generated/inline.js';
import { instantiate } from '../../generated/sync.js';
import { fromBase64 } from '../component.js';
import { creator } from '../create.js';

export * from './common.js';

/** Makes a tuckaway; all options have defaults. */
export const createTuckaway = /* @__PURE__ */ creator(
    { core: () => fromBase64(core), open: (address) => fetch(address) },
    instantiate,
);
