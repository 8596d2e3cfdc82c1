//! Strings, that know what they hold.

use std::fmt;

use crate::limits::{self, Held};

/// A string. One that nobody else holds grows in place.
#[derive(Debug)]
pub(crate) struct Text {
    text: String,
    held: Held,
}

/// What a string is estimated to hold beside its bytes.
const TEXT_BYTES: u64 = 48;

impl Text {
    /// Adds to the end.
    pub(crate) fn push(&mut self, text: &str) {
        limits::take(steps_to_copy(text));
        self.text.push_str(text);
        self.held.set(TEXT_BYTES + self.text.len() as u64);
    }
}

fn steps_to_copy(text: &str) -> u64 {
    1 + text.len() as u64 / 64
}

impl From<String> for Text {
    fn from(text: String) -> Self {
        limits::take(steps_to_copy(&text));
        let held = Held::new(TEXT_BYTES + text.len() as u64);
        Text { text, held }
    }
}

/// Counted where it is copied.
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
