//! What a terminal would show of lines.

use std::borrow::Cow;

use tuckaway_search::find;

/// What begins an escape sequence.
const ESCAPE: u8 = 0x1b;

/// What is visible of a line: mostly all of it, as it stands in the text.
pub type Visible<'a> = Cow<'a, [u8]>;

/// What a terminal would show of a line: without escape sequences, and of what
/// carriage returns overwrite the last state.
pub fn visible(line: &[u8]) -> Visible<'_> {
    match next_control(line) {
        Some(_) => without_controls(line),
        None => Cow::Borrowed(line),
    }
}

fn next_control(bytes: &[u8]) -> Option<usize> {
    find::any_byte([ESCAPE, b'\r', b'\r'], bytes)
}

fn without_controls(line: &[u8]) -> Visible<'_> {
    let line = match find::last_byte(b'\r', line) {
        Some(back) if back + 1 < line.len() => &line[back + 1..],
        _ => line,
    };
    let Some(first) = find::byte(ESCAPE, line) else { return Cow::Borrowed(line) };
    let mut shown = line[..first].to_vec();
    let mut rest = &line[first..];
    while let Some((&byte, after)) = rest.split_first() {
        rest = after;
        if byte != ESCAPE {
            shown.push(byte);
        } else if let Some(sequence) = rest.strip_prefix(b"[") {
            let end = sequence.iter().position(|b| (0x40..=0x7e).contains(b));
            rest = end.map_or(&[][..], |end| &sequence[end + 1..]);
        }
    }
    Cow::Owned(shown)
}

/// The lines of a text as [`tuckaway_search::Lines`] has them, each as it is
/// [`visible`], with their numbers from 1.
pub struct VisibleLines<'a> {
    bytes: &'a [u8],
    at: usize,
    number: u64,
    /// Where something may be that is not shown, from `at` on: it is looked for once,
    /// not in every line.
    control: usize,
}

impl<'a> VisibleLines<'a> {
    /// The lines of all these bytes.
    pub fn of(bytes: &'a [u8]) -> Self {
        let bytes = bytes.strip_prefix("\u{FEFF}".as_bytes()).unwrap_or(bytes);
        VisibleLines { bytes, at: 0, number: 0, control: 0 }
    }
}

impl<'a> Iterator for VisibleLines<'a> {
    type Item = (u64, Visible<'a>);

    fn next(&mut self) -> Option<Self::Item> {
        let rest = &self.bytes[self.at..];
        if rest.is_empty() {
            return None;
        }
        let feed = find::byte(b'\n', rest);
        let line = &rest[..feed.unwrap_or(rest.len())];
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        if self.control <= self.at {
            self.control = self.at + next_control(rest).unwrap_or(rest.len());
        }
        let has_control = self.control < self.at + line.len();
        self.at = feed.map_or(self.bytes.len(), |feed| self.at + feed + 1);
        self.number += 1;
        Some((self.number, if has_control { without_controls(line) } else { Cow::Borrowed(line) }))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use tuckaway_search::Lines;

    use super::*;

    #[test]
    fn colours_and_overwritten_progress_are_not_visible() {
        assert_eq!(&*visible(b"\x1b[1m\x1b[31merror\x1b[0m: x"), b"error: x");
        assert_eq!(&*visible(b"10%\r50%\r100%"), b"100%");
        assert_eq!(&*visible(b"cut\x1b[3"), b"cut");
    }

    proptest! {
        #[test]
        fn lines_are_those_that_are_read_one_by_one(text in "\u{FEFF}?([ab\n]{0,9}(\r|\x1b\\[1m|\r\n)?){0,9}") {
            let lines: Vec<_> = VisibleLines::of(text.as_bytes()).collect();
            let expected: Vec<_> = (1..).zip(Lines::of(text.as_bytes()).map(visible)).collect();
            prop_assert_eq!(lines, expected);
        }
    }
}
