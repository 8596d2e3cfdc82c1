//! The messages and the results of a run, as its outline lists them.

use std::collections::VecDeque;

use tuckaway_search::hash;
use tuckaway_text::order;

use crate::hashes::Hashes;
use crate::line::gist::Gist;
use crate::line::quoted;
use crate::runs::location;

/// Maximum messages of one kind that an outline lists.
pub const MAX_LISTED: usize = 40;
/// Maximum bytes of each.
pub const QUOTED_BYTES: usize = 160;
/// Maximum different messages that are remembered; repetitions of others count again.
const MAX_REMEMBERED: usize = 4_096;

/// Messages of one kind, each listed once with the line where it is first printed.
#[derive(Default)]
pub struct Messages {
    /// The first of them, with the lines where they are first printed.
    pub listed: Vec<(u64, String)>,
    /// The number of times that each of them is printed.
    times: Vec<u64>,
    known: Hashes,
    /// Their number, with repetitions.
    pub count: u64,
    /// The number of different ones.
    pub different: u64,
}

impl Messages {
    /// Adds a message.
    pub fn push(&mut self, line: u64, text: &str) {
        let hash = hash::of(&text.as_bytes()[..text.len().min(300)]);
        self.count += 1;
        if let Some(index) = self.known.get(hash) {
            if let Some(times) = self.times.get_mut(index) {
                *times += 1;
            }
            return;
        }
        if self.known.len() < MAX_REMEMBERED {
            self.known.insert(hash, self.different as usize);
        }
        self.different += 1;
        if self.listed.len() < MAX_LISTED {
            self.listed.push((line, quoted(text.as_bytes(), QUOTED_BYTES)));
            self.times.push(1);
        }
    }

    /// Adds others.
    pub fn append(&mut self, others: Messages) {
        let most = MAX_LISTED - self.listed.len();
        self.listed.extend(others.listed.into_iter().take(most));
        self.times.extend(others.times.into_iter().take(most));
        self.count += others.count;
        self.different += others.different;
    }

    /// Lists only the first `most`, and among those that differ only in numbers, only the
    /// first.
    pub fn keep(&mut self, most: usize) {
        let mut known = Hashes::default();
        let is_new = |(_, text): &(u64, String)| known.is_new(Gist::of(text.as_bytes(), QUOTED_BYTES).text);
        let mut is_kept = self.listed.iter().map(is_new).collect::<Vec<_>>().into_iter();
        let mut are_kept = is_kept.clone();
        self.listed.retain(|_| is_kept.next() == Some(true));
        self.times.retain(|_| are_kept.next() == Some(true));
        self.listed.truncate(most);
        self.times.truncate(most);
    }

    /// Returns the listed messages, in order, with the number of times that each is
    /// printed.
    pub fn counted(self) -> Vec<(u64, String)> {
        let count = |((line, text), times): ((u64, String), u64)| match times {
            1 => (line, text),
            times => (line, format!("{times} x {text}")),
        };
        let mut counted: Vec<_> = self.listed.into_iter().zip(self.times).map(count).collect();
        order::sort_by_key(&mut counted, |(line, _)| *line);
        counted
    }

    /// Removes the messages that others list with the same line.
    pub fn remove_listed_by(&mut self, others: &Messages) {
        let before = self.listed.len();
        let is_other = |line: u64| others.listed.iter().all(|(other, _)| *other != line);
        let mut lines = self.listed.iter().map(|(line, _)| is_other(*line)).collect::<Vec<_>>().into_iter();
        let mut is_kept = lines.clone();
        self.times.retain(|_| lines.next() == Some(true));
        self.listed.retain(|_| is_kept.next() == Some(true));
        self.different -= (before - self.listed.len()) as u64;
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

    /// Returns the number of different messages that are not listed.
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

    /// Returns the results that an outline lists: for a failed output, those that
    /// report a failure.
    pub fn of(self, has_failed: bool) -> Vec<(u64, String)> {
        let listed = if has_failed && !self.failed.is_empty() { self.failed } else { self.all };
        listed.into()
    }
}
