//! A page of matches, as it fills.

use std::collections::VecDeque;

use tuckaway_contract::{Error, Match};

use super::LineStart;
use super::excerpt::{Excerpt, SMALL_WINDOW_BYTES, Span, WINDOW_BYTES};
use super::line::Line;

/// Counts the bytes of a line in a reply: its number, a sign, its text, a line feed.
pub(super) fn rendered(line: u64, text: &str) -> usize {
    line.max(1).ilog10() as usize + 1 + 1 + text.len() + 1
}

/// Bytes of the `--` between two groups of lines.
pub(super) const GROUP_BYTES: usize = 3;

/// Bytes of the offset of a match: `@` and the digits of the largest.
pub(super) const OFFSET_BYTES: usize = 21;

/// The limits of a page.
#[derive(Clone, Copy)]
pub(super) struct Bounds {
    /// Lines of context before a match.
    pub before: usize,
    /// Lines of context after a match.
    pub after: usize,
    /// Matches.
    pub matches: usize,
    /// Bytes, rendered.
    pub bytes: usize,
    /// Bytes of the offset that is shown with each of several matches in a line.
    pub offset: usize,
    /// Whether the offset is shown with every match.
    pub shows_positions: bool,
    /// Whether the first match is truncated if it does not fit, so that the page makes progress.
    pub shrinks_first: bool,
}

/// A page as it fills.
pub(super) struct Page {
    pub bounds: Bounds,
    pub matches: Vec<Match>,
    /// Bytes of the matches, rendered.
    pub used: usize,
    /// The last lines not yet shown: context of the next match.
    waiting: VecDeque<(LineStart, String, bool)>,
    pub full: bool,
}

impl Page {
    pub(super) fn new(bounds: Bounds) -> Self {
        Page { bounds, matches: Vec::new(), used: 0, waiting: VecDeque::new(), full: false }
    }

    /// Adds a line that does not match, or its head.
    pub(super) fn add_context(&mut self, at: LineStart, line: &[u8]) {
        if self.full {
            return;
        }
        if let Some(last) = self.matches.last_mut()
            && last.after.len() < self.bounds.after
            && last.line + last.after.len() as u64 + 1 == at.line
        {
            let context = Excerpt::head(line);
            let cost = rendered(at.line, &context.text);
            if self.used + cost <= self.bounds.bytes {
                self.used += cost;
                last.clipped |= context.clipped;
                last.after.push(context.text);
            } else {
                // No reply shows this context.
                last.clipped = true;
            }
            return;
        }
        if self.bounds.before > 0 {
            if self.waiting.len() == self.bounds.before {
                self.waiting.pop_front();
            }
            let context = Excerpt::head(line);
            self.waiting.push_back((at, context.text, context.clipped));
        }
    }

    /// Adds a line that matches at `span`, or another match in it. Returns false if it does
    /// not fit in the page.
    pub(super) fn add_match(&mut self, at: LineStart, line: &Line, span: Span) -> Result<bool, Error> {
        if self.matches.len() >= self.bounds.matches {
            return Ok(false);
        }
        let first = self.bounds.shrinks_first && self.matches.is_empty();
        let left = self.bounds.bytes.saturating_sub(self.used + GROUP_BYTES);
        let is_next = self.matches.last().is_some_and(|last| last.line == at.line);
        let window = if is_next || at.within > 0 { SMALL_WINDOW_BYTES } else { WINDOW_BYTES };
        let mut excerpt = Excerpt::around(line, span, window)?;
        if first {
            excerpt.shrink(left.saturating_sub(rendered(at.line, "") + self.bounds.offset));
        }
        let offset = if excerpt.clipped || self.bounds.shows_positions { self.bounds.offset } else { 0 };
        let mut cost = rendered(at.line, &excerpt.text) + offset;
        let mut kept = 0;
        for (start, text, _) in self.waiting.iter().rev() {
            let more = rendered(start.line, text);
            if cost + more > left {
                break;
            }
            cost += more;
            kept += 1;
        }
        let dropped = self.waiting.len() - kept;
        if cost > left || (dropped > 0 && !first) {
            return Ok(false);
        }
        let mut clipped = excerpt.clipped || dropped > 0;
        let mut before = Vec::new();
        for (_, text, cut) in self.waiting.drain(..).skip(dropped) {
            clipped |= cut;
            before.push(text);
        }
        self.used += cost + GROUP_BYTES;
        self.matches.push(Match {
            line: at.line,
            column: excerpt.column,
            byte_offset: at.offset + span.bytes.0,
            text: excerpt.text,
            clipped,
            before,
            after: Vec::new(),
        });
        Ok(true)
    }

    /// Returns where the next page begins: at the context of its first match.
    pub(super) fn resume(&self, at: LineStart) -> LineStart {
        self.waiting.front().map_or(at, |(start, ..)| *start)
    }
}
