//! Where either of two bytes is, for who goes from one place to the next.

use crate::lanes::{LANES, Lanes};

/// Places that are looked at together.
const BLOCK: usize = 4 * LANES;

/// Finds either of two bytes, and remembers what else was in the block where it
/// was: cheaper than a search from each place on where they are close together.
#[derive(Clone, Debug)]
pub struct Either {
    wanted: [u8; 2],
    /// Where the block begins that was looked at last.
    block: usize,
    /// The places in it, a bit each.
    places: u64,
}

impl Either {
    /// Of these two bytes.
    pub fn of(wanted: [u8; 2]) -> Self {
        Either { wanted, block: 0, places: 0 }
    }

    /// The first place from `from` on in these bytes, which have to be the same each
    /// time.
    #[inline]
    pub fn next(&mut self, bytes: &[u8], from: usize) -> Option<usize> {
        if let Some(offset @ ..BLOCK) = from.checked_sub(self.block) {
            let places = self.places >> offset;
            if places != 0 {
                return Some(from + places.trailing_zeros() as usize);
            }
        }
        self.look(bytes, from)
    }

    /// The same, in blocks that were not looked at.
    fn look(&mut self, bytes: &[u8], from: usize) -> Option<usize> {
        let mut at = from;
        while let Some(block) = bytes.get(at..).and_then(|rest| rest.first_chunk::<BLOCK>()) {
            (self.block, self.places) = (at, self.places_in(block));
            if self.places != 0 {
                return Some(at + self.places.trailing_zeros() as usize);
            }
            at += BLOCK;
        }
        let is_wanted = |byte: &u8| self.wanted.contains(byte);
        bytes.get(at..)?.iter().position(is_wanted).map(|more| at + more)
    }

    fn places_in(&self, block: &[u8; BLOCK]) -> u64 {
        let [one, other] = self.wanted.map(Lanes::splat);
        let (lanes, _) = block.as_chunks::<LANES>();
        lanes.iter().rev().fold(0, |places, lanes| {
            let lanes = Lanes::load(lanes);
            places << LANES | u64::from(lanes.equal(one).or(lanes.equal(other)).bits())
        })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn every_place_is_found(text in "[a-c]{0,20}[ab,;é]{0,200}", skips in proptest::collection::vec(1usize..90, 1..60)) {
            let mut either = Either::of([b',', b';']);
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
