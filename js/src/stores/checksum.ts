/** CRC-32 as in zip and PNG, eight bytes at a time. */

/** For each of eight distances from the end of a group, the contribution of every byte value. */
const TABLES: readonly Uint32Array[] = /* @__PURE__ */ makeTables();

/** Returns the checksum of bytes. `before` is the checksum of the bytes that precede them, if any. */
export function crc32(bytes: Uint8Array, before = 0): number {
    const [t0, t1, t2, t3, t4, t5, t6, t7] = TABLES as Tables;
    let crc = ~before;
    let at = 0;
    for (; at + 8 <= bytes.length; at += 8) {
        crc ^= bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24);
        crc =
            t7[crc & 0xff]! ^ t6[(crc >>> 8) & 0xff]! ^ t5[(crc >>> 16) & 0xff]! ^ t4[crc >>> 24]! ^
            t3[bytes[at + 4]!]! ^ t2[bytes[at + 5]!]! ^ t1[bytes[at + 6]!]! ^ t0[bytes[at + 7]!]!;
    }
    for (; at < bytes.length; at++) {
        crc = (crc >>> 8) ^ t0[(crc ^ bytes[at]!) & 0xff]!;
    }
    return ~crc >>> 0;
}

type Tables = [
    Uint32Array, Uint32Array, Uint32Array, Uint32Array, Uint32Array, Uint32Array, Uint32Array, Uint32Array,
];

function makeTables(): Uint32Array[] {
    const first = Uint32Array.from({ length: 256 }, (_, byte) => {
        let crc = byte;
        for (let bit = 0; bit < 8; bit++) {
            crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
        }
        return crc;
    });
    const tables = [first];
    for (let distance = 1; distance < 8; distance++) {
        tables.push((tables[distance - 1] as Uint32Array).map((crc) => (crc >>> 8) ^ first[crc & 0xff]!));
    }
    return tables;
}
