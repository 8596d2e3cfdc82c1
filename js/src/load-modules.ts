/** Takes the core module and its adapters from imports, which the environment compiles itself. */

import { adapters, core } from '../generated/modules.js';
import type { Loader } from './create.js';

export const fromModules: Loader = {
    core: () => core,
    adapters,
    open: (address) => fetch(address),
};
