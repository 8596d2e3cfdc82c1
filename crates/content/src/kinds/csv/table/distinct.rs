//! How many different values there are, counted up to a cap.

use crate::bytes::are_same;
use crate::hashes::Hashes;

/// Values are told apart up to so many.
const MAX_DISTINCT: usize = 1_000;
/// So many are kept themselves, and how often each was there.
const FEW: usize = 5;

/// Different values; where they are many by their hashes: two that share one of
/// 64 bits are one.
pub struct Distinct<'a> {
    seen: Seen<'a>,
}

enum Seen<'a> {
    /// The values themselves, their hashes, how often each was there, and which was
    /// the last.
    Few { hashes: Vec<u64>, values: Vec<(&'a [u8], u64)>, last: usize },
    /// Their hashes.
    Many(Hashes),
    /// More than are told apart: how many were.
    TooMany(u64),
}

impl Default for Distinct<'_> {
    fn default() -> Self {
        Distinct { seen: Seen::Few { hashes: Vec::new(), values: Vec::new(), last: 0 } }
    }
}

impl<'a> Distinct<'a> {
    /// Takes a value in.
    #[inline(always)]
    pub fn push(&mut self, value: &'a [u8]) {
        match &mut self.seen {
            Seen::TooMany(_) => {}
            Seen::Many(_) => self.insert(hash(value), value),
            Seen::Few { values, last, .. } => {
                match values.iter().position(|(known, _)| are_same(known, value)) {
                    Some(known) => {
                        values[known].1 += 1;
                        *last = known;
                    }
                    None => self.insert(hash(value), value),
                }
            }
        }
    }

    /// Takes in the value that was taken in last once more.
    pub fn push_again(&mut self) {
        if let Seen::Few { values, last, .. } = &mut self.seen {
            values[*last].1 += 1;
        }
    }

    fn insert(&mut self, hash: u64, value: &'a [u8]) {
        match &mut self.seen {
            Seen::Few { hashes, values, last } => {
                *last = values.len();
                hashes.push(hash);
                values.push((value, 1));
                if hashes.len() > FEW {
                    let mut table = Hashes::default();
                    hashes.iter().for_each(|hash| _ = table.insert(*hash, 0));
                    self.seen = Seen::Many(table);
                }
            }
            Seen::Many(hashes) => {
                let known = hashes.len() as u64;
                if hashes.insert(hash, 0).is_none() || hashes.len() > MAX_DISTINCT {
                    self.seen = Seen::TooMany(known);
                }
            }
            Seen::TooMany(_) => {}
        }
    }

    /// The values and how often each was there, if they are few.
    pub fn few(&self) -> Option<&[(&'a [u8], u64)]> {
        match &self.seen {
            Seen::Few { values, .. } => Some(values),
            _ => None,
        }
    }

    /// How many there are; where that is more than are told apart, how many there
    /// are at least.
    pub fn count(&self) -> Result<u64, u64> {
        match &self.seen {
            Seen::Few { values, .. } => Ok(values.len() as u64),
            Seen::Many(hashes) => Ok(hashes.len() as u64),
            Seen::TooMany(count) => Err(*count),
        }
    }
}

#[inline(always)]
fn hash(value: &[u8]) -> u64 {
    const FACTOR: u64 = 0x9E37_79B9_7F4A_7C15;
    let mut hash = (value.len() as u64).wrapping_mul(FACTOR);
    let mut mix = |word: u64| hash = (hash.rotate_left(23) ^ word).wrapping_mul(FACTOR);
    if let Some(last) = value.last_chunk::<8>() {
        value.as_chunks::<8>().0.iter().for_each(|word| mix(u64::from_le_bytes(*word)));
        mix(u64::from_le_bytes(*last));
    } else if let (Some(first), Some(last)) = (value.first_chunk::<4>(), value.last_chunk::<4>()) {
        mix(u64::from(u32::from_le_bytes(*first)) << 32 | u64::from(u32::from_le_bytes(*last)));
    } else {
        mix(value.iter().fold(0, |word, byte| word << 8 | u64::from(*byte)));
    }
    // What differs in the last bytes differs in the highest bits alone.
    hash = (hash ^ hash >> 32).wrapping_mul(FACTOR);
    (hash ^ hash >> 29) | 1
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hashes::PROBES;

    fn count(values: &[String]) -> Result<u64, u64> {
        let mut distinct = Distinct::default();
        values.iter().for_each(|value| distinct.push(value.as_bytes()));
        distinct.count()
    }

    #[test]
    fn different_values_are_counted_up_to_a_cap() {
        for number in [0, 1, 5, 6, 7, 100, 999, 1_000] {
            let values: Vec<String> = (0..3_000).map(|n| format!("value {}", n % number.max(1))).collect();
            let values = if number == 0 { &[][..] } else { &values };
            assert_eq!(count(values), Ok(number));
        }
        let values: Vec<String> = (0..1_001).map(|n| n.to_string()).collect();
        assert_eq!(count(&values), Err(1_000));
        // However values are made that are not chosen by their hashes.
        for make in [
            |n| format!("{}", n * 7),
            |n| format!("{n:08}"),
            |n| format!("2026-{n}"),
            |n| format!("/{n}/x"),
            |n| format!("customer {n}"),
            |n| format!("{n} is the number of it"),
        ] {
            assert_eq!(count(&(0..1_000).map(make).collect::<Vec<String>>()), Ok(1_000));
        }
    }

    #[test]
    fn values_chosen_to_share_a_place_are_given_up() {
        let place = |hash: u64| (hash >> 32 ^ hash) & 0x7FF;
        let shares = |value: &String| place(hash(value.as_bytes())) == 0;
        let values: Vec<String> = (0..).map(|n: u32| n.to_string()).filter(shares).take(200).collect();
        assert_eq!(count(&values), Err(PROBES as u64));
        assert_eq!(count(&values[..PROBES]), Ok(PROBES as u64));
    }

    #[test]
    fn few_values_are_kept_and_counted() {
        let mut distinct = Distinct::default();
        for value in ["a", "b", "a", "a"] {
            distinct.push(value.as_bytes());
        }
        assert_eq!(distinct.few(), Some(&[(&b"a"[..], 3), (&b"b"[..], 1)][..]));
    }
}
