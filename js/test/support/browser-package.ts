/** The package's exports in browsers. The compiler resolves them as Node does, so their types are set here. */

import * as asyncPackage from 'tuckaway/async';
import * as syncPackage from 'tuckaway';

import type * as asyncInBrowsers from '../../dist/entry/async-browser.js';
import type * as syncInBrowsers from '../../dist/entry/browser.js';

const inBrowsers = asyncPackage as unknown as typeof asyncInBrowsers;
export const { IndexedDbStore, createTuckaway: createAsyncTuckaway } = inBrowsers;
export const { OpfsStore, createTuckaway } = syncPackage as unknown as typeof syncInBrowsers;
