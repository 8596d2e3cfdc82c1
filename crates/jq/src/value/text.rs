//! Strings that account for their memory.

use std::fmt;

use crate::limits::{self, Reservation};

/// A string. It grows in place if it has a single owner.
#[derive(Debug)]
pub(crate) struct Text {
    text: String,
    memory: Reservation,
}

/// Estimated size of a string without its bytes.
const TEXT_BYTES: u64 = 48;

impl Text {
    /// Appends a text.
    pub(crate) fn push(&mut self, text: &str) {
        limits::charge(steps_to_copy(text));
        self.text.push_str(text);
        self.memory.resize(TEXT_BYTES + self.text.len() as u64);
    }
}

fn steps_to_copy(text: &str) -> u64 {
    1 + text.len() as u64 / 64
}

impl From<String> for Text {
    fn from(text: String) -> Self {
        limits::charge(steps_to_copy(&text));
        let memory = Reservation::new(TEXT_BYTES + text.len() as u64);
        Text { text, memory }
    }
}

/// Charges the copy.
impl Clone for Text {
    fn clone(&self) -> Self {
        Text::from(self.text.clone())
    }
}

impl std::ops::Deref for Text {
    type Target = str;

    fn deref(&self) -> &str {
        &self.text
    }
}

impl PartialEq for Text {
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text
    }
}

impl Eq for Text {}

impl PartialOrd for Text {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Text {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.text.cmp(&other.text)
    }
}

impl fmt::Display for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}
