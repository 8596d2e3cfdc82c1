//! The distinct strings at a path, if there are few: levels, states, names of types.

use tuckaway_search::find;

/// More values than this, or longer ones, are not kept.
const MAX_VALUES: usize = 5;
const MAX_VALUE_BYTES: usize = 24;

/// Distinct strings, each with its number of occurrences; none if there are many.
#[derive(Default)]
pub struct DistinctStrings {
    values: Vec<DistinctString>,
    /// There are more strings than are kept.
    is_over: bool,
}

/// A kept string, and its number of occurrences.
#[derive(Clone, Copy)]
pub struct DistinctString {
    bytes: [u8; MAX_VALUE_BYTES],
    length: usize,
    /// The number of its occurrences.
    pub count: u64,
}

impl DistinctString {
    /// Keeps a string of at most [`MAX_VALUE_BYTES`].
    fn new(inside: &[u8], count: u64) -> Option<Self> {
        let mut bytes = [0; MAX_VALUE_BYTES];
        bytes.get_mut(..inside.len())?.copy_from_slice(inside);
        Some(DistinctString { bytes, length: inside.len(), count })
    }

    /// Returns it in the document's spelling.
    pub fn text(&self) -> &[u8] {
        &self.bytes[..self.length]
    }
}

impl DistinctStrings {
    /// Adds the inside of a string.
    #[inline(always)]
    pub(super) fn add(&mut self, inside: &[u8]) {
        if !self.is_over {
            self.count(inside, 1);
        }
    }

    #[inline(never)]
    fn count(&mut self, inside: &[u8], times: u64) {
        let is_same = |known: &[u8]| known.len() == inside.len() && find::starts_with(known, inside);
        if let Some(known) = self.values.iter_mut().find(|known| is_same(known.text())) {
            known.count += times;
            return;
        }
        match DistinctString::new(inside, times) {
            Some(value) if self.values.len() < MAX_VALUES && !inside.contains(&b'\\') => {
                self.values.reserve_exact(MAX_VALUES - self.values.len());
                self.values.push(value);
            }
            _ => self.drop_values(),
        }
    }

    /// Drops the values, because not all of them will be added.
    pub(super) fn drop_values(&mut self) {
        *self = DistinctStrings { values: Vec::new(), is_over: true };
    }

    /// Adds the values of another path.
    pub(super) fn join(&mut self, other: DistinctStrings) {
        if other.is_over {
            *self = other;
        } else if !self.is_over {
            for value in &other.values {
                if !self.is_over {
                    self.count(value.text(), value.count);
                }
            }
        }
    }

    /// Returns the values in the order of their first occurrences; none if there are many.
    pub fn values(&self) -> &[DistinctString] {
        &self.values
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn distinct(values: &[&str]) -> DistinctStrings {
        let mut distinct = DistinctStrings::default();
        values.iter().for_each(|value| distinct.add(value.as_bytes()));
        distinct
    }

    fn shown(distinct: &DistinctStrings) -> Vec<(&str, u64)> {
        let values = distinct.values().iter();
        values.map(|value| (std::str::from_utf8(value.text()).unwrap(), value.count)).collect()
    }

    #[test]
    fn few_values_are_counted_and_many_are_not_kept() {
        assert_eq!(shown(&distinct(&["INFO", "ERROR", "INFO", ""])), [("INFO", 2), ("ERROR", 1), ("", 1)]);
        assert_eq!(shown(&distinct(&["1", "2", "3", "4", "5", "6", "1"])), []);
        assert_eq!(shown(&distinct(&["a", "a value that is too long to be one of few"])), []);
        assert_eq!(shown(&distinct(&["a", "a\\n"])), []);
    }

    #[test]
    fn values_of_two_paths_are_joined() {
        let mut one = distinct(&["a", "b"]);
        one.join(distinct(&["b", "c"]));
        assert_eq!(shown(&one), [("a", 1), ("b", 2), ("c", 1)]);
        one.join(distinct(&["d", "e", "f"]));
        assert_eq!(shown(&one), []);
        one.join(distinct(&["a"]));
        assert_eq!(shown(&one), []);
    }
}
