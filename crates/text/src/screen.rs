//! The text that a terminal would show at the end.
//!
//! ```text
//! bytes ─► next_control ─► executed or dropped ─► next_control ─► …
//! ```

use tuckaway_search::find;

use crate::control::next_control;
use crate::escape::sequence_len;

/// The effect of a carriage return that is not part of a line ending.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Returns {
    /// The next text overwrites the line.
    Overwrite,
    /// It ends the line: a line feed replaces it.
    EndLines,
}

/// Returns the visible text of bytes whose first control character is at `first`: the last state of
/// overwritten text, without escape sequences and control characters except tabs and line endings.
/// Valid UTF-8 stays valid.
pub(crate) fn shown(bytes: &[u8], first: usize, returns: Returns) -> Vec<u8> {
    let mut screen = Screen { bytes: Vec::with_capacity(bytes.len()), line: 0, is_returned: false, returns };
    let mut done = 0;
    let mut control = Some(first);
    while let Some(at) = control {
        screen.print(&bytes[done..at]);
        done = at + screen.control(&bytes[at..]);
        control = next_control(bytes, done);
    }
    screen.print(&bytes[done..]);
    screen.bytes
}

/// The text so far.
struct Screen {
    bytes: Vec<u8>,
    /// The start of its last line.
    line: usize,
    /// Whether the last control was a carriage return, so that the next text overwrites the line.
    is_returned: bool,
    returns: Returns,
}

impl Screen {
    /// Adds text without control characters.
    fn print(&mut self, text: &[u8]) {
        let Some(&first) = text.first() else { return };
        // A line that ends after its carriage return was not overwritten.
        if self.is_returned && first != b'\n' && first != b'\r' {
            self.bytes.truncate(self.line);
        }
        self.is_returned = false;
        let start = self.bytes.len();
        self.bytes.extend_from_slice(text);
        if let Some(feed) = find::last_byte(b'\n', text) {
            self.line = start + feed + 1;
        }
    }

    /// Executes the control at the start of `rest`. Returns its length in bytes.
    fn control(&mut self, rest: &[u8]) -> usize {
        match rest[0] {
            b'\r' => {
                match self.returns {
                    Returns::Overwrite => self.is_returned = true,
                    Returns::EndLines => self.print(b"\n"),
                }
                1
            }
            0x08 => {
                self.backspace();
                1
            }
            // Any other control is one character, of one byte or two.
            first => sequence_len(rest).max(if first == 0xC2 { 2 } else { 1 }),
        }
    }

    /// Drops the last character of the line.
    fn backspace(&mut self) {
        let line = &self.bytes[self.line..];
        let continuation = line.iter().rev().take(3).take_while(|&&byte| byte & 0xC0 == 0x80).count();
        let character = (continuation + 1).min(line.len());
        self.bytes.truncate(self.bytes.len() - character);
    }
}
