//! Lines as a terminal would show them.

use std::borrow::Cow;

use tuckaway_search::{EitherByte, feeds};

use crate::control::next_control;
use crate::screen::{Returns, shown};

/// The visible text of a line; borrowed if it is the whole line.
pub type Visible<'a> = Cow<'a, [u8]>;

/// Returns the text that a terminal would show of a line, as [`crate::clean::clean`] does for a
/// text: without escape sequences and control characters except tabs, and with the last state of
/// overwritten text.
pub fn visible(line: &[u8]) -> Visible<'_> {
    match next_control(line, 0) {
        Some(first) => Cow::Owned(shown(line, first, Returns::Overwrite)),
        None => Cow::Borrowed(line),
    }
}

/// Iterates over the lines of a text as [`tuckaway_search::Lines`] does, each as its
/// [`visible`] text, with their numbers from 1.
pub struct VisibleLines<'a> {
    bytes: &'a [u8],
    at: usize,
    number: u64,
    /// The offset of the next control character, if it is after `at`: one search serves all lines
    /// before it.
    control: usize,
    feeds: EitherByte,
}

impl<'a> VisibleLines<'a> {
    /// Iterates over the lines of these bytes.
    pub fn of(bytes: &'a [u8]) -> Self {
        let bytes = bytes.strip_prefix("\u{FEFF}".as_bytes()).unwrap_or(bytes);
        VisibleLines { bytes, at: 0, number: 0, control: 0, feeds: feeds() }
    }

    /// Returns where the next line begins, counted from the end of a BOM.
    pub fn offset(&self) -> usize {
        self.at
    }
}

impl<'a> Iterator for VisibleLines<'a> {
    type Item = (u64, Visible<'a>);

    fn next(&mut self) -> Option<Self::Item> {
        let start = self.at;
        if start == self.bytes.len() {
            return None;
        }
        let feed = self.feeds.next(self.bytes, start);
        let line = &self.bytes[start..feed.unwrap_or(self.bytes.len())];
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        if self.control <= start {
            self.control = next_control(self.bytes, start).unwrap_or(self.bytes.len());
        }
        self.at = feed.map_or(self.bytes.len(), |feed| feed + 1);
        self.number += 1;
        let first = self.control - start;
        let line = match first < line.len() {
            true => Cow::Owned(shown(line, first, Returns::Overwrite)),
            false => Cow::Borrowed(line),
        };
        Some((self.number, line))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use tuckaway_search::Lines;

    use super::*;
    use crate::clean::clean;

    #[test]
    fn controls_are_not_visible() {
        for (line, shown) in [
            ("\x1b[1m\x1b[31merror\x1b[0m: x", "error: x"),
            ("\x1b]8;;https://example.com\x1b\\src/main.rs\x1b]8;;\x07:3", "src/main.rs:3"),
            ("\x1b(Btext\u{9B}0m\x07", "text"),
            ("10%\r50%\r100%", "100%"),
            ("100%\r", "100%"),
            ("_\x08a_\x08b", "ab"),
            ("cut\x1b[3", "cut"),
        ] {
            assert_eq!(String::from_utf8_lossy(&visible(line.as_bytes())), shown, "{line:?}");
        }
        assert_eq!(&*visible(b"caf\xE9\x1b[0m\xFF\x08"), b"caf\xE9");
    }

    #[test]
    fn lines_without_controls_are_not_copied() {
        let lines = VisibleLines::of(b"a\tb\r\n\xC3\xA9\nc\x1b[0m\nd");
        let copied: Vec<bool> = lines.map(|(_, line)| matches!(line, Cow::Owned(_))).collect();
        assert_eq!(copied, [false, false, true, false]);
    }

    proptest! {
        #[test]
        fn lines_are_those_of_clean_text(
            text in "([ab語\n]{0,9}(\r|\x1b\\[1m|\r\n|\x08|\x1b\\]8;;[a\r]?(\x07|\x1b\\\\|\n)|\x1b|[\0\u{85}\u{9B}\\[;])?){0,9}\n",
        ) {
            let lines: Vec<_> = VisibleLines::of(text.as_bytes()).collect();
            let each: Vec<_> = (1..).zip(Lines::of(text.as_bytes()).map(visible)).collect();
            prop_assert_eq!(&lines, &each);
            let cleaned = clean(&text);
            let cleaned: Vec<_> = (1..).zip(Lines::of(cleaned.as_bytes()).map(Cow::Borrowed)).collect();
            prop_assert_eq!(lines, cleaned);
        }
    }
}
