//! Ranks the lines of a log for its truncation: keeps errors, each message once, and some
//! warnings. Traces are folded.

use tuckaway_text::visible::Visible;

use super::seen::{Message, Seen};
use crate::hashes::Hashes;
use crate::line::level::Level;
use crate::line::log::Line as Parsed;
use crate::stack::Folder;
use crate::truncate::lines::{Line, Priority};

/// Warnings that are kept before lines near the ends.
const WARNINGS: usize = 8;
/// The rank of a warning.
const WARNING_RANK: u8 = 3;
/// The rank of an error whose message is repeated.
const REPEATED_RANK: u8 = 4;
/// The rank of a trace's message.
const TRACE_RANK: u8 = 2;

/// Ranks lines in order.
#[derive(Default)]
pub struct Ranks<'a> {
    known: Hashes,
    warnings: usize,
    traces: Folder<'a>,
}

impl<'a> Ranks<'a> {
    /// Returns the new priority of the next line, whose visible text was parsed, if it
    /// changes.
    pub fn rank(
        &mut self,
        index: usize,
        shown: &Visible<'a>,
        parsed: &Parsed,
        message: &Message,
        seen: &mut Seen,
    ) -> Option<Priority> {
        if !parsed.begins() {
            self.traces.read(index, shown);
            return None;
        }
        let level = match parsed.level {
            Some((level, _)) => level,
            None if seen.reports_error(message) => Level::Error,
            None => return None,
        };
        if level.is_error() {
            let is_new = self.known.is_new(message.gist().text);
            return Some(Priority::Rank(if is_new { level as u8 } else { REPEATED_RANK }));
        }
        if level == Level::Warn && self.warnings < WARNINGS && self.known.is_new(message.gist().text) {
            self.warnings += 1;
            return Some(Priority::Rank(WARNING_RANK));
        }
        None
    }

    /// Ranks the lines in traces, once all lines were read.
    pub fn fold(self, lines: &mut [Line]) {
        self.traces.fold(lines, TRACE_RANK);
    }
}
