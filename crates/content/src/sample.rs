//! The two ends of an output, from which its kind is detected.

use crate::line::lines;
use tuckaway_search::find;
use tuckaway_text::clean::without_sequences;
use tuckaway_text::control::next_control;
use tuckaway_text::lossy;
use tuckaway_text::visible::{Visible, VisibleLines};

/// Bytes of the head that are inspected.
const HEAD_BYTES: usize = 32 << 10;
/// Bytes of the tail that are inspected.
const TAIL_BYTES: usize = 8 << 10;

/// The head and the tail of an output, as text.
pub struct Sample<'a> {
    /// The whole output.
    pub bytes: &'a [u8],
    /// Its first 32 KiB without a leading BOM and terminal sequences, with U+FFFD for invalid
    /// UTF-8. Ends with a whole line, unless most of it is a part of one line.
    pub head: String,
    /// Its last 8 KiB, from the start of a line if there is one; the same as the head if the head
    /// is the whole output.
    pub tail: String,
}

impl<'a> Sample<'a> {
    /// Takes a sample of an output.
    pub fn of(bytes: &'a [u8]) -> Self {
        let text = bytes.strip_prefix("\u{FEFF}".as_bytes()).unwrap_or(bytes);
        let shown = |bytes| lossy(&without_sequences(bytes)).into_owned();
        if text.len() <= HEAD_BYTES {
            let head = shown(text);
            return Sample { bytes, tail: head.clone(), head };
        }
        let head = &text[..HEAD_BYTES];
        // Few lines before a long one say little of it.
        let end = find::last_byte(b'\n', head).filter(|feed| feed * 2 >= HEAD_BYTES);
        let head = end.map_or(head, |feed| &head[..=feed]);
        let tail = &text[text.len() - TAIL_BYTES..];
        let tail = find::byte(b'\n', tail).map_or(tail, |feed| &tail[feed + 1..]);
        Sample { bytes, head: shown(head), tail: shown(tail) }
    }

    /// Returns the lines of the head, without their ends.
    pub fn lines(&self) -> impl Iterator<Item = &str> {
        lines(&self.head)
    }

    /// Returns the lines of the head, each with its visible text.
    pub fn visible_lines(&self) -> impl Iterator<Item = (&str, Visible<'_>)> {
        visible_lines(&self.head)
    }

    /// Returns whether the head has terminal sequences, which are removed here.
    pub fn is_coloured(&self) -> bool {
        find::byte(0x1b, &self.bytes[..self.bytes.len().min(HEAD_BYTES)]).is_some()
    }

    /// Returns whether the output is binary, not text.
    pub fn is_binary(&self) -> bool {
        is_binary(self.bytes)
    }
}

/// Returns the lines of a text, each with its visible text.
pub fn visible_lines(text: &str) -> impl Iterator<Item = (&str, Visible<'_>)> {
    lines(text).zip(VisibleLines::of(text.as_bytes()).map(|(_, shown)| shown))
}

/// Returns whether bytes are binary: not UTF-8, with more than a tenth of control
/// characters and invalid UTF-8 at the head, and with control characters in more than
/// every fiftieth byte, or a NUL. A log with a stray byte is text, and so is text in an
/// older encoding, which has neither.
pub fn is_binary(bytes: &[u8]) -> bool {
    let head = &bytes[..bytes.len().min(HEAD_BYTES)];
    // Terminal sequences, overstruck characters and form feeds are in texts.
    let is_control = |byte: &&u8| **byte < b' ' && !matches!(**byte, 0x08..=0x0A | 0x0C | 0x0D | 0x1B);
    let controls = next_control(head, 0).map_or(0, |first| head[first..].iter().filter(is_control).count());
    let invalid = match std::str::from_utf8(head) {
        Ok(_) => 0,
        Err(_) => head.utf8_chunks().map(|chunk| chunk.invalid().len()).sum(),
    };
    controls + invalid > head.len() / 10
        && (controls * 50 > head.len() || find::byte(0, bytes).is_some())
        && std::str::from_utf8(bytes).is_err()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_ends_are_whole_lines_unless_the_output_is_one() {
        let text = format!("\u{FEFF}{}", "a line of text\n".repeat(10_000));
        let sample = Sample::of(text.as_bytes());
        assert!(sample.head.starts_with("a line") && sample.head.ends_with("text\n"));
        assert!(sample.tail.starts_with("a line") && sample.tail.ends_with("text\n"));
        assert!(sample.head.len() <= HEAD_BYTES && sample.tail.len() <= TAIL_BYTES);
        let one_line = "x".repeat(100_000);
        assert_eq!(Sample::of(one_line.as_bytes()).head.len(), HEAD_BYTES);
        assert_eq!(Sample::of(b"ab\ncd").tail, "ab\ncd");
    }
}
