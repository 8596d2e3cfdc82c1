//! A page of matches, as it fills.

use std::collections::VecDeque;

use super::Place;
use super::excerpt::Excerpt;
use super::line::Line;
use crate::error::Error;
use crate::model::Match;

/// Bytes of a line in a reply: its number, a sign, itself, a line feed.
pub(super) fn rendered(line: u64, text: &str) -> usize {
    line.max(1).ilog10() as usize + 1 + 1 + text.len() + 1
}

/// Bytes of the `--` between two groups of lines.
pub(super) const GROUP_BYTES: usize = 3;

/// What a page may hold.
#[derive(Clone, Copy)]
pub(super) struct Bounds {
    /// Lines of context.
    pub before: usize,
    pub after: usize,
    /// Matches.
    pub most: usize,
    /// Bytes, rendered.
    pub max: usize,
}

/// A page as it fills.
pub(super) struct Page {
    pub bounds: Bounds,
    pub matches: Vec<Match>,
    /// Bytes of the matches, rendered.
    used: usize,
    /// The lines before this one that no match has shown.
    waiting: VecDeque<(Place, String, bool)>,
    pub full: bool,
}

impl Page {
    pub(super) fn new(bounds: Bounds) -> Self {
        Page { bounds, matches: Vec::new(), used: 0, waiting: VecDeque::new(), full: false }
    }

    /// A line that does not match, or its head.
    pub(super) fn passed(&mut self, at: Place, line: &[u8]) {
        if self.full {
            return;
        }
        if let Some(last) = self.matches.last_mut()
            && last.after.len() < self.bounds.after
            && last.line + last.after.len() as u64 + 1 == at.line
        {
            let context = Excerpt::head(line);
            let cost = rendered(at.line, &context.text);
            if self.used + cost <= self.bounds.max {
                self.used += cost;
                last.clipped |= context.clipped;
                last.after.push(context.text);
            } else {
                // There is context that no reply will show.
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

    /// A line that matches at `found`, in bytes of it. False if the page has no
    /// room for it.
    pub(super) fn matched(&mut self, at: Place, line: &Line, found: (u64, u64)) -> Result<bool, Error> {
        if self.matches.len() >= self.bounds.most {
            return Ok(false);
        }
        // Before a page's first match there is only room to be shared out; it
        // has to get in, so that every page gets on.
        let first = self.matches.is_empty();
        let room = self.bounds.max.saturating_sub(self.used + GROUP_BYTES);
        let mut excerpt = Excerpt::around(line, found)?;
        if first {
            excerpt.shrink(room.saturating_sub(rendered(at.line, "")));
        }
        let mut cost = rendered(at.line, &excerpt.text);
        let mut kept = 0;
        for (place, text, _) in self.waiting.iter().rev() {
            let more = rendered(place.line, text);
            if cost + more > room {
                break;
            }
            cost += more;
            kept += 1;
        }
        let dropped = self.waiting.len() - kept;
        if cost > room || (dropped > 0 && !first) {
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
            byte_offset: at.offset + found.0,
            text: excerpt.text,
            clipped,
            before,
            after: Vec::new(),
        });
        Ok(true)
    }

    /// Where the next page begins: at the context of the match that it is for.
    pub(super) fn resume(&self, at: Place) -> Place {
        self.waiting.front().map_or(at, |(place, ..)| *place)
    }
}
