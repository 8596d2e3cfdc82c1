//! A table of hashes, for what comes as one already.

/// Places that are looked at for a hash: more are only needed by what was chosen to
/// share its own.
pub(crate) const PROBES: usize = 96;
/// Places of the smallest table.
const FEWEST: usize = 16;

/// Hashes, and a number with each, in a table with open addressing.
#[derive(Default)]
pub struct Hashes {
    /// A power of two of places, at least half of them free: hash 0 with any number.
    table: Vec<(u64, usize)>,
    count: usize,
}

impl Hashes {
    /// The number that stands with a hash.
    pub fn get(&self, hash: u64) -> Option<usize> {
        let place = self.place(hash)?;
        let (there, number) = self.table[place];
        (there != 0).then_some(number)
    }

    /// Whether a hash was not there, and is now with this number; none if no place
    /// is free where it is looked for. Then others may be forgotten as well.
    pub fn insert(&mut self, hash: u64, number: usize) -> Option<bool> {
        if (self.count + 1) * 2 > self.table.len() && !self.grow() {
            return None;
        }
        let place = self.place(hash)?;
        let is_new = self.table[place].0 == 0;
        if is_new {
            self.table[place] = (hash.max(1), number);
            self.count += 1;
        }
        Some(is_new)
    }

    /// Whether a hash was not there, as far as is known: it is now, if a place is free
    /// for it. Without one it is new each time.
    pub fn is_new(&mut self, hash: u64) -> bool {
        self.insert(hash, 0) != Some(false)
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.count
    }

    /// Where a hash is, or could be.
    fn place(&self, hash: u64) -> Option<usize> {
        let hash = hash.max(1);
        let mask = self.table.len().checked_sub(1)?;
        let first = (hash >> 32 ^ hash) as usize;
        let mut places = (0..PROBES).map(|probe| first.wrapping_add(probe) & mask);
        places.find(|&place| matches!(self.table[place].0, there if there == 0 || there == hash))
    }

    /// Twice as many places; whether all found one.
    fn grow(&mut self) -> bool {
        let places = (self.table.len() * 2).max(FEWEST);
        let smaller = std::mem::replace(&mut self.table, vec![(0, 0); places]);
        self.count = 0;
        let mut known = smaller.into_iter().filter(|(hash, _)| *hash != 0);
        known.all(|(hash, number)| match self.place(hash) {
            Some(place) => {
                self.table[place] = (hash, number);
                self.count += 1;
                true
            }
            None => false,
        })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use std::collections::HashMap;

    use super::*;

    proptest! {
        #[test]
        fn numbers_stand_with_their_hashes(hashes in proptest::collection::vec(1u64..200, 0..400), factor in any::<u64>()) {
            let (mut table, mut expected) = (Hashes::default(), HashMap::new());
            for (number, hash) in hashes.into_iter().enumerate() {
                let hash = hash.wrapping_mul(factor | 1 << 40 | 1).max(1);
                let is_new = !expected.contains_key(&hash);
                if let Some(new) = table.insert(hash, number) {
                    prop_assert_eq!(new, is_new);
                    expected.entry(hash).or_insert(number);
                    prop_assert_eq!(table.get(hash), expected.get(&hash).copied());
                }
                prop_assert!(table.len() <= expected.len());
            }
        }
    }

    #[test]
    fn hashes_that_share_a_place_run_out_of_it() {
        let mut table = Hashes::default();
        // All alike in what a place is made of.
        let hashes = (1..1_000u64).map(|n| n << 48 | n << 16);
        let refused = hashes.filter(|&hash| table.insert(hash, 0).is_none()).count();
        assert!(refused > 800, "{refused}");
    }
}
