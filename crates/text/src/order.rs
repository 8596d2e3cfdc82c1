//! Sorts that share one compiled sort of indices: the standard library's is compiled anew for each type
//! of item, and takes 6 to 9 KB of the component each time.

use std::cmp::Ordering;

/// Sorts by a key. Items with equal keys keep their order.
///
/// ```
/// let mut words = ["pear", "fig", "plum"];
/// tuckaway_text::order::sort_by_key(&mut words, |word| word.len());
/// assert_eq!(words, ["fig", "pear", "plum"]);
/// ```
pub fn sort_by_key<T, K: Ord>(items: &mut [T], key: impl Fn(&T) -> K) {
    sort_by(items, |l, r| key(l).cmp(&key(r)));
}

/// Sorts by a comparison. Items that are equal by it keep their order.
pub fn sort_by<T>(items: &mut [T], compare: impl Fn(&T, &T) -> Ordering) {
    let mut sources = sorted(items.len(), &|l, r| compare(&items[l], &items[r]));
    // Each cycle of the permutation is followed once; an index in its own place is done.
    for start in 0..items.len() {
        let mut at = start;
        while sources[at] != start {
            let source = std::mem::replace(&mut sources[at], at);
            items.swap(at, source);
            at = source;
        }
        sources[at] = at;
    }
}

/// Sorts items by their own order.
pub fn sort<T: Ord + Clone>(items: &mut [T]) {
    sort_by_key(items, T::clone);
}

/// Returns the index of the item that belongs in each place.
fn sorted(count: usize, compare: &dyn Fn(usize, usize) -> Ordering) -> Vec<usize> {
    let mut sources: Vec<usize> = (0..count).collect();
    sources.sort_by(|&l, &r| compare(l, r));
    sources
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn items_are_sorted_like_those_of_the_standard_library(
            mut items in prop::collection::vec((0u8..8, any::<u8>()), 0..200)
        ) {
            let mut expected = items.clone();
            expected.sort_by_key(|&(key, _)| key);
            sort_by_key(&mut items, |&(key, _)| key);
            prop_assert_eq!(&items, &expected);
            expected.sort();
            sort(&mut items);
            prop_assert_eq!(items, expected);
        }
    }
}
