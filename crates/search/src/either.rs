//! The search for either of two bytes, from one to the next.

use crate::lanes::{LANES, Lanes};

/// Bytes that are compared together.
const BLOCK: usize = 4 * LANES;

/// Finds either of two bytes, and remembers the other occurrences in the last block: if they are
/// close together, this is cheaper than a new search from each.
#[derive(Clone, Debug)]
pub struct EitherByte {
    wanted: [u8; 2],
    /// Where the last block begins; no offset is behind it before the first one.
    block: usize,
    /// A bit for each byte of the block: set for an occurrence of either byte.
    found: u64,
}

impl EitherByte {
    /// Creates a search for these two bytes.
    pub fn of(wanted: [u8; 2]) -> Self {
        EitherByte { wanted, block: usize::MAX, found: 0 }
    }

    /// Returns the first offset from `from` on. All calls must pass the same bytes.
    #[inline]
    pub fn next(&mut self, bytes: &[u8], from: usize) -> Option<usize> {
        if let Some(offset @ ..BLOCK) = from.checked_sub(self.block) {
            let found = self.found >> offset;
            if found != 0 {
                return Some(from + found.trailing_zeros() as usize);
            }
        }
        self.next_in_new_blocks(bytes, from)
    }

    fn next_in_new_blocks(&mut self, bytes: &[u8], from: usize) -> Option<usize> {
        let mut at = match from.checked_sub(self.block) {
            Some(..BLOCK) => self.block + BLOCK,
            _ => from,
        };
        while let Some(block) = bytes.get(at..).and_then(|rest| rest.first_chunk::<BLOCK>()) {
            (self.block, self.found) = (at, self.found_in(block));
            if self.found != 0 {
                return Some(at + self.found.trailing_zeros() as usize);
            }
            at += BLOCK;
        }
        // The rest of a line. The last block begins before it.
        if let Some(last) = bytes.len().checked_sub(BLOCK).filter(|&last| last <= at && at < bytes.len())
            && let Some(block) = bytes.last_chunk::<BLOCK>()
        {
            (self.block, self.found) = (last, self.found_in(block));
            let found = self.found >> (at - last);
            return (found != 0).then(|| at + found.trailing_zeros() as usize);
        }
        let is_wanted = |byte: &u8| self.wanted.contains(byte);
        bytes.get(at..)?.iter().position(is_wanted).map(|more| at + more)
    }

    fn found_in(&self, block: &[u8; BLOCK]) -> u64 {
        let [one, other] = self.wanted.map(Lanes::splat);
        let (lanes, _) = block.as_chunks::<LANES>();
        lanes.iter().rev().fold(0, |bits, lanes| {
            let lanes = Lanes::load(lanes);
            bits << LANES | u64::from(lanes.equal(one).or(lanes.equal(other)).bits())
        })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn every_byte_is_found(text in "[a-c]{0,20}[ab,;é]{0,200}", skips in proptest::collection::vec(1usize..90, 1..60)) {
            let mut either = EitherByte::of([b',', b';']);
            let mut from = 0;
            for skip in skips {
                let wanted = text.as_bytes().get(from..).and_then(|rest| rest.iter().position(|b| b",;".contains(b)));
                let found = either.next(text.as_bytes(), from);
                prop_assert_eq!(found, wanted.map(|at| from + at));
                from = if skip % 3 == 0 { from + skip } else { found.map_or(from, |at| at + 1) };
            }
        }
    }
}
