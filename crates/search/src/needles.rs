//! The search for several texts at once, or for a text in any case.
//!
//! Of each text two bytes are looked for, those that are likely to be seldom,
//! at 64 places together; where both are found the text itself is compared.

use crate::lanes::{LANES, Lanes};

/// A byte that a text has, or a letter in both cases.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Byte {
    value: u8,
    /// The bit that the cases of a letter differ in, where case is ignored;
    /// `value` has it.
    either: u8,
}

impl Byte {
    /// Just this byte.
    pub fn exactly(value: u8) -> Self {
        Byte { value, either: 0 }
    }

    /// An ASCII letter in both cases; any other byte as it is.
    pub fn in_any_case(value: u8) -> Self {
        let either = if value.is_ascii_alphabetic() { 0x20 } else { 0 };
        Byte { value: value | either, either }
    }

    /// The byte, unless it is a letter in both cases.
    pub fn exact(self) -> Option<u8> {
        (self.either == 0).then_some(self.value)
    }

    /// How seldom it is in what tools say, from 1.
    pub fn rarity(self) -> u32 {
        let rarity = match self.value {
            b' ' | b'e' | b't' | b'a' | b'o' | b'i' | b'n' | b's' | b'r' => 1,
            b'"' | b',' | b':' | b'.' | b'0'..=b'9' | b'l' | b'd' | b'c' | b'u' | b'm' | b'p' => 2,
            b'a'..=b'z' | b'/' | b'-' | b'_' | b'=' => 3,
            b'A'..=b'Z' => 5,
            _ => 6,
        };
        if self.either == 0 { 2 * rarity } else { rarity }
    }

    fn is(self, byte: u8) -> bool {
        byte | self.either == self.value
    }
}

/// Places that are looked at together.
const BLOCK: usize = 4 * LANES;

/// Texts, and what finds the first of them.
#[derive(Clone, Debug)]
pub struct Needles {
    texts: Vec<Vec<Byte>>,
    probes: Vec<[Probe; 2]>,
    /// Bytes from a place on that the probes look at.
    reach: usize,
}

/// A byte of a text, as it is compared with those of a block.
#[derive(Clone, Copy, Debug)]
struct Probe {
    offset: usize,
    value: Lanes,
    either: Lanes,
}

impl Needles {
    /// None if there is no text, or an empty one.
    pub fn new(texts: Vec<Vec<Byte>>) -> Option<Self> {
        let probes: Option<Vec<_>> = texts.iter().map(|text| probes(text)).collect();
        let probes = probes.filter(|probes| !probes.is_empty())?;
        let reach = probes.iter().flatten().map(|probe| probe.offset + BLOCK).max()?;
        Some(Needles { texts, probes, reach })
    }

    /// Just this text, if it is not empty.
    pub fn of(text: &[u8]) -> Option<Self> {
        Needles::new(vec![text.iter().map(|&byte| Byte::exactly(byte)).collect()])
    }

    /// Bytes of the longest text.
    pub fn longest(&self) -> usize {
        self.texts.iter().map(Vec::len).max().unwrap_or(0)
    }

    /// The first place from `from` on where one of the texts begins.
    pub fn find(&self, bytes: &[u8], from: usize) -> Option<usize> {
        let mut at = from;
        while let Some(block) = bytes.get(at..).filter(|rest| rest.len() >= self.reach) {
            let mut places = self.likely(block);
            while places != 0 {
                let place = at + places.trailing_zeros() as usize;
                if self.is_at(&bytes[place..]) {
                    return Some(place);
                }
                places &= places - 1;
            }
            at += BLOCK;
        }
        (at..bytes.len()).find(|&at| self.is_at(&bytes[at..]))
    }

    /// The places of the first block, a bit each, where a text is likely to
    /// begin. Elsewhere none does.
    #[inline]
    fn likely(&self, bytes: &[u8]) -> u64 {
        let mut found = [Lanes::splat(0); BLOCK / LANES];
        for [first, second] in &self.probes {
            let (ones, twos) = (first.blocks(bytes), second.blocks(bytes));
            for ((found, one), two) in found.iter_mut().zip(ones).zip(twos) {
                *found = found.or(first.marks(one).and(second.marks(two)));
            }
        }
        match found[0].or(found[1]).or(found[2].or(found[3])).any() {
            true => found.iter().rev().fold(0, |places, lanes| places << LANES | u64::from(lanes.bits())),
            false => 0,
        }
    }

    fn is_at(&self, bytes: &[u8]) -> bool {
        let is_at = |text: &Vec<Byte>| {
            text.len() <= bytes.len() && text.iter().zip(bytes).all(|(want, &byte)| want.is(byte))
        };
        self.texts.iter().any(is_at)
    }
}

impl Probe {
    /// What it looks at in the block that `bytes` begin with.
    #[inline(always)]
    fn blocks<'b>(&self, bytes: &'b [u8]) -> impl Iterator<Item = &'b [u8; LANES]> {
        bytes[self.offset..self.offset + BLOCK].as_chunks().0.iter()
    }

    #[inline(always)]
    fn marks(&self, bytes: &[u8; LANES]) -> Lanes {
        Lanes::load(bytes).or(self.either).equal(self.value)
    }
}

/// The two bytes of a text that are likely to be the most seldom; of one byte,
/// it twice.
fn probes(text: &[Byte]) -> Option<[Probe; 2]> {
    let probe = |offset: usize| Probe {
        offset,
        value: Lanes::splat(text[offset].value),
        either: Lanes::splat(text[offset].either),
    };
    let seldom = |but: Option<usize>| {
        (0..text.len()).filter(|&at| Some(at) != but).max_by_key(|&at| text[at].rarity())
    };
    let first = seldom(None)?;
    Some([probe(first), probe(seldom(Some(first)).unwrap_or(first))])
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn exactly(texts: &[&str]) -> Needles {
        Needles::new(texts.iter().map(|text| text.bytes().map(Byte::exactly).collect()).collect()).unwrap()
    }

    fn in_any_case(texts: &[&str]) -> Needles {
        Needles::new(texts.iter().map(|text| text.bytes().map(Byte::in_any_case).collect()).collect())
            .unwrap()
    }

    #[test]
    fn a_text_is_found_at_every_place() {
        let needles = exactly(&["needle", "x", "pin"]);
        for length in [0, 1, 5, 6, 63, 64, 65, 70, 130, 300] {
            assert_eq!(needles.find(&vec![b'n'; length], 0), None);
            for (text, at) in
                ["needle", "x", "pin"].iter().flat_map(|text| (0..length).map(move |at| (text, at)))
            {
                let mut bytes = vec![b'n'; length];
                let fits = at + text.len() <= length;
                let end = length.min(at + text.len());
                bytes[at..end].copy_from_slice(&text.as_bytes()[..end - at]);
                assert_eq!(needles.find(&bytes, 0), fits.then_some(at), "{text} at {at} of {length}");
                assert_eq!(needles.find(&bytes, at), fits.then_some(at));
                assert_eq!(needles.find(&bytes, at + 1), None);
            }
        }
    }

    #[test]
    fn only_letters_have_cases() {
        let needles = in_any_case(&["a[1"]);
        assert_eq!(needles.find(b"a{1 A[\x11 A[1", 0), Some(8));
        assert_eq!(Byte::in_any_case(b'A'), Byte::in_any_case(b'a'));
        assert_eq!(Byte::in_any_case(b'[').exact(), Some(b'['));
        assert_eq!(Byte::in_any_case(b'a').exact(), None);
    }

    #[test]
    fn nothing_is_no_needle() {
        assert!(Needles::new(Vec::new()).is_none());
        assert!(Needles::new(vec![vec![Byte::exactly(b'a')], Vec::new()]).is_none());
        assert_eq!(exactly(&["a", "abc"]).longest(), 3);
    }

    #[test]
    fn a_search_behind_the_end_finds_nothing() {
        assert_eq!(exactly(&["a"]).find(b"aaa", 3), None);
        assert_eq!(exactly(&["a"]).find(b"aaa", usize::MAX), None);
    }

    proptest! {
        #[test]
        fn the_first_of_all_texts_is_found(
            texts in prop::collection::vec("[abA{\\[é]{1,4}", 1..9),
            any_case: bool,
            pieces in prop::collection::vec("[abAB{\\[é]{0,4}|[xyz]{0,90}", 0..12),
            from in 0usize..300,
        ) {
            let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
            let needles = if any_case { in_any_case(&texts) } else { exactly(&texts) };
            let bytes = pieces.concat().into_bytes();
            let is_at = |at: usize| texts.iter().any(|text| bytes[at..].get(..text.len()).is_some_and(|there| match any_case {
                true => there.eq_ignore_ascii_case(text.as_bytes()),
                false => there == text.as_bytes(),
            }));
            prop_assert_eq!(needles.find(&bytes, from), (from..bytes.len()).find(|&at| is_at(at)));
        }
    }
}
