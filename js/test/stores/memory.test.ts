import { test } from 'node:test';

import { MemoryStore } from 'tuckaway';

import { contract } from './contract.js';

for (const [name, check] of Object.entries(contract((options) => new MemoryStore(options)))) {
    test(name, check);
}
