import assert from 'node:assert/strict';
import { test } from 'node:test';

import { crc32 } from '../../src/stores/checksum.js';
import { noise, utf8 } from './contract.js';

test('the checksum is the CRC-32 of zip', () => {
    assert.equal(crc32(utf8('')), 0);
    assert.equal(crc32(utf8('123456789')), 0xcbf43926);
    assert.equal(crc32(utf8('The quick brown fox jumps over the lazy dog')), 0x414fa339);
});

test('the checksum of consecutive parts equals the checksum of the whole', () => {
    const bytes = noise(100);
    for (let at = 0; at <= bytes.length; at++) {
        assert.equal(crc32(bytes.subarray(at), crc32(bytes.subarray(0, at))), crc32(bytes));
    }
});
