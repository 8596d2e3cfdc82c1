//! Removes control characters and terminal sequences from text, for readers without a
//! terminal.

use std::borrow::Cow;

use tuckaway_search::find;

use crate::control::next_control;
use crate::escape::sequence_len;
use crate::lossy;
use crate::screen::{Returns, shown};

/// The character that begins an escape sequence.
const ESC: u8 = 0x1B;

/// Returns the text without control characters except tabs and line endings, and without escape
/// sequences (ECMA-48). If carriage returns overwrite text, the last state is kept; a backspace
/// drops the character before it. Bidirectional control characters stay. The result is never longer
/// than the text and has as many line feeds, unless the text's lines end in carriage returns alone:
/// these become line feeds.
pub fn clean(text: &str) -> Cow<'_, str> {
    let Some(first) = next_control(text.as_bytes(), 0) else { return Cow::Borrowed(text) };
    let has_feeds = find::byte(b'\n', text.as_bytes()).is_some();
    let returns = if has_feeds { Returns::Overwrite } else { Returns::EndLines };
    let shown = shown(text.as_bytes(), first, returns);
    // The result is UTF-8 because the text is.
    let shown = String::from_utf8(shown);
    Cow::Owned(shown.unwrap_or_else(|error| lossy(error.as_bytes()).into_owned()))
}

/// Returns bytes without the escape sequences (ECMA-48) that begin with ESC, and otherwise
/// unchanged: carriage returns, backspaces and invalid bytes stay, and so do all line feeds.
pub fn without_sequences(bytes: &[u8]) -> Cow<'_, [u8]> {
    let mut next = find::byte(ESC, bytes);
    if next.is_none() {
        return Cow::Borrowed(bytes);
    }
    let (mut kept, mut done) = (Vec::with_capacity(bytes.len()), 0);
    while let Some(at) = next {
        kept.extend_from_slice(&bytes[done..at]);
        done = at + sequence_len(&bytes[at..]);
        next = find::byte(ESC, &bytes[done..]).map(|offset| done + offset);
    }
    kept.extend_from_slice(&bytes[done..]);
    Cow::Owned(kept)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn controls_are_executed_or_dropped() {
        for (text, cleaned) in [
            ("plain \t text\r\nwith lines\n", "plain \t text\r\nwith lines\n"),
            ("\x1B[1;31merror\x1B[0m: no \x1B[4mfile\x1B[m", "error: no file"),
            ("\x1B]8;;https://example.com\x1B\\link\x1B]8;;\x1B\\ \x1B]0;title\x07text", "link text"),
            ("\x1B(B\x1B=\x1B7text\x1Bc", "text"),
            ("\x1BP1$r0m\x1B\\\x1B^private\x1B\\text", "text"),
            ("\u{9B}31mred\u{9B}0m\u{85}", "red"),
            ("a\0b\x07c\x7Fd\x0Be", "abcde"),
            ("é\x08e語\x08g", "eg"),
            ("N\x08NA\x08AM\x08ME\x08E _\x08x_\x08y", "NAME xy"),
            ("one\n\x08\x08two", "one\ntwo"),
            ("10%\r50%\r100%\ndone\n", "100%\ndone\n"),
            ("start\n\x1B[2K10%\r\x1B[2K50%\r", "start\n50%"),
            ("twice\r\r\nnext\r\n", "twice\r\nnext\r\n"),
            ("old\rmac\r", "old\nmac\n"),
            // Bidirectional control characters, joiners and apparent escape sequences stay.
            ("\u{202B}עברית\u{202C} \u{200D}👩‍👩‍👧 [0m £«»", "\u{202B}עברית\u{202C} \u{200D}👩‍👩‍👧 [0m £«»"),
            ("cut \x1B[3", "cut "),
            ("cut \x1B", "cut "),
            ("cut \x1B]0;title\nnext", "cut 0;title\nnext"),
            ("\x1B[31é", "é"),
        ] {
            assert_eq!(clean(text), cleaned, "{text:?}");
        }
    }

    #[test]
    fn sequences_are_removed_and_nothing_else() {
        for (text, expected) in [
            ("\x1B[1;31merror\x1B[0m: \x1B]8;;a:b\x1B\\link\x1B]8;;\x1B\\\n", "error: link\n"),
            ("50%\r100%\x08\0\x1B[32mok\x1B[0m,\u{9B}\n", "50%\r100%\x08\0ok,\u{9B}\n"),
            ("cut \x1B[3", "cut "),
            ("\x1B\x1B[0mx\x1B", "x"),
            ("plain\r\n", "plain\r\n"),
        ] {
            assert_eq!(without_sequences(text.as_bytes()), expected.as_bytes(), "{text:?}");
        }
    }

    #[test]
    fn clean_text_is_not_copied() {
        assert!(matches!(clean("é £ ü\r\n\ttext\n"), Cow::Borrowed(_)));
    }

    proptest! {
        #[test]
        fn no_control_is_left_in_any_text(text in "[a-z0-9\\[\\];é£語\u{85}\u{9B}\0\x07\x08\t\n\r\x1B\x7F\\\\]{0,60}") {
            let cleaned = clean(&text);
            prop_assert!(cleaned.len() <= text.len());
            prop_assert!(!cleaned.chars().any(|c| c.is_control() && !"\t\n\r".contains(c)), "{:?}", cleaned);
            let feeds = |text: &str| text.matches('\n').count();
            if text.contains('\n') {
                prop_assert_eq!(feeds(&cleaned), feeds(&text));
            }
        }
    }
}
