//! The values of a place where they are few: levels, states, names of types.

use tuckaway_search::find;

/// More different values than this, or longer ones, are not kept.
const MAX_VALUES: usize = 5;
const MAX_VALUE_BYTES: usize = 24;

/// Strings seen at a place, each once, and how often.
#[derive(Default)]
pub struct Few {
    values: Vec<(Box<[u8]>, u64)>,
    /// More were seen than are kept.
    is_over: bool,
}

impl Few {
    /// Takes in the inside of a string.
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
            self.give_up();
        }
    }

    /// Not all that there is will be taken in.
    pub(super) fn give_up(&mut self) {
        *self = Few { values: Vec::new(), is_over: true };
    }

    /// Takes in what was seen at another place.
    pub(super) fn join(&mut self, other: Few) {
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

    /// The values, as they stand in the document, and how often each was there, in the
    /// order in which they came up; none where they are many.
    pub fn values(&self) -> &[(Box<[u8]>, u64)] {
        &self.values
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn few(values: &[&str]) -> Few {
        let mut few = Few::default();
        values.iter().for_each(|value| few.add(value.as_bytes()));
        few
    }

    fn shown(few: &Few) -> Vec<(&str, u64)> {
        few.values().iter().map(|(value, count)| (std::str::from_utf8(value).unwrap(), *count)).collect()
    }

    #[test]
    fn few_values_are_counted_and_many_are_not_kept() {
        assert_eq!(shown(&few(&["INFO", "ERROR", "INFO", ""])), [("INFO", 2), ("ERROR", 1), ("", 1)]);
        assert_eq!(shown(&few(&["1", "2", "3", "4", "5", "6", "1"])), []);
        assert_eq!(shown(&few(&["a", "a value that is too long to be one of few"])), []);
        assert_eq!(shown(&few(&["a", "a\\n"])), []);
    }

    #[test]
    fn places_are_joined() {
        let mut one = few(&["a", "b"]);
        one.join(few(&["b", "c"]));
        assert_eq!(shown(&one), [("a", 1), ("b", 2), ("c", 1)]);
        one.join(few(&["d", "e", "f"]));
        assert_eq!(shown(&one), []);
        one.join(few(&["a"]));
        assert_eq!(shown(&one), []);
    }
}
