//! Cuts text between graphemes, so that no emoji, flag, accent or Hangul syllable is
//! split.

use unicode_segmentation::{GraphemeCursor, GraphemeIncomplete};

/// The longest grapheme in bytes that is never split. No reader would recognise a longer grapheme
/// (a letter under hundreds of accents): it may be cut between characters, so that the search for a
/// boundary never scans a whole text.
pub const MAX_GRAPHEME_BYTES: usize = 256;

/// Returns the last grapheme boundary at or before `at`; the text's end if `at` is past
/// it.
pub fn floor_grapheme(text: &str, at: usize) -> usize {
    if at >= text.len() {
        return text.len();
    }
    let at = text.floor_char_boundary(at);
    boundary(text, at, Direction::Backward)
}

/// Returns the first grapheme boundary at or after `at`; the text's end if `at` is past
/// it.
pub fn ceil_grapheme(text: &str, at: usize) -> usize {
    if at >= text.len() {
        return text.len();
    }
    let at = text.ceil_char_boundary(at);
    boundary(text, at, Direction::Forward)
}

/// Returns the longest head of at most `max` bytes that ends between graphemes. If the first
/// grapheme alone is longer, the head ends between characters, so that a caller who processes a
/// text head by head always makes progress. The head is empty only if `max` is less than the first
/// character.
pub fn head(text: &str, max: usize) -> &str {
    match floor_grapheme(text, max) {
        0 => &text[..text.floor_char_boundary(max)],
        end => &text[..end],
    }
}

/// Returns the longest tail of at most `max` bytes, as [`head`] does from the other end.
pub fn tail(text: &str, max: usize) -> &str {
    let from = text.len().saturating_sub(max);
    let start = ceil_grapheme(text, from);
    if start == text.len() {
        return &text[text.ceil_char_boundary(from)..];
    }
    &text[start..]
}

/// Truncates a text of more than `max` bytes to its [`head`] and `…`, in at most `max` bytes
/// together (but never less than the `…`).
pub fn with_ellipsis(mut text: String, max: usize) -> String {
    if text.len() > max {
        text.truncate(head(&text, max.saturating_sub('…'.len_utf8())).len());
        text.push('…');
    }
    text
}

/// Truncates a text of more than `max` bytes to its [`head`] of at most `max` bytes, and appends
/// `…`.
pub fn excerpt(mut text: String, max: usize) -> String {
    if text.len() > max {
        text.truncate(head(&text, max).len());
        text.push('…');
    }
    text
}

#[derive(Clone, Copy, PartialEq)]
enum Direction {
    Backward,
    Forward,
}

/// Returns the grapheme boundary nearest to the character boundary `at` in a direction, or
/// `at` itself if none is within [`MAX_GRAPHEME_BYTES`]. Only a window around it is
/// inspected: the rules of Unicode reach back over one run of joined characters at most.
fn boundary(text: &str, at: usize, direction: Direction) -> usize {
    // Two ASCII characters have a boundary between them, unless they are CR LF.
    let bytes = text.as_bytes();
    if at == 0 || (bytes[at - 1].is_ascii() && bytes[at].is_ascii() && &bytes[at - 1..=at] != b"\r\n") {
        return at;
    }
    let from = text.floor_char_boundary(at.saturating_sub(2 * MAX_GRAPHEME_BYTES));
    let from = from + rest_of_flag(&bytes[..at], from);
    let to = text.ceil_char_boundary((at + 2 * MAX_GRAPHEME_BYTES).min(text.len()));
    let window = &text[from..to];
    let mut cursor = GraphemeCursor::new(at - from, window.len(), true);
    match cursor.is_boundary(window, 0) {
        Ok(true) => return at,
        Ok(false) => {}
        Err(_) => return at,
    }
    let found: Result<Option<usize>, GraphemeIncomplete> = match direction {
        Direction::Backward => cursor.prev_boundary(window, 0),
        Direction::Forward => cursor.next_boundary(window, 0),
    };
    match found {
        Ok(Some(found)) if (from + found).abs_diff(at) <= MAX_GRAPHEME_BYTES => from + found,
        _ => at,
    }
}

/// Returns the number of bytes of a flag after `at`, if `at` is in the middle of one. Flags
/// are pairs of regional indicators; where a pair begins in a run of them depends on
/// where the run begins.
fn rest_of_flag(bytes: &[u8], at: usize) -> usize {
    /// Bytes of a regional indicator.
    const LETTER: usize = 4;
    const MAX_RUN: usize = 16 << 10;
    let is_letter = |letter: &[u8]| matches!(letter, [0xF0, 0x9F, 0x87, 0xA6..=0xBF]);
    if !bytes.get(at..at + LETTER).is_some_and(is_letter) {
        return 0;
    }
    let before =
        bytes[..at].rchunks_exact(LETTER).take(MAX_RUN).take_while(|letter| is_letter(letter)).count();
    if before % 2 == 1 { LETTER } else { 0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use unicode_segmentation::UnicodeSegmentation;

    const FAMILY: &str = "👩‍👩‍👧";

    #[test]
    fn joined_characters_stay_together() {
        for whole in [FAMILY, "🇩🇪", "é", "각", "क्षि", "\r\n", "👍🏽"] {
            let text = format!("ab{whole}cd");
            for at in 3..2 + whole.len() {
                assert_eq!(floor_grapheme(&text, at), 2, "{whole:?} at {at}");
                assert_eq!(ceil_grapheme(&text, at), 2 + whole.len(), "{whole:?} at {at}");
            }
        }
    }

    #[test]
    fn flags_pair_from_their_start() {
        let flags = "🇩🇪🇫🇷🇮🇹";
        assert_eq!(head(flags, 20), "🇩🇪🇫🇷");
        assert_eq!(tail(flags, 20), "🇫🇷🇮🇹");
        let row = "🇩🇪".repeat(1_000);
        for max in 3_000..3_020 {
            assert!(
                head(&row, max).len().is_multiple_of(8) && tail(&row, max).len().is_multiple_of(8),
                "{max}"
            );
            assert!(head(&row[4..], max).len().is_multiple_of(8));
        }
    }

    #[test]
    fn an_endless_grapheme_is_cut_between_characters() {
        let zalgo = format!("a{}", "\u{0301}".repeat(10_000));
        let cut = head(&zalgo, 1_000);
        assert!(!cut.is_empty() && cut.len() <= 1_000);
        assert!(!tail(&zalgo, 1_000).is_empty());
    }

    #[test]
    fn progress_is_made_within_one_grapheme() {
        assert_eq!(head(FAMILY, 5), "👩");
        assert_eq!(tail(FAMILY, 5), "👧");
        assert_eq!(head(FAMILY, 3), "");
    }

    #[test]
    fn an_ellipsis_marks_a_cut() {
        for (text, max, within, after) in [
            ("short", 5, "short", "short"),
            ("longer", 5, "lo…", "longe…"),
            ("éèêë", 6, "é…", "éèê…"),
            ("long", 2, "…", "lo…"),
            ("", 0, "", ""),
        ] {
            assert_eq!(with_ellipsis(text.to_owned(), max), within, "{text:?} in {max}");
            assert_eq!(excerpt(text.to_owned(), max), after, "{text:?} in {max}");
        }
    }

    proptest! {
        #[test]
        fn cuts_are_where_the_standard_has_boundaries(text in "\\PC{0,40}", at in 0usize..200) {
            let boundaries: Vec<usize> = text.grapheme_indices(true).map(|(i, _)| i).chain([text.len()]).collect();
            let floor = floor_grapheme(&text, at);
            let ceil = ceil_grapheme(&text, at);
            prop_assert!(boundaries.contains(&floor) && floor <= at);
            prop_assert!(boundaries.contains(&ceil) && (ceil >= at || ceil == text.len()));
        }
    }
}
