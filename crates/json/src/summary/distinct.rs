//! The different strings at a path, if they are few: levels, states, names of types.

use tuckaway_search::find;

/// More values than this, or longer ones, are not kept.
const MAX_VALUES: usize = 5;
const MAX_VALUE_BYTES: usize = 24;

/// Different strings, each with how often it occurs; none if they are many.
#[derive(Default)]
pub struct DistinctStrings {
    values: Vec<(Box<[u8]>, u64)>,
    /// There are more than are kept.
    is_over: bool,
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
        if let Some((_, count)) = self.values.iter_mut().find(|(known, _)| is_same(known)) {
            *count += times;
        } else if self.values.len() < MAX_VALUES
            && inside.len() <= MAX_VALUE_BYTES
            && !inside.contains(&b'\\')
        {
            self.values.push((inside.into(), times));
        } else {
            self.drop_values();
        }
    }

    /// Drops the values: not all of them will be added.
    pub(super) fn drop_values(&mut self) {
        *self = DistinctStrings { values: Vec::new(), is_over: true };
    }

    /// Adds the values of another path.
    pub(super) fn join(&mut self, other: DistinctStrings) {
        if other.is_over {
            *self = other;
        } else if !self.is_over {
            for (value, times) in &other.values {
                if !self.is_over {
                    self.count(value, *times);
                }
            }
        }
    }

    /// Returns the values as they are written in the document, and how often each occurs,
    /// in the order of their first occurrences; none if they are many.
    pub fn values(&self) -> &[(Box<[u8]>, u64)] {
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
        distinct.values().iter().map(|(value, count)| (std::str::from_utf8(value).unwrap(), *count)).collect()
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
