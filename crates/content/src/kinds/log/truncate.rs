//! What survives of a log: both ends, errors and some warnings, each message once.
//! Traces are folded.

use std::cell::LazyCell;

use tuckaway_text::visible::visible;

use crate::hashes::Hashes;
use crate::line::error::Marks;
use crate::line::level::Level;
use crate::line::{log as line, time};
use crate::stack::Folder;
use crate::truncate::lines::{Line, Middle, Priority, gist, ranked_lines};
use crate::truncate::select;

/// Warnings that are kept before lines near the ends.
const WARNINGS: usize = 8;
/// The rank of a warning.
const WARNING_RANK: u8 = 3;
/// The rank of an error whose message is repeated.
const REPEATED_RANK: u8 = 4;
/// The rank of a trace's message.
const TRACE_RANK: u8 = 2;

/// Truncates a log to `max` bytes.
pub fn truncate(text: &str, max: usize, middle: &mut Middle) -> String {
    let lines = ranked_lines(text, max, middle, rank);
    select::render(text, lines, max)
}

fn rank(text: &str, lines: &mut [Line]) {
    let marks = LazyCell::new(Marks::default);
    let mut form = time::NO_FORM;
    let mut known = Hashes::default();
    let mut warnings = 0;
    let mut traces = Folder::default();
    for (index, line) in lines.iter_mut().enumerate() {
        let shown = visible(line.text(text).as_bytes());
        let parsed = line::parse(&shown, form);
        form = parsed.form;
        if !parsed.begins() {
            traces.read(index, &shown);
            continue;
        }
        let level = match parsed.level {
            Some((level, _)) => level,
            None if marks.report_error(parsed.message) => Level::Error,
            None => Level::Info,
        };
        if level.is_error() {
            let is_new = known.is_new(gist(parsed.message));
            line.priority = Priority::Rank(if is_new { level as u8 } else { REPEATED_RANK });
        } else if level == Level::Warn && warnings < WARNINGS && known.is_new(gist(parsed.message)) {
            warnings += 1;
            line.priority = Priority::Rank(WARNING_RANK);
        }
    }
    traces.fold(lines, TRACE_RANK);
}
