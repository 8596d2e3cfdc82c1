/** The assertions of the store contract, for all tests. */

export * from '../../src/store-contract/expect.js';
