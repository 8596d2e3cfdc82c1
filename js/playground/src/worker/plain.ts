/** Plain truncation, for comparison: the first and the last bytes of any output. */

import type { ByteSource } from './excerpt.js';

/** Bytes kept at each end. */
const END_BYTES = 8_192;

/** Returns the whole output if it is short, otherwise its head and tail around a marker. */
export function truncatePlainly(output: ByteSource): Uint8Array {
    if (output.length <= 2 * END_BYTES) {
        return output.slice(0, output.length);
    }
    const omitted = output.length - 2 * END_BYTES;
    const marker = new TextEncoder().encode(`\n… [${omitted} bytes truncated] …\n`);
    const parts = [output.slice(0, END_BYTES), marker, output.slice(output.length - END_BYTES, END_BYTES)];
    const plain = new Uint8Array(2 * END_BYTES + marker.length);
    let at = 0;
    for (const part of parts) {
        plain.set(part, at);
        at += part.length;
    }
    return plain;
}
