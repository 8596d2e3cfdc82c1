//! Compares short values eight bytes at a time: WebAssembly has no instruction that
//! compares memory, and the function called instead takes one byte at a time.

use std::cmp::Ordering;

/// Returns whether two values are the same.
#[inline(always)]
pub fn are_same(one: &[u8], other: &[u8]) -> bool {
    one.len() == other.len()
        && are_same_in::<8>(one, other)
            .or_else(|| are_same_in::<4>(one, other))
            .unwrap_or_else(|| one.iter().zip(other).all(|(one, other)| one == other))
}

/// Compares two values of the same length `N` bytes at a time, the last ones from the
/// end; none if they are shorter than that.
#[inline(always)]
fn are_same_in<const N: usize>(one: &[u8], other: &[u8]) -> Option<bool> {
    let ends = one.last_chunk::<N>()? == other.last_chunk::<N>()?;
    let (ones, others) = (one.as_chunks::<N>().0, other.as_chunks::<N>().0);
    Some(ends && ones.iter().zip(others).all(|(one, other)| one == other))
}

/// Returns whether two values differ only in digits.
pub fn are_alike(one: &[u8], other: &[u8]) -> bool {
    let is_alike = |(one, other): (&u8, &u8)| one == other || one.is_ascii_digit() && other.is_ascii_digit();
    one.len() == other.len() && one.iter().zip(other).all(is_alike)
}

/// Orders two values as slices of bytes are ordered.
#[inline]
pub fn order(one: &[u8], other: &[u8]) -> Ordering {
    let ((ones, one_rest), (others, other_rest)) = (one.as_chunks::<8>(), other.as_chunks::<8>());
    for (one, other) in ones.iter().zip(others) {
        let order = u64::from_be_bytes(*one).cmp(&u64::from_be_bytes(*other));
        if order.is_ne() {
            return order;
        }
    }
    match ones.len().cmp(&others.len()) {
        Ordering::Equal => rest(one_rest).cmp(&rest(other_rest)).then(one_rest.len().cmp(&other_rest.len())),
        Ordering::Less => one_rest.cmp(&others[ones.len()]),
        Ordering::Greater => ones[others.len()][..].cmp(other_rest),
    }
}

/// Returns fewer than eight bytes as the most significant bytes of a word.
#[inline]
fn rest(bytes: &[u8]) -> u64 {
    bytes.iter().rev().fold(0, |word, byte| word >> 8 | u64::from(*byte) << 56)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn values_are_ordered_as_slices_are(head in "[ab\0]{0,20}", one in "[ab\0\u{FF}]{0,12}", other in "[ab\0\u{FF}]{0,12}") {
            let (one, other) = (format!("{head}{one}").into_bytes(), format!("{head}{other}").into_bytes());
            prop_assert_eq!(order(&one, &other), one.cmp(&other));
            prop_assert_eq!(are_same(&one, &other), one == other);
        }
    }
}
