//! One stable sort for all types.
//!
//! The standard library's sorts are compiled once for each type and comparison, and take
//! about 6 KB of the component each time. Lists for which speed does not matter share one:
//! it sorts indexes.

use std::cmp::Ordering;

/// Sorts by a comparison; equal items keep their order.
///
/// ```
/// let mut words = ["two", "three", "one"];
/// tuckaway_text::order::sort_by(&mut words, |l, r| l.len().cmp(&r.len()));
/// assert_eq!(words, ["two", "one", "three"]);
/// ```
pub fn sort_by<T>(items: &mut [T], mut compare: impl FnMut(&T, &T) -> Ordering) {
    let mut order = sorted_indexes(items.len(), &mut |l, r| compare(&items[l], &items[r]));
    // Each cycle of indexes is a chain of swaps.
    for start in 0..order.len() {
        let mut at = start;
        loop {
            let from = std::mem::replace(&mut order[at], at);
            if from == start {
                break;
            }
            items.swap(at, from);
            at = from;
        }
    }
}

/// Sorts by a key.
pub fn sort_by_key<T, K: Ord>(items: &mut [T], mut key: impl FnMut(&T) -> K) {
    sort_by(items, |l, r| key(l).cmp(&key(r)));
}

/// Sorts by the order of the items.
pub fn sort<T: Ord>(items: &mut [T]) {
    sort_by(items, T::cmp);
}

/// Returns the indexes of a list in the order of its items.
#[inline(never)]
fn sorted_indexes(length: usize, compare: &mut dyn FnMut(usize, usize) -> Ordering) -> Vec<usize> {
    let mut order: Vec<usize> = (0..length).collect();
    order.sort_by(|&l, &r| compare(l, r));
    order
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn sorts_as_the_standard_library_does(items in proptest::collection::vec((0u8..20, any::<u8>()), 0..100)) {
            let (mut ours, mut theirs) = (items.clone(), items);
            super::sort_by_key(&mut ours, |item| item.0);
            theirs.sort_by_key(|item| item.0);
            prop_assert_eq!(&ours, &theirs);
            super::sort(&mut ours);
            theirs.sort();
            prop_assert_eq!(ours, theirs);
        }
    }
}
