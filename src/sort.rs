//! One sort for elements of all types.
//!
//! The standard library's is compiled for every type that it sorts, some 5 KB
//! each time. This one sorts places, which are of one type, and then moves the
//! elements: for what is sorted rarely or is short.

use std::cmp::Ordering;

/// Sorts; what is equal stays in its order.
pub fn by<T>(items: &mut [T], order: impl Fn(&T, &T) -> Ordering) {
    let mut from = sorted_places(items.len(), &|l, r| order(&items[l], &items[r]));
    // Around each ring of places that move into each other.
    for start in 0..items.len() {
        let mut at = start;
        loop {
            let next = std::mem::replace(&mut from[at], at);
            if next == start || next == at {
                break;
            }
            items.swap(at, next);
            at = next;
        }
    }
}

/// Sorts numbers.
pub fn numbers(numbers: &mut [usize]) {
    sort(numbers, &|l, r| l.cmp(&r));
}

/// For each place, from which its element comes.
fn sorted_places(len: usize, order: &dyn Fn(usize, usize) -> Ordering) -> Vec<usize> {
    let mut places: Vec<usize> = (0..len).collect();
    sort(&mut places, order);
    places
}

/// The standard library's sort, compiled once.
fn sort(numbers: &mut [usize], order: &dyn Fn(usize, usize) -> Ordering) {
    numbers.sort_by(|&l, &r| order(l, r));
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn sorts_as_the_standard_library_does(mut items in prop::collection::vec((0u8..8, any::<u8>()), 0..100)) {
            let mut expected = items.clone();
            expected.sort_by_key(|(key, _)| *key);
            by(&mut items, |(l, _), (r, _)| l.cmp(r));
            prop_assert_eq!(items, expected);
        }
    }
}
