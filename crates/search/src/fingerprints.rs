//! The search for where one of many texts may begin, by the first four bytes of each.
//!
//! Each text is in one of eight buckets, and each bucket is a bit. For each of the four
//! offsets, two tables say for the low and the high half of a byte which buckets have a
//! text with such a half there. Where a bucket's bit is in all eight, one of its texts may
//! begin. That is as much work for many texts as for one.

use std::ops::Range;

use crate::byte::Byte;
use crate::lanes::{LANES, Lanes};

/// Offsets that are inspected together.
pub const BLOCK: usize = 4 * LANES;

const BYTES: usize = 4;
/// Shorter texts are compared with too little. Whatever is behind one of three bytes fits.
const MIN_BYTES: usize = 3;
/// As many buckets as a byte has bits.
const BUCKETS: usize = 8;

/// The first bytes of several texts.
#[derive(Clone, Debug)]
pub struct Fingerprints {
    /// For each offset, the buckets by the low half of the byte there.
    low: [Lanes; BYTES],
    /// The same by its high half.
    high: [Lanes; BYTES],
    /// For each offset, both tables, for a single byte.
    tables: [[[u8; LANES]; 2]; BYTES],
}

impl Fingerprints {
    /// Bytes that are read from an offset on.
    pub const REACH: usize = BLOCK + BYTES - 1;

    /// Prepares a search for sorted texts; none if one is too short. The texts of a bucket
    /// are next to each other: the more they have in common, the less else fits them.
    pub fn of(texts: &[Vec<Byte>]) -> Option<Self> {
        let mut low = [[0; LANES]; BYTES];
        let mut high = [[0; LANES]; BYTES];
        for (index, text) in texts.iter().enumerate() {
            let bucket = 1 << (index * BUCKETS / texts.len());
            for (offset, byte) in text.iter().take(BYTES).enumerate() {
                for byte in byte.cases() {
                    low[offset][usize::from(byte & 0x0F)] |= bucket;
                    high[offset][usize::from(byte >> 4)] |= bucket;
                }
            }
            for offset in text.get(..MIN_BYTES)?.len()..BYTES {
                if text.len() <= offset {
                    low[offset].iter_mut().chain(&mut high[offset]).for_each(|half| *half |= bucket);
                }
            }
        }
        let lanes = |tables: [[u8; LANES]; BYTES]| tables.map(|table| Lanes::load(&table));
        let tables = std::array::from_fn(|offset| [low[offset], high[offset]]);
        Some(Fingerprints { low: lanes(low), high: lanes(high), tables })
    }

    /// Returns which of `count` texts are in the bucket of this bit.
    pub fn texts_of(bit: usize, count: usize) -> Range<usize> {
        let first = |bit: usize| (bit * count).div_ceil(BUCKETS);
        first(bit)..first(bit + 1)
    }

    /// Returns the buckets that have a text which may begin where the bytes begin.
    pub fn buckets(&self, bytes: &[u8]) -> u8 {
        let of_byte = |([low, high], byte): (&[[u8; LANES]; 2], &u8)| {
            low[usize::from(byte & 0x0F)] & high[usize::from(byte >> 4)]
        };
        self.tables.iter().zip(bytes).map(of_byte).fold(u8::MAX, |all, buckets| all & buckets)
    }

    /// Sets a bit for each offset of the first block where a text may begin. There have to
    /// be [`Fingerprints::REACH`] bytes.
    #[inline]
    pub fn candidates(&self, bytes: &[u8]) -> u64 {
        let mut found = [Lanes::splat(0xFF); BLOCK / LANES];
        for (offset, (low, high)) in self.low.iter().zip(&self.high).enumerate() {
            let blocks: &[[u8; LANES]] = bytes[offset..offset + BLOCK].as_chunks().0;
            for (found, block) in found.iter_mut().zip(blocks) {
                let block = Lanes::load(block);
                let low = low.at(block.and(Lanes::splat(0x0F)));
                *found = found.and(low).and(high.at(block.high_half()));
            }
        }
        match found[0].or(found[1]).or(found[2].or(found[3])).any() {
            true => found
                .iter()
                .rev()
                .fold(0, |bits, lanes| bits << LANES | u64::from(!lanes.equal(Lanes::splat(0)).bits())),
            false => 0,
        }
    }
}
