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
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Set(Vec<(u32, u32)>);

const LAST: u32 = char::MAX as u32;

impl Set {
    pub(super) fn new(ranges: impl IntoIterator<Item = (u32, u32)>) -> Self {
        let mut ranges: Vec<(u32, u32)> = ranges.into_iter().collect();
        ranges.sort_unstable();
        let mut merged: Vec<(u32, u32)> = Vec::new();
        for (first, last) in ranges {
            match merged.last_mut() {
                Some(before) if first <= before.1.saturating_add(1) => before.1 = before.1.max(last),
                _ => merged.push((first, last)),
            }
        }
        Set(merged)
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
        Set::new(self.0.iter().copied().chain(self.0.iter().filter_map(other_case)))
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
    pub(super) fn new<'s>(sets: impl Iterator<Item = &'s Set>, assertions: bool) -> Self {
        let mut starts = vec![0];
        let mut cut = |set: &Set| {
            for &(first, last) in &set.0 {
                starts.push(first);
                starts.push(last + 1);
            }
        };
        sets.for_each(&mut cut);
        if assertions {
            let kinds = [b"\n\n", b"\r\r", b"09", b"AZ", b"__", b"az"];
            cut(&Set::new(kinds.map(|&[first, last]| (first.into(), last.into()))));
            // `\n` and `\r` lie apart, but digits and letters need all their ends.
            starts.extend([u32::from(b'\n') + 1, u32::from(b'\r')]);
        }
        starts.sort_unstable();
        starts.dedup();
        starts.retain(|&start| start <= LAST);
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
        let set = Set::new([(5, 9), (1, 3), (4, 4), (20, LAST)]);
        assert_eq!(set.ranges(), [(1, 9), (20, LAST)]);
        assert_eq!(set.negated().ranges(), [(0, 0), (10, 19)]);
        assert_eq!(set.negated().negated(), set);
        assert_eq!(Set::of('k').folded().ranges(), [(75, 75), (107, 107)]);
        assert_eq!(Set::default().negated().ranges(), [(0, LAST)]);
    }

    #[test]
    fn classes_tell_sets_and_kinds_apart() {
        let set = Set::new([(u32::from('b'), u32::from('c')), (0x100, 0x1FF)]);
        let classes = Classes::new([&set].into_iter(), true);
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
