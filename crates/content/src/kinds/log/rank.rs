//! Which lines of a log are kept when it is truncated: errors, each message once, and some
//! warnings. Traces are folded.

use std::cell::LazyCell;

use tuckaway_text::visible::Visible;

use crate::hashes::Hashes;
use crate::line::error::Marks;
use crate::line::level::Level;
use crate::line::log::Line as Parsed;
use crate::stack::Folder;
use crate::truncate::lines::{Line, Priority, gist};

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
    /// What messages without a level are searched for.
    marks: LazyCell<Marks>,
    known: Hashes,
    warnings: usize,
    traces: Folder<'a>,
}

impl<'a> Ranks<'a> {
    /// Ranks the next line, whose visible text was parsed.
    pub fn rank(&mut self, index: usize, shown: &Visible<'a>, parsed: &Parsed, line: &mut Line) {
        if !parsed.begins() {
            self.traces.read(index, shown);
            return;
        }
        let level = match parsed.level {
            Some((level, _)) => level,
            None if self.marks.report_error(parsed.message) => Level::Error,
            None => return,
        };
        if level.is_error() {
            let is_new = self.known.is_new(gist(parsed.message));
            line.priority = Priority::Rank(if is_new { level as u8 } else { REPEATED_RANK });
        } else if level == Level::Warn && self.warnings < WARNINGS && self.known.is_new(gist(parsed.message))
        {
            self.warnings += 1;
            line.priority = Priority::Rank(WARNING_RANK);
        }
    }

    /// Ranks the lines in traces, once all lines were read.
    pub fn fold(self, lines: &mut [Line]) {
        self.traces.fold(lines, TRACE_RANK);
    }
}
