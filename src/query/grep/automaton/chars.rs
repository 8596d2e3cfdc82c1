//! Characters as an automaton sees them: read off bytes that may be anything,
//! sorted into classes that no set of the pattern tells apart.

/// Reads the character that begins at the head of `bytes`, which are not empty,
/// and its length. What is not UTF-8 is U+FFFD, in the pieces in which the
/// standard shows it (see `query::lossy`).
///
/// A character that goes on behind the end of `bytes` is taken to end there.
pub(super) fn decode(bytes: &[u8]) -> (char, usize) {
    const INVALID: char = char::REPLACEMENT_CHARACTER;
    let lead = bytes[0];
    let (more, mut lowest, mut highest) = match lead {
        0..=0x7F => return (char::from(lead), 1),
        0xC2..=0xDF => (1, 0x80, 0xBF),
        0xE0 => (2, 0xA0, 0xBF),
        0xED => (2, 0x80, 0x9F),
        0xE1..=0xEF => (2, 0x80, 0xBF),
        0xF0 => (3, 0x90, 0xBF),
        0xF1..=0xF3 => (3, 0x80, 0xBF),
        0xF4 => (3, 0x80, 0x8F),
        _ => return (INVALID, 1),
    };
    let mut code = u32::from(lead) & (0x3F >> more);
    for at in 1..=more {
        match bytes.get(at) {
            Some(&next) if (lowest..=highest).contains(&next) => {
                code = code << 6 | u32::from(next & 0x3F);
            }
            _ => return (INVALID, at),
        }
        (lowest, highest) = (0x80, 0xBF);
    }
    (char::from_u32(code).unwrap_or(INVALID), more + 1)
}

/// Reads the character that ends with `bytes`, which are not empty and end at a
/// character's end; as [`decode`] from the other side. Of what lies before, the
/// last [`MAX_CHAR_BYTES`] are enough.
pub(super) fn decode_last(bytes: &[u8]) -> (char, usize) {
    let end = bytes.len();
    for back in 1..=end.min(MAX_CHAR_BYTES) {
        if bytes[end - back] & 0xC0 != 0x80 {
            return match decode(&bytes[end - back..]) {
                (c, length) if length == back => (c, length),
                _ => (char::REPLACEMENT_CHARACTER, 1),
            };
        }
    }
    (char::REPLACEMENT_CHARACTER, 1)
}

/// The longest character.
pub(super) const MAX_CHAR_BYTES: usize = 4;

/// What an assertion can tell of the place beside it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum Kind {
    /// The text begins or ends here.
    Edge,
    LineFeed,
    CarriageReturn,
    /// `[0-9A-Za-z_]`
    Word,
    Other,
}

impl Kind {
    pub(super) const ALL: [Kind; 5] =
        [Kind::Edge, Kind::LineFeed, Kind::CarriageReturn, Kind::Word, Kind::Other];

    fn of(c: u32) -> Kind {
        match u8::try_from(c) {
            Ok(b'\n') => Kind::LineFeed,
            Ok(b'\r') => Kind::CarriageReturn,
            Ok(byte) if byte.is_ascii_alphanumeric() || byte == b'_' => Kind::Word,
            _ => Kind::Other,
        }
    }
}

/// A set of characters: ranges, both ends included, in order and apart.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Set(Vec<(u32, u32)>);

const LAST: u32 = char::MAX as u32;

impl Set {
    pub(super) fn new(ranges: &[(u32, u32)]) -> Self {
        let mut set = Set::default();
        ranges.iter().for_each(|&range| set.insert(range));
        set
    }

    /// Adds a range. Sets are small: sorting them would cost more code than time.
    pub(super) fn insert(&mut self, (first, last): (u32, u32)) {
        let from = self.0.partition_point(|before| before.1.saturating_add(1) < first);
        let to = self.0.partition_point(|before| before.0 <= last.saturating_add(1));
        let touched = &self.0[from..to];
        let first = touched.first().map_or(first, |before| before.0.min(first));
        let last = touched.last().map_or(last, |before| before.1.max(last));
        self.0.splice(from..to, [(first, last)]);
    }

    /// Adds another set.
    pub(super) fn extend(&mut self, other: &Set) {
        other.0.iter().for_each(|&range| self.insert(range));
    }

    pub(super) fn of(c: char) -> Self {
        Set(vec![(c.into(), c.into())])
    }

    pub(super) fn ranges(&self) -> &[(u32, u32)] {
        &self.0
    }

    /// The only character in it.
    pub(super) fn single(&self) -> Option<char> {
        match self.0[..] {
            [(first, last)] if first == last => char::from_u32(first),
            _ => None,
        }
    }

    pub(super) fn negated(&self) -> Self {
        let mut gaps = Vec::new();
        let mut next = 0;
        for &(first, last) in &self.0 {
            if next < first {
                gaps.push((next, first - 1));
            }
            next = last + 1;
        }
        if next <= LAST {
            gaps.push((next, LAST));
        }
        Set(gaps)
    }

    /// With the other case of its ASCII letters. As in regex-lite, a range that
    /// reaches over letters of both cases gets no more of the upper ones' lower.
    pub(super) fn folded(&self) -> Self {
        let other_case = |&(first, last): &(u32, u32)| {
            let within = |low: u8, high: u8| {
                let (first, last) = (first.max(low.into()), last.min(high.into()));
                (first <= last).then_some((first, last))
            };
            match (within(b'a', b'z'), within(b'A', b'Z')) {
                (Some((first, last)), _) => Some((first - 32, last - 32)),
                (None, Some((first, last))) => Some((first + 32, last + 32)),
                (None, None) => None,
            }
        };
        let mut folded = self.clone();
        self.0.iter().filter_map(other_case).for_each(|range| folded.insert(range));
        folded
    }
}

/// The classes of a pattern: the stretches of characters between the ends of
/// its sets, numbered in their order.
#[derive(Debug)]
pub(super) struct Classes {
    /// Where each class begins.
    starts: Vec<u32>,
    /// The class of each ASCII byte; of all others [`Classes::not_ascii`].
    bytes: [u16; 256],
    kinds: Vec<Kind>,
}

impl Classes {
    /// The classes that tell these sets apart, and the kinds of characters if
    /// there are assertions.
    pub(super) fn new(sets: &[&Set], assertions: bool) -> Self {
        let mut starts = vec![0];
        let mut cut = |(first, last): (u32, u32)| {
            for start in [first, last + 1] {
                let at = starts.partition_point(|&before| before < start);
                if start <= LAST && starts.get(at) != Some(&start) {
                    starts.insert(at, start);
                }
            }
        };
        sets.iter().flat_map(|set| &set.0).for_each(|&range| cut(range));
        if assertions {
            for &[first, last] in [b"\n\n", b"\r\r", b"09", b"AZ", b"__", b"az"] {
                cut((first.into(), last.into()));
            }
        }
        let kinds = starts.iter().map(|&start| Kind::of(start)).chain([Kind::Edge]).collect();
        let mut classes = Classes { starts, bytes: [0; 256], kinds };
        for byte in 0..=u8::MAX {
            classes.bytes[usize::from(byte)] = match byte.is_ascii() {
                true => classes.of(byte.into()),
                false => classes.not_ascii(),
            };
        }
        classes
    }

    /// The class of a character.
    pub(super) fn of(&self, c: char) -> u16 {
        // Most patterns tell no letters of other scripts apart.
        let last = self.starts.len() - 1;
        if u32::from(c) >= self.starts[last] {
            return last as u16;
        }
        (self.starts.partition_point(|&start| start <= u32::from(c)) - 1) as u16
    }

    /// The class of each ASCII byte.
    pub(super) fn bytes(&self) -> &[u16; 256] {
        &self.bytes
    }

    /// The classes of a set, which is one of those that made them.
    pub(super) fn of_set(&self, set: &Set) -> Vec<(u16, u16)> {
        let class = |c: u32| (self.starts.partition_point(|&start| start <= c) - 1) as u16;
        set.0.iter().map(|&(first, last)| (class(first), class(last))).collect()
    }

    /// What stands for the end of the text, behind all classes.
    pub(super) fn end(&self) -> u16 {
        self.starts.len() as u16
    }

    /// What stands for a byte that is not ASCII, whose class is yet to be found.
    pub(super) fn not_ascii(&self) -> u16 {
        self.end() + 1
    }

    /// Classes, the end, and what is not ASCII.
    pub(super) fn count(&self) -> usize {
        self.starts.len() + 2
    }

    pub(super) fn kind(&self, class: u16) -> Kind {
        self.kinds[usize::from(class)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn sets_are_in_order_and_apart() {
        let set = Set::new(&[(5, 9), (1, 3), (4, 4), (20, LAST)]);
        assert_eq!(set.ranges(), [(1, 9), (20, LAST)]);
        assert_eq!(set.negated().ranges(), [(0, 0), (10, 19)]);
        assert_eq!(set.negated().negated(), set);
        assert_eq!(Set::of('k').folded().ranges(), [(75, 75), (107, 107)]);
        assert_eq!(Set::default().negated().ranges(), [(0, LAST)]);
    }

    #[test]
    fn classes_tell_sets_and_kinds_apart() {
        let set = Set::new(&[(u32::from('b'), u32::from('c')), (0x100, 0x1FF)]);
        let classes = Classes::new(&[&set], true);
        let class = |c| classes.of(c);
        assert_eq!(class('b'), class('c'));
        assert!(class('a') != class('b') && class('c') != class('d') && class('é') != class('\u{100}'));
        for (c, kind) in
            [('\n', Kind::LineFeed), ('\r', Kind::CarriageReturn), ('_', Kind::Word), ('-', Kind::Other)]
        {
            assert_eq!(classes.kind(class(c)), kind, "{c:?}");
        }
        for c in (0..0x250).filter_map(char::from_u32) {
            assert_eq!(classes.kind(class(c)), Kind::of(c.into()), "{c:?}");
        }
        assert_eq!(classes.kind(classes.end()), Kind::Edge);
    }

    proptest! {
        #[test]
        fn a_set_holds_what_was_put_in(ranges in proptest::collection::vec((0u32..60, 0u32..9), 0..12)) {
            let ranges: Vec<(u32, u32)> = ranges.into_iter().map(|(first, more)| (first, first + more)).collect();
            let set = Set::new(&ranges);
            let within = |ranges: &[(u32, u32)], c| ranges.iter().any(|&(first, last)| (first..=last).contains(&c));
            for c in 0..80 {
                prop_assert_eq!(within(set.ranges(), c), within(&ranges, c));
            }
            prop_assert!(set.ranges().windows(2).all(|pair| pair[0].1 + 1 < pair[1].0));
        }

        #[test]
        fn characters_are_read_as_they_are_shown(
            bytes in proptest::collection::vec(prop_oneof![any::<u8>(), 0x80u8..0xF8], 0..40),
            text in "\\PC{0,9}",
        ) {
            for bytes in [bytes, text.into_bytes()] {
                let (mut at, mut ends, mut shown) = (0, vec![0], String::new());
                while at < bytes.len() {
                    let (c, length) = decode(&bytes[at..]);
                    shown.push(c);
                    at += length;
                    ends.push(at);
                }
                prop_assert_eq!(&shown, &String::from_utf8_lossy(&bytes));
                for (pair, c) in ends.windows(2).zip(shown.chars()) {
                    prop_assert_eq!(decode_last(&bytes[..pair[1]]), (c, pair[1] - pair[0]));
                }
            }
        }
    }
}
