//! The messages and the results of a run, as its outline lists them.

use std::collections::VecDeque;

use tuckaway_search::hash;

use super::excerpt::location;
use crate::hashes::Hashes;
use crate::line::quoted;

/// The most messages of one kind that an outline lists.
pub const MAX_LISTED: usize = 40;
/// The most bytes of each.
pub const QUOTED_BYTES: usize = 160;
/// The most different messages that are remembered; repetitions of others count again.
const MAX_REMEMBERED: usize = 4_096;

/// Messages of one kind, each listed once with the line where it is first printed.
#[derive(Default)]
pub struct Messages {
    /// The first of them, with the lines where they are first printed.
    pub listed: Vec<(u64, String)>,
    known: Hashes,
    /// How many there are, with repetitions.
    pub count: u64,
    /// How many of them differ.
    pub different: u64,
}

impl Messages {
    /// Adds a message.
    pub fn push(&mut self, line: u64, text: &str) {
        let hash = hash::of(&text.as_bytes()[..text.len().min(300)]);
        let is_new = self.known.len() >= MAX_REMEMBERED || self.known.is_new(hash);
        self.count += 1;
        if !is_new {
            return;
        }
        self.different += 1;
        if self.listed.len() < MAX_LISTED {
            self.listed.push((line, quoted(text.as_bytes(), QUOTED_BYTES)));
        }
    }

    /// Adds the location of the last message, if the line after it names one.
    pub fn add_location(&mut self, number: u64, line: &[u8]) {
        if let Some((message_line, text)) = self.listed.last_mut()
            && *message_line + 1 == number
            && text.len() < QUOTED_BYTES
            && let Some(location) = location(line)
        {
            *text += &format!(" ({})", quoted(location, QUOTED_BYTES));
        }
    }

    /// Returns how many different messages are not listed.
    pub fn omitted(&self) -> u64 {
        self.different - self.listed.len() as u64
    }
}

/// The last results, and the last that report a failure.
#[derive(Default)]
pub struct Results {
    all: VecDeque<(u64, String)>,
    failed: VecDeque<(u64, String)>,
}

impl Results {
    /// Adds a result.
    pub fn push(&mut self, line: u64, text: String, is_failure: bool) {
        const MAX: usize = 3;
        if is_failure {
            self.failed.push_back((line, text.clone()));
        }
        self.all.push_back((line, text));
        for last in [&mut self.all, &mut self.failed] {
            if last.len() > MAX {
                last.pop_front();
            }
        }
    }

    /// Returns the results that an outline lists: of an output that failed, those that
    /// report a failure.
    pub fn of(self, has_failed: bool) -> Vec<(u64, String)> {
        let listed = if has_failed && !self.failed.is_empty() { self.failed } else { self.all };
        listed.into()
    }
}
