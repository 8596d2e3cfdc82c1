//! Finds where one of many texts may begin, by the first four bytes of each.
//!
//! Each text is in one of eight buckets, and each bucket is a bit. For each of the four offsets,
//! one table maps the low half of a byte to the buckets that have a text with this half there, and
//! another table maps the high half; a search uses the high halves of the first two offsets only.
//! Where a bucket's bit is set in all six results, one of its texts may begin. The work is the same
//! for many texts as for one.

use crate::buckets::{BYTES, Bucket, HIGH_BYTES, Halves, distribute};
use crate::byte::Byte;
use crate::lanes::{LANES, Lanes};

/// Offsets that are inspected together.
pub const BLOCK: usize = 4 * LANES;

/// Shorter texts would match too much. Any byte may follow a text of three bytes.
const MIN_BYTES: usize = 3;

/// The first bytes of several texts.
#[derive(Clone, Debug)]
pub struct Fingerprints {
    /// For each offset, the buckets by the low half of the byte there.
    low: [[u8; LANES]; BYTES],
    /// The same by its high half.
    high: [[u8; LANES]; BYTES],
    /// The indices of the texts in each bucket.
    texts: Vec<Vec<usize>>,
}

impl Fingerprints {
    /// Bytes that are read from an offset on.
    pub const REACH: usize = BLOCK + BYTES - 1;

    /// Prepares a search for texts; none if one is too short.
    pub fn of(texts: &[Vec<Byte>]) -> Option<Self> {
        if texts.iter().any(|text| text.len() < MIN_BYTES) {
            return None;
        }
        let buckets = distribute(texts);
        Some(Fingerprints {
            low: std::array::from_fn(|offset| table(&buckets, &|halves| halves.low[offset])),
            high: std::array::from_fn(|offset| table(&buckets, &|halves| halves.high[offset])),
            texts: buckets.into_iter().map(|bucket| bucket.texts).collect(),
        })
    }

    /// Returns the texts in the bucket of this bit.
    pub fn texts_of(&self, bit: usize) -> &[usize] {
        &self.texts[bit]
    }

    /// Returns the buckets that have a text which may begin where the bytes begin.
    pub fn buckets(&self, bytes: &[u8]) -> u8 {
        let mut buckets = u8::MAX;
        for ((low, high), byte) in self.low.iter().zip(&self.high).zip(bytes) {
            buckets &= low[usize::from(byte & 0x0F)] & high[usize::from(byte >> 4)];
        }
        buckets
    }

    /// Sets a bit for each offset of the first block where a text may begin. There must be at least
    /// [`Fingerprints::REACH`] bytes.
    #[inline]
    pub fn candidates(&self, bytes: &[u8]) -> u64 {
        let mut found = [Lanes::splat(0xFF); BLOCK / LANES];
        for (offset, low) in self.low.iter().enumerate() {
            let low = Lanes::load(low);
            let high = self.high[..HIGH_BYTES].get(offset).map(Lanes::load);
            let blocks: &[[u8; LANES]] = bytes[offset..offset + BLOCK].as_chunks().0;
            for (found, block) in found.iter_mut().zip(blocks) {
                let block = Lanes::load(block);
                *found = found.and(low.at(block.and(Lanes::splat(0x0F))));
                if let Some(high) = high {
                    *found = found.and(high.at(block.high_half()));
                }
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

/// Returns for each half the buckets that have its bit set.
fn table(buckets: &[Bucket], bits: &dyn Fn(&Halves) -> u16) -> [u8; LANES] {
    let mut table = [0; LANES];
    for (bucket, place) in buckets.iter().zip(0..) {
        for (half, buckets) in table.iter_mut().enumerate() {
            *buckets |= ((bits(&bucket.halves) >> half & 1) as u8) << place;
        }
    }
    table
}
