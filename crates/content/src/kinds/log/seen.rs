//! Findings about messages. Most messages of a log differ from an earlier one only in
//! numbers, so its findings hold for them without another search.

use std::cell::OnceCell;

use crate::line::error::Marks;
use crate::line::gist::Gist;

/// Bytes of a message that are compared.
pub const MESSAGE_BYTES: usize = 400;
/// Messages that are remembered: each in the slot of its gist, where it replaces the last
/// one. A power of two.
const SLOTS: usize = 1 << 10;

/// A message of a line.
pub struct Message<'a> {
    /// Its text.
    pub text: &'a [u8],
    gist: OnceCell<Gist>,
    reports_error: OnceCell<bool>,
}

impl<'a> Message<'a> {
    /// Returns a message with this text.
    pub fn of(text: &'a [u8]) -> Self {
        Message { text, gist: OnceCell::new(), reports_error: OnceCell::new() }
    }

    /// Returns its gist, of its first [`MESSAGE_BYTES`].
    pub fn gist(&self) -> Gist {
        *self.gist.get_or_init(|| Gist::of(self.text, MESSAGE_BYTES))
    }
}

/// The messages that were seen last.
#[derive(Default)]
pub struct Seen {
    slots: Vec<Slot>,
}

/// The findings about a message.
#[derive(Clone, Copy, Default)]
struct Slot {
    gist: u64,
    reports_error: Option<bool>,
    /// The index of its template: without the level of an error, and with it.
    templates: [Option<u16>; 2],
}

impl Seen {
    /// Returns whether a message without a level reports an error.
    pub fn reports_error(&mut self, message: &Message) -> bool {
        *message.reports_error.get_or_init(|| {
            if message.text.len() > MESSAGE_BYTES {
                return Marks::of_errors().report_error(message.text);
            }
            if let Some(known) = self.slot(message).reports_error {
                return known;
            }
            let found = Marks::of_errors().report_error(message.text);
            self.slot(message).reports_error = Some(found);
            found
        })
    }

    /// Returns the index of the template of a message, or the place to store it if it is
    /// not known.
    pub fn template(&mut self, message: &Message, is_error: bool) -> &mut Option<u16> {
        &mut self.slot(message).templates[usize::from(is_error)]
    }

    /// Returns the findings about a message; empty at first.
    fn slot(&mut self, message: &Message) -> &mut Slot {
        if self.slots.is_empty() {
            self.slots = vec![Slot::default(); SLOTS];
        }
        let gist = message.gist().counts;
        let slot = &mut self.slots[gist as usize % SLOTS];
        if slot.gist != gist {
            *slot = Slot { gist, ..Slot::default() };
        }
        slot
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_that_count_none_report_no_error() {
        let mut seen = Seen::default();
        let mut reports = |text: &str| seen.reports_error(&Message::of(text.as_bytes()));
        for _ in 0..2 {
            assert!(reports("7 tests, 3 failed"));
            assert!(!reports("9 tests, 0 failed"));
            assert!(reports("17 tests, 20 failed"));
            assert!(!reports("0 tests, 0 failed"));
        }
        let long = "x".repeat(MESSAGE_BYTES);
        assert!(!reports(&long));
        assert!(reports(&format!("{long} error: 1")));
        assert!(!reports(&format!("{long} errors: 0")));
    }

    #[test]
    fn a_template_is_that_of_its_message() {
        let mut seen = Seen::default();
        let message = Message::of(b"pid 7 exited");
        *seen.template(&message, false) = Some(3);
        assert_eq!(*seen.template(&Message::of(b"pid 12 exited"), false), Some(3));
        assert_eq!(*seen.template(&message, true), None);
        // More messages than are remembered.
        for n in 0..10 * SLOTS {
            let word: String = n.to_string().bytes().map(|b| char::from(b + b'a' - b'0')).collect();
            assert_eq!(*seen.template(&Message::of(word.as_bytes()), false), None);
        }
    }
}
