//! Which lines of a log are kept when it is truncated: errors, each message once, and some
//! warnings. Traces are folded.

use std::cell::LazyCell;

use tuckaway_text::visible::Visible;

use crate::hashes::Hashes;
use crate::line::error::{MarkedLines, Marks};
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

/// Ranks the lines of a text in order.
pub struct Ranks<'a> {
    /// What messages without a level are searched for, and the lines that have some of it.
    marks: LazyCell<Marks>,
    marked: MarkedLines<'a>,
    known: Hashes,
    warnings: usize,
    traces: Folder<'a>,
}

impl<'a> Ranks<'a> {
    /// Prepares to rank the lines of a text.
    pub fn of(bytes: &'a [u8]) -> Self {
        Ranks {
            marks: LazyCell::default(),
            marked: MarkedLines::of(bytes),
            known: Hashes::default(),
            warnings: 0,
            traces: Folder::default(),
        }
    }

    /// Ranks the next line, whose visible text was parsed.
    pub fn rank(&mut self, index: usize, shown: &Visible<'a>, parsed: &Parsed, line: &mut Line) {
        if !parsed.begins() {
            self.traces.read(index, shown);
            return;
        }
        let level = match parsed.level {
            Some((level, _)) => level,
            None if self.reports_error(shown, parsed.message, line) => Level::Error,
            None => return,
        };
        if level.is_error() {
            let is_new = self.known.is_new(gist(parsed.message));
            line.priority = Priority::Rank(if is_new { level as u8 } else { REPEATED_RANK });
        } else if level == Level::Warn
            && self.warnings < WARNINGS
            && self.known.is_new(gist(parsed.message))
        {
            self.warnings += 1;
            line.priority = Priority::Rank(WARNING_RANK);
        }
    }

    fn reports_error(&mut self, shown: &Visible, message: &[u8], line: &Line) -> bool {
        // What a terminal does not show may separate the parts of a mark.
        let may_report =
            matches!(shown, Visible::Owned(_)) || self.marked.has(&self.marks, line.range());
        may_report && self.marks.report_error(message)
    }

    /// Ranks the lines in traces, once all lines were read.
    pub fn fold(self, lines: &mut [Line]) {
        self.traces.fold(lines, TRACE_RANK);
    }
}
