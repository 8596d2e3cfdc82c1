//! Text as a terminal would have left it: what moves a cursor, sets a colour or
//! rings a bell is nothing to read.
//!
//! ```text
//! text ─► next_control ─┬─► none: the text as it is
//!                       └─► each one carried out or dropped
//! ```

use std::borrow::Cow;

use tuckaway_search::find;

use crate::control::next_control;

/// The longest control string (a title, a link's address) that is looked for an
/// end; what is longer was cut off, and only its introducer is dropped.
const MAX_STRING_BYTES: usize = 4 << 10;

/// The text without control characters but tabs and line ends, and without
/// escape sequences (ECMA-48). Of what a carriage return has overwritten the
/// last state is left, a backspace takes the character before it. Marks of
/// direction stay. Never longer than the text, with as many line feeds, unless
/// its lines end in carriage returns alone: then these become line feeds.
pub fn clean(text: &str) -> Cow<'_, str> {
    let Some(first) = next_control(text.as_bytes(), 0) else { return Cow::Borrowed(text) };
    let has_feeds = find::byte(b'\n', text.as_bytes()).is_some();
    let mut screen = Screen { text: String::with_capacity(text.len()), line: 0, returned: false };
    let mut place = 0;
    let mut control = Some(first);
    while let Some(at) = control {
        screen.print(&text[place..at]);
        place = at + step(text, at, &mut screen, has_feeds);
        control = next_control(text.as_bytes(), place);
    }
    screen.print(&text[place..]);
    Cow::Owned(screen.text)
}

/// The text so far.
struct Screen {
    text: String,
    /// Where its last line begins.
    line: usize,
    /// A carriage return was last: what is printed next overwrites the line.
    returned: bool,
}

impl Screen {
    fn print(&mut self, text: &str) {
        if text.is_empty() {
            return;
        }
        // A line that ends after its carriage return was not overwritten.
        if self.returned && !text.starts_with(['\n', '\r']) {
            self.text.truncate(self.line);
        }
        self.returned = false;
        let start = self.text.len();
        self.text.push_str(text);
        if let Some(feed) = find::last_byte(b'\n', text.as_bytes()) {
            self.line = start + feed + 1;
        }
    }

    fn backspace(&mut self) {
        if self.text.len() > self.line {
            self.text.pop();
        }
    }
}

/// Carries out the control at a place; gives how many bytes it takes.
fn step(text: &str, at: usize, screen: &mut Screen, has_feeds: bool) -> usize {
    let bytes = text.as_bytes();
    match bytes[at] {
        b'\r' if has_feeds => {
            screen.returned = true;
            1
        }
        b'\r' => {
            screen.print("\n");
            1
        }
        0x08 => {
            screen.backspace();
            1
        }
        0x1B => 1 + escape(&bytes[at + 1..]),
        // The second byte of a control in two: U+009B begins what ESC [ does.
        0xC2 if bytes[at + 1] == 0x9B => 2 + parameters(&bytes[at + 2..]),
        0xC2 => 2,
        _ => 1,
    }
}

/// Bytes of an escape sequence behind its ESC; those that do belong to it, if it
/// breaks off.
fn escape(rest: &[u8]) -> usize {
    match rest.first() {
        Some(b'[') => 1 + parameters(&rest[1..]),
        Some(b']' | b'P' | b'X' | b'^' | b'_') => 1 + string(&rest[1..]),
        _ => {
            let between = rest.iter().take_while(|byte| (0x20..0x30).contains(*byte)).count();
            between + usize::from(rest.get(between).is_some_and(|byte| (0x30..0x7F).contains(byte)))
        }
    }
}

/// Parameters and the final byte that says what they are for.
fn parameters(rest: &[u8]) -> usize {
    let between = rest.iter().take_while(|byte| (0x20..0x40).contains(*byte)).count();
    between + usize::from(rest.get(between).is_some_and(|byte| (0x40..0x7F).contains(byte)))
}

/// A control string with its end, a bell or ESC \; nothing if it has none in its
/// line.
fn string(rest: &[u8]) -> usize {
    let reach = &rest[..rest.len().min(MAX_STRING_BYTES)];
    match find::any_byte([0x07, 0x1B, b'\n'], reach) {
        Some(end) if rest[end] == 0x07 => end + 1,
        Some(end) if rest[end..].starts_with(b"\x1B\\") => end + 2,
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn what_is_nothing_to_read_goes() {
        for (text, cleaned) in [
            ("plain \t text\r\nwith lines\n", "plain \t text\r\nwith lines\n"),
            ("\x1B[1;31merror\x1B[0m: no \x1B[4mfile\x1B[m", "error: no file"),
            ("\x1B]8;;https://example.com\x1B\\link\x1B]8;;\x1B\\ \x1B]0;title\x07text", "link text"),
            ("\x1B(B\x1B=\x1B7text\x1Bc", "text"),
            ("\u{9B}31mred\u{9B}0m\u{85}", "red"),
            ("a\0b\x07c\x7Fd\x0Be", "abcde"),
            ("N\x08NA\x08AM\x08ME\x08E _\x08x_\x08y", "NAME xy"),
            ("one\n\x08\x08two", "one\ntwo"),
            ("10%\r50%\r100%\ndone\n", "100%\ndone\n"),
            ("start\n\x1B[2K10%\r\x1B[2K50%\r", "start\n50%"),
            ("twice\r\r\nnext\r\n", "twice\r\nnext\r\n"),
            ("old\rmac\r", "old\nmac\n"),
            // Marks of direction, joiners and what looks like an escape stay.
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
    fn clean_text_is_not_copied() {
        assert!(matches!(clean("é £ ü\r\n\ttext\n"), Cow::Borrowed(_)));
    }

    proptest! {
        #[test]
        fn any_text_comes_out_clean(text in "[a-z0-9\\[\\];é£語\u{85}\u{9B}\0\x07\x08\t\n\r\x1B\x7F\\\\]{0,60}") {
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
