/** What the package exports in browsers: the compiler, which resolves as Node does, sees what it exports there. */

import * as asyncPackage from 'tuckaway/async';
import * as syncPackage from 'tuckaway';

import type * as asyncInBrowsers from '../../dist/entry/async-browser.js';
import type * as syncInBrowsers from '../../dist/entry/browser.js';

const inBrowsers = asyncPackage as unknown as typeof asyncInBrowsers;
export const { IndexedDbStore, createTuckaway: createAsyncTuckaway } = inBrowsers;
export const { OpfsStore, createTuckaway } = syncPackage as unknown as typeof syncInBrowsers;
