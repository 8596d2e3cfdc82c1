//! The search for where one of many texts may begin, by the first four bytes of each.
//!
//! Each text is in one of eight buckets, and each bucket is a bit. For each of the four
//! offsets, two tables say for the low and the high half of a byte which buckets have a
//! text with such a half there. Where a bucket's bit is in all eight, one of its texts may
//! begin. That is as much work for many texts as for one.

use crate::buckets::{BUCKETS, BYTES, Halves, distribute};
use crate::byte::Byte;
use crate::lanes::{LANES, Lanes};

/// Offsets that are inspected together.
pub const BLOCK: usize = 4 * LANES;

/// Shorter texts are compared with too little. Whatever is behind one of three bytes fits.
const MIN_BYTES: usize = 3;

/// The first bytes of several texts.
#[derive(Clone, Debug)]
pub struct Fingerprints {
    /// For each offset, the buckets by the low half of the byte there.
    low: [Lanes; BYTES],
    /// The same by its high half.
    high: [Lanes; BYTES],
    /// For each offset, both tables, for a single byte.
    tables: [[[u8; LANES]; 2]; BYTES],
    /// The indices of the texts in each bucket.
    texts: [Vec<usize>; BUCKETS],
}

impl Fingerprints {
    /// Bytes that are read from an offset on.
    pub const REACH: usize = BLOCK + BYTES - 1;

    /// Prepares a search for sorted texts; none if one is too short.
    pub fn of(texts: &[Vec<Byte>]) -> Option<Self> {
        if texts.iter().any(|text| text.len() < MIN_BYTES) {
            return None;
        }
        let buckets = distribute(texts);
        let tables = std::array::from_fn(|offset| {
            let bits: [fn(&Halves, usize) -> u16; 2] =
                [|of, offset| of.low[offset], |of, offset| of.high[offset]];
            bits.map(|bits| table(buckets.each_ref().map(|(_, halves)| bits(halves, offset))))
        });
        Some(Fingerprints {
            low: tables.map(|[low, _]| Lanes::load(&low)),
            high: tables.map(|[_, high]| Lanes::load(&high)),
            tables,
            texts: buckets.map(|(texts, _)| texts),
        })
    }

    /// Returns which texts are in the bucket of this bit.
    pub fn texts_of(&self, bit: usize) -> &[usize] {
        &self.texts[bit]
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

/// Returns for each half the buckets that have it.
fn table(halves: [u16; BUCKETS]) -> [u8; LANES] {
    std::array::from_fn(|half| {
        let has = |(bucket, bits): (usize, &u16)| ((bits >> half & 1) as u8) << bucket;
        halves.iter().enumerate().map(has).sum()
    })
}
