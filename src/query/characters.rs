//! Reads part of an artifact by characters: Unicode scalar values of its text, in which
//! each sequence that is not UTF-8 is one U+FFFD.
//!
//! ```text
//! character ─► the last checkpoint before it ─► its byte ─► a page of text
//! ```

use tuckaway_contract::Error;
use tuckaway_search::source::ByteSource;
use tuckaway_text::{counted, cut};

use super::index::{self, Unit};
use super::lossy;
use super::source::Source;
use super::{Target, binary_name};

/// A page of characters.
pub(crate) struct CharacterPage {
    pub text: String,
    /// The first character shown, and the one after the last.
    pub shown: (u64, u64),
    /// Whether the artifact has more characters after the page.
    pub has_more: bool,
    /// The size of the artifact.
    pub size_bytes: u64,
    /// The name of the artifact's format if its first page is binary.
    pub binary: Option<&'static str>,
}

/// Reads characters from `start` up to `end`, as many as fit in `max` bytes, and at least one if
/// there is any.
///
/// Errors: `invalid-input` for an `end` before `start`, and a `start` past the last
/// character; those of the store.
pub(crate) fn page(
    source: &Source<'_>,
    start: u64,
    end: Option<u64>,
    max: usize,
) -> Result<CharacterPage, Error> {
    if let Some(end) = end.filter(|&end| end < start) {
        return Err(Error::invalid(format!("The range ends at {end}, before it starts at {start}.")));
    }
    let offset = offset_of(source, start)?;
    let window = source.read_at(offset, max.saturating_add(cut::MAX_GRAPHEME_BYTES))?;
    let wanted = match end {
        Some(end) => lossy::len_of_units(&window, end - start),
        None => window.len(),
    };
    // Bytes after the range would decide where its last grapheme ends.
    let is_whole = wanted < window.len();
    let text = String::from_utf8_lossy(&window[..wanted]);
    let (text, taken) = match is_whole && text.len() <= max {
        true => (text.into_owned(), wanted),
        false => lossy::head(&window[..wanted], max),
    };
    Ok(CharacterPage {
        shown: (start, start + text.chars().count() as u64),
        has_more: offset + (taken as u64) < source.size(),
        size_bytes: source.size(),
        binary: Some(&window).filter(|_| offset == 0).and_then(|head| binary_name(head)),
        text,
    })
}

/// Returns the byte at which a character begins: the size for the one after the last.
fn offset_of(source: &Source, character: u64) -> Result<u64, Error> {
    let mut from = index::last_checkpoint(source, Unit::Character, |checkpoint| {
        checkpoint.count <= character && checkpoint.offset <= source.size()
    });
    let found = index::walk(source, Unit::Character, &mut from, source.size(), |checkpoint, chunk| {
        let left = character - checkpoint.count;
        let begin = lossy::unit_around(chunk.bytes, chunk.before).1.max(chunk.before);
        // A character that continues past the chunk still begins in it.
        let at = begin + lossy::len_of_units(&chunk.bytes[begin..], left);
        (lossy::count_units(chunk.bytes, chunk.before) > left)
            .then(|| checkpoint.offset + (at - chunk.before) as u64)
    })?;
    match found {
        Some(offset) => Ok(offset),
        None if from.count == character => Ok(source.size()),
        None => Err(Error::invalid(match from.count {
            0 => format!("There is no character {character}: the {} is empty.", source.words().noun),
            count => format!(
                "There is no character {character}: the {} has {}.",
                source.words().noun,
                counted(count, "character")
            ),
        })),
    }
}

/// Returns the number of characters that begin before each of these bytes, which ascend.
pub(crate) fn before(target: &Target<'_>, offsets: &[u64]) -> Result<Vec<u64>, Error> {
    let source = target.open()?;
    let Some(&first) = offsets.first() else { return Ok(Vec::new()) };
    let mut from = index::last_checkpoint(&source, Unit::Character, |checkpoint| checkpoint.offset <= first);
    let mut counts = Vec::new();
    for &offset in offsets {
        index::walk(&source, Unit::Character, &mut from, offset, |_, _| None::<()>)?;
        counts.push(from.count);
    }
    Ok(counts)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::query::testing::One;
    use proptest::prelude::*;

    fn read(store: &One, start: u64, end: Option<u64>, max: usize) -> Result<CharacterPage, Error> {
        page(&Target::artifact(store, "art").open()?, start, end, max)
    }

    #[test]
    fn ranges_are_of_characters() {
        let store = One("aé👍🏽b\u{FFFD}".as_bytes().iter().copied().chain([0xE2, 0x82]).collect());
        let text = |start, end| read(&store, start, Some(end), 300).unwrap().text;
        assert_eq!(text(0, 2), "aé");
        assert_eq!(text(2, 3), "👍");
        assert_eq!(text(3, 5), "🏽b");
        assert_eq!(text(5, 99), "\u{FFFD}\u{FFFD}");
        assert_eq!(text(7, 9), "");
        assert!(!read(&store, 5, None, 300).unwrap().has_more);
        let message = |start, end| read(&store, start, end, 300).err().unwrap().message;
        assert_eq!(message(8, None), "There is no character 8: the artifact has 7 characters.");
        assert_eq!(message(3, Some(1)), "The range ends at 1, before it starts at 3.");
    }

    #[test]
    fn characters_far_inside_are_found_and_found_again() {
        let store = One("é€a\n".repeat(700_000).into_bytes());
        for start in [0, 2_799_996, 4, 1_000_000, 2_000_001, 1_999_999] {
            let expected: String = "é€a\n".chars().cycle().skip(start as usize % 4).take(4).collect();
            assert_eq!(read(&store, start, Some(start + 4), 300).unwrap().text, expected, "{start}");
        }
        let target = Target::artifact(&store, "art");
        assert_eq!(before(&target, &[0, 2, 7, 4_899_993]).unwrap(), [0, 1, 4, 2_799_996]);
    }

    fn bytes() -> impl Strategy<Value = Vec<u8>> {
        let piece = prop_oneof![
            Just("a".as_bytes().to_vec()),
            Just("é\n".as_bytes().to_vec()),
            Just("👍🏽".as_bytes().to_vec()),
            Just("e\u{301}".as_bytes().to_vec()),
            proptest::collection::vec(0x80u8..=0xFF, 1..4),
        ];
        proptest::collection::vec(piece, 0..200).prop_map(|pieces| pieces.concat())
    }

    proptest! {
        #[test]
        fn pages_are_the_whole_text(bytes in bytes(), max in 128usize..200) {
            let text = String::from_utf8_lossy(&bytes).into_owned();
            let store = One(bytes);
            let (mut start, mut all) = (0, String::new());
            loop {
                let page = read(&store, start, None, max).unwrap();
                prop_assert!(page.text.len() <= max);
                all += &page.text;
                start = page.shown.1;
                if !page.has_more {
                    break;
                }
            }
            prop_assert_eq!(all, text);
        }

        #[test]
        fn units_are_counted_wherever_chunks_begin(bytes in bytes(), at in 0usize..600) {
            let at = at.min(bytes.len());
            let from = at.saturating_sub(3);
            let whole = String::from_utf8_lossy(&bytes).chars().count() as u64;
            let first = lossy::count_units(&bytes[..at], 0);
            prop_assert_eq!(first + lossy::count_units(&bytes[from..], at - from), whole);
        }
    }
}
