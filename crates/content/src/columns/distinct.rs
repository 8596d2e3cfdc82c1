//! Counts different values, up to a bound.

use crate::bytes::are_same;
use crate::hashes::Hashes;
use tuckaway_search::hash;

/// Maximum values that are counted.
const MAX_DISTINCT: usize = 1_000;
/// Maximum values that are kept, with their numbers of occurrences.
const FEW: usize = 5;

/// Counts different values. Many are counted by their hashes: two values with the same 64
/// bits count as one.
pub struct Distinct<'a> {
    values: Values<'a>,
}

enum Values<'a> {
    /// The values with their numbers of occurrences, their hashes, and the index of the
    /// last one.
    Few { hashes: Vec<u64>, values: Vec<(&'a [u8], u64)>, last: usize },
    /// Their hashes.
    Many(Hashes),
    /// More values than are counted, and the number of counted ones.
    TooMany(u64),
}

impl Default for Distinct<'_> {
    fn default() -> Self {
        Distinct { values: Values::Few { hashes: Vec::new(), values: Vec::new(), last: 0 } }
    }
}

impl<'a> Distinct<'a> {
    /// Adds a value.
    #[inline(always)]
    pub fn push(&mut self, value: &'a [u8]) {
        match &mut self.values {
            Values::TooMany(_) => {}
            Values::Many(hashes) => {
                let hash = hash(value);
                if !hashes.has_first(hash) {
                    self.insert(hash, value);
                }
            }
            Values::Few { values, last, .. } => {
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

    /// Adds the last value once more.
    pub fn push_again(&mut self) {
        if let Values::Few { values, last, .. } = &mut self.values {
            values[*last].1 += 1;
        }
    }

    fn insert(&mut self, hash: u64, value: &'a [u8]) {
        match &mut self.values {
            Values::Few { hashes, values, last } => {
                *last = values.len();
                hashes.push(hash);
                values.push((value, 1));
                if hashes.len() > FEW {
                    let mut table = Hashes::default();
                    hashes.iter().for_each(|hash| _ = table.insert(*hash, 0));
                    self.values = Values::Many(table);
                }
            }
            Values::Many(hashes) => {
                let known = hashes.len() as u64;
                if hashes.insert(hash, 0).is_none() || hashes.len() > MAX_DISTINCT {
                    self.values = Values::TooMany(known);
                }
            }
            Values::TooMany(_) => {}
        }
    }

    /// Returns the values with their numbers of occurrences, if they are few.
    pub fn few(&self) -> Option<&[(&'a [u8], u64)]> {
        match &self.values {
            Values::Few { values, .. } => Some(values),
            _ => None,
        }
    }

    /// Returns their number; if there are more than are counted, an error with their
    /// minimum number.
    pub fn count(&self) -> Result<u64, u64> {
        match &self.values {
            Values::Few { values, .. } => Ok(values.len() as u64),
            Values::Many(hashes) => Ok(hashes.len() as u64),
            Values::TooMany(count) => Err(*count),
        }
    }
}

#[inline(always)]
fn hash(value: &[u8]) -> u64 {
    hash::of(value) | 1
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
    fn different_values_are_counted_up_to_a_bound() {
        for number in [0, 1, 5, 6, 7, 100, 999, 1_000] {
            let values: Vec<String> = (0..3_000).map(|n| format!("value {}", n % number.max(1))).collect();
            let values = if number == 0 { &[][..] } else { &values };
            assert_eq!(count(values), Ok(number));
        }
        let values: Vec<String> = (0..1_001).map(|n| n.to_string()).collect();
        assert_eq!(count(&values), Err(1_000));
        // Values of every form, not chosen by their hashes.
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
    fn values_chosen_to_collide_are_not_counted_on() {
        let slot = |hash: u64| (hash >> 32 ^ hash) & 0x7FF;
        let shares = |value: &String| slot(hash(value.as_bytes())) == 0;
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
