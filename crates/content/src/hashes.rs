//! A hash table whose insertions have a bounded cost for any values.
//!
//! The hashes are of values that come from outside and have no seed
//! ([`tuckaway_search::hash`]), so values can be chosen to collide. `hashbrown`, and with
//! it the standard library's maps, probe until they find a free slot and do not report
//! the distance: with chosen values, each insertion would visit the whole table.
//! A seed would prevent that, but the component has no source of randomness, and its
//! answers have to be the same everywhere. A `BTreeMap` is bounded too, but several
//! times slower, and every cell of a table's column is inserted. This table gives up
//! after [`PROBES`] slots instead: values that were not chosen never get that far.

/// Slots that are probed for a hash: more are needed only by hashes that were chosen
/// to collide.
pub(crate) const PROBES: usize = 96;
/// Slots of the smallest table.
const MIN_SLOTS: usize = 16;

/// Hashes with a number each, in a table with open addressing and linear probing.
#[derive(Default)]
pub struct Hashes {
    /// The slots: a power of two, at least half of them free. A free slot has the hash 0.
    slots: Vec<(u64, usize)>,
    count: usize,
}

impl Hashes {
    /// Returns the number of a hash.
    pub fn get(&self, hash: u64) -> Option<usize> {
        let slot = self.slot(hash)?;
        let (known, number) = self.slots[slot];
        (known != 0).then_some(number)
    }

    /// Inserts a hash with its number, unless it is known. Returns whether it was new;
    /// none if no slot is free for it within [`PROBES`]: then other hashes may have been
    /// forgotten as well.
    pub fn insert(&mut self, hash: u64, number: usize) -> Option<bool> {
        if (self.count + 1) * 2 > self.slots.len() && !self.grow() {
            return None;
        }
        let slot = self.slot(hash)?;
        let is_new = self.slots[slot].0 == 0;
        if is_new {
            self.slots[slot] = (hash.max(1), number);
            self.count += 1;
        }
        Some(is_new)
    }

    /// Returns whether a hash, which is not 0, is known and in the first slot that is probed for it, as
    /// most that are known are. Inserting it would change nothing.
    #[inline(always)]
    pub fn has_first(&self, hash: u64) -> bool {
        let first = (hash >> 32 ^ hash) as usize & self.slots.len().wrapping_sub(1);
        let is_first = self.slots.get(first).is_some_and(|(known, _)| *known == hash);
        is_first && (self.count + 1) * 2 <= self.slots.len()
    }

    /// Inserts a hash and returns whether it was new, as far as is known: without a free
    /// slot it is new each time.
    pub fn is_new(&mut self, hash: u64) -> bool {
        self.insert(hash, 0) != Some(false)
    }

    /// Returns the number of hashes.
    pub fn len(&self) -> usize {
        self.count
    }

    /// Returns the slot of a hash, or the free one where it would be inserted.
    fn slot(&self, hash: u64) -> Option<usize> {
        let hash = hash.max(1);
        let mask = self.slots.len().checked_sub(1)?;
        let first = (hash >> 32 ^ hash) as usize;
        let mut slots = (0..PROBES).map(|probe| first.wrapping_add(probe) & mask);
        slots.find(|&slot| matches!(self.slots[slot].0, known if known == 0 || known == hash))
    }

    /// Doubles the slots. Returns whether all hashes found one.
    fn grow(&mut self) -> bool {
        let count = (self.slots.len() * 2).max(MIN_SLOTS);
        let smaller = std::mem::replace(&mut self.slots, vec![(0, 0); count]);
        self.count = 0;
        let mut known = smaller.into_iter().filter(|(hash, _)| *hash != 0);
        known.all(|(hash, number)| match self.slot(hash) {
            Some(slot) => {
                self.slots[slot] = (hash, number);
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
        fn a_known_hash_keeps_its_first_number(hashes in proptest::collection::vec(1u64..200, 0..400), factor in any::<u64>()) {
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
    fn hashes_that_share_slots_run_out_of_them() {
        let mut table = Hashes::default();
        // All alike in what a slot is computed from.
        let hashes = (1..1_000u64).map(|n| n << 48 | n << 16);
        let refused = hashes.filter(|&hash| table.insert(hash, 0).is_none()).count();
        assert!(refused > 800, "{refused}");
    }
}
