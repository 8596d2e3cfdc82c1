//! The search for several texts at once, or for a text in any case.
//!
//! The search looks for the two probably rarest bytes of each text, at 64 offsets together; where
//! both occur, the whole text is compared. Many texts are searched for by their fingerprints
//! instead.

use crate::byte::Byte;
use crate::fingerprints::{BLOCK, Fingerprints};
use crate::lanes::{LANES, Lanes};

/// A search for the first of several texts.
#[derive(Clone, Debug)]
pub struct Needles {
    texts: Vec<Vec<Byte>>,
    /// Empty with fingerprints.
    probes: Vec<[Probe; 2]>,
    /// Bytes that are read from an offset on.
    reach: usize,
    /// The first bytes of the texts, if there are many.
    fingerprints: Option<Box<Fingerprints>>,
}

/// From this many texts on, fingerprints are faster than probes.
const MANY: usize = 5;

/// A byte of a text, to be compared with those of a block.
#[derive(Clone, Copy, Debug)]
struct Probe {
    offset: usize,
    value: Lanes,
    either: Lanes,
}

impl Needles {
    /// Prepares a search; none if there is no text, or an empty one.
    pub fn new(texts: Vec<Vec<Byte>>) -> Option<Self> {
        let fingerprints = if texts.len() >= MANY { Fingerprints::of(&texts).map(Box::new) } else { None };
        let (probes, reach) = match fingerprints {
            Some(_) => (Vec::new(), Fingerprints::REACH),
            None => {
                let probes: Vec<_> = texts.iter().map(|text| probes(text)).collect::<Option<_>>()?;
                let offset = probes.iter().flatten().map(|probe| probe.offset).max()?;
                (probes, offset + BLOCK)
            }
        };
        Some(Needles { texts, probes, reach, fingerprints })
    }

    /// Prepares a search for one text; none if it is empty.
    pub fn of(text: &[u8]) -> Option<Self> {
        Needles::new(vec![text.iter().map(|&byte| Byte::exactly(byte)).collect()])
    }

    /// Returns the length of the longest text in bytes.
    pub fn longest(&self) -> usize {
        self.texts.iter().map(Vec::len).max().unwrap_or(0)
    }

    /// Returns the first offset from `from` on where one of the texts begins.
    pub fn find(&self, bytes: &[u8], from: usize) -> Option<usize> {
        let mut at = from;
        while let Some(block) = bytes.get(at..).filter(|rest| rest.len() >= self.reach) {
            let candidates = match &self.fingerprints {
                Some(fingerprints) => fingerprints.candidates(block),
                None => self.candidates(block),
            };
            if candidates != 0
                && let Some(found) = self.first_of(candidates, bytes, at)
            {
                return Some(found);
            }
            at += BLOCK;
        }
        match (&self.fingerprints, bytes.get(at..)) {
            // Many short lines have no more bytes than this.
            (Some(fingerprints), Some(rest)) => {
                let mut block = [0; Fingerprints::REACH];
                block[..rest.len()].copy_from_slice(rest);
                self.first_of(fingerprints.candidates(&block), bytes, at)
            }
            _ => (at..bytes.len()).find(|&at| self.is_at(&bytes[at..])),
        }
    }

    /// Returns the first candidate in the block at `at` where a text begins.
    fn first_of(&self, mut candidates: u64, bytes: &[u8], at: usize) -> Option<usize> {
        while candidates != 0 {
            let candidate = at + candidates.trailing_zeros() as usize;
            if bytes.get(candidate..).is_some_and(|bytes| self.is_at(bytes)) {
                return Some(candidate);
            }
            candidates &= candidates - 1;
        }
        None
    }

    /// Sets a bit for each offset of the first block where both probes of a text match; no
    /// text begins at any other.
    #[inline]
    fn candidates(&self, bytes: &[u8]) -> u64 {
        let mut found = [Lanes::splat(0); BLOCK / LANES];
        for [first, second] in &self.probes {
            let (ones, twos) = (first.blocks(bytes), second.blocks(bytes));
            for ((found, one), two) in found.iter_mut().zip(ones).zip(twos) {
                *found = found.or(first.marks(one).and(second.marks(two)));
            }
        }
        match found[0].or(found[1]).or(found[2].or(found[3])).any() {
            true => found.iter().rev().fold(0, |bits, lanes| bits << LANES | u64::from(lanes.bits())),
            false => 0,
        }
    }

    fn is_at(&self, bytes: &[u8]) -> bool {
        let is_at = |text: &Vec<Byte>| {
            text.len() <= bytes.len() && text.iter().zip(bytes).all(|(wanted, &byte)| wanted.matches(byte))
        };
        let Some(fingerprints) = &self.fingerprints else { return self.texts.iter().any(is_at) };
        // Nearly all candidates belong to one bucket, and none of its texts occurs there.
        let mut buckets = fingerprints.buckets(bytes);
        while buckets != 0 {
            let texts = fingerprints.texts_of(buckets.trailing_zeros() as usize);
            if texts.iter().any(|&index| is_at(&self.texts[index])) {
                return true;
            }
            buckets &= buckets - 1;
        }
        false
    }
}

impl Probe {
    /// Returns the bytes to compare it with, in the block at the start of `bytes`.
    #[inline(always)]
    fn blocks<'b>(&self, bytes: &'b [u8]) -> impl Iterator<Item = &'b [u8; LANES]> {
        bytes[self.offset..self.offset + BLOCK].as_chunks().0.iter()
    }

    #[inline(always)]
    fn marks(&self, bytes: &[u8; LANES]) -> Lanes {
        Lanes::load(bytes).or(self.either).equal(self.value)
    }
}

/// Returns probes for the two bytes of a text that are probably the rarest; a text of one
/// byte has the same probe twice.
fn probes(text: &[Byte]) -> Option<[Probe; 2]> {
    let probe = |offset: usize| Probe {
        offset,
        value: Lanes::splat(text[offset].value()),
        either: Lanes::splat(text[offset].either()),
    };
    let rarest = |except: Option<usize>| {
        (0..text.len()).filter(|&at| Some(at) != except).max_by_key(|&at| text[at].rarity())
    };
    let first = rarest(None)?;
    Some([probe(first), probe(rarest(Some(first)).unwrap_or(first))])
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
    fn a_text_is_found_at_every_offset() {
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
    fn no_text_and_empty_texts_are_refused() {
        assert!(Needles::new(Vec::new()).is_none());
        assert!(Needles::new(vec![vec![Byte::exactly(b'a')], Vec::new()]).is_none());
        assert_eq!(exactly(&["a", "abc"]).longest(), 3);
    }

    #[test]
    fn a_search_after_the_end_finds_nothing() {
        assert_eq!(exactly(&["a"]).find(b"aaa", 3), None);
        assert_eq!(exactly(&["a"]).find(b"aaa", usize::MAX), None);
    }

    proptest! {
        #[test]
        fn the_first_of_all_texts_is_found(
            texts in prop_oneof![
                prop::collection::vec("[abA{\\[é]{1,4}", 1..9),
                prop::collection::vec("[abA{\\[é]{3,5}", MANY..20),
            ],
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
