//! The lines that match a pattern.
//!
//! One pass over the lines, one record for each that matches. Context goes the
//! way of grep: over one reply every line appears at most once, as a match, in
//! the `after` of the match before it, or in the `before` of the match behind
//! it; the `after` of a match ends where the next match begins.

mod excerpt;
mod matcher;

use std::collections::VecDeque;

use super::cursor::{self, Kind};
use super::source::Source;
use crate::error::Error;
use crate::model::{GrepQuery, Match, Matches};
use crate::ports::Store;
use excerpt::Excerpt;
use matcher::Matcher;

/// Matches of a page where the caller names no number.
pub const DEFAULT_MATCHES: u32 = 100;

/// The most lines of context on either side.
pub const MAX_CONTEXT: u32 = 100;

/// One page of matching lines. Rendered as lines (`{line}:{text}`, context as
/// `{line}-{text}`, `--` between), they take at most `max_bytes` (0 for the
/// default). At least one match is in a page if any is left.
///
/// Errors: `invalid-input` for a pattern, a context or a cursor that is none;
/// those of the store.
pub fn grep(store: &dyn Store, id: &str, query: &GrepQuery, max_bytes: u32) -> Result<Matches, Error> {
    Ok(search(store, id, query, super::page_bytes(max_bytes)?)?.matches)
}

/// A page of matches with what a reply says of it.
pub(crate) struct Found {
    pub matches: Matches,
    /// Lines that were searched, from the cursor on.
    pub lines: u64,
    pub size_bytes: u64,
}

/// [`grep`] with a bound that is already known to be one.
pub(crate) fn search(store: &dyn Store, id: &str, query: &GrepQuery, max: usize) -> Result<Found, Error> {
    let bounded = |lines: u32, side: &str| match lines <= MAX_CONTEXT {
        true => Ok(lines as usize),
        false => Err(Error::invalid(format!(
            "{lines} lines of {side} context are too many: at most {MAX_CONTEXT}. Read the lines around a match instead."
        ))),
    };
    let matcher = Matcher::new(query)?;
    let mut page = Page {
        before: bounded(query.before_context, "before")?,
        after: bounded(query.after_context, "after")?,
        most: if query.max_matches == 0 { DEFAULT_MATCHES } else { query.max_matches } as usize,
        max,
        ..Page::default()
    };
    let source = Source::open(store, id)?;
    let words = Words::new(id, query);
    let start = match &query.cursor {
        Some(cursor) => words.place(cursor, source.size())?,
        None => Place { offset: 0, line: 1 },
    };
    let bytes = source.load()?;
    let mut at = start;
    let (mut total, mut next) = (0u64, None);
    while let Some(line) = at.line_of(&bytes) {
        match matcher.find(line) {
            None => page.passed(at, line),
            Some(found) => {
                total += 1;
                if next.is_none() && !page.matched(at, line, found) {
                    next = Some(page.resume(at));
                    page.full = true;
                }
                // Without a total to be counted, the next match is all there is to know.
                if next.is_some() && query.cursor.is_some() {
                    break;
                }
            }
        }
        at = at.behind(line, &bytes);
    }
    Ok(Found {
        matches: Matches {
            matches: page.matches,
            total: query.cursor.is_none().then_some(total),
            next: next.map(|place| words.cursor(place)),
        },
        lines: at.line - start.line,
        size_bytes: source.size(),
    })
}

/// Where a line begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Place {
    offset: usize,
    /// From 1.
    line: u64,
}

impl Place {
    /// The line that begins here, without its line end.
    fn line_of<'b>(&self, bytes: &'b [u8]) -> Option<&'b [u8]> {
        let rest = bytes.get(self.offset..).filter(|rest| !rest.is_empty())?;
        let line = memchr::memchr(b'\n', rest).map_or(rest, |feed| &rest[..feed]);
        // A carriage return is a line end with its line feed only.
        Some(match line.len() < rest.len() {
            true => line.strip_suffix(b"\r").unwrap_or(line),
            false => line,
        })
    }

    /// Where the line behind this one begins.
    fn behind(&self, line: &[u8], bytes: &[u8]) -> Place {
        let mut offset = self.offset + line.len();
        if bytes.get(offset) == Some(&b'\r') {
            offset += 1;
        }
        Place { offset: offset + 1, line: self.line + 1 }
    }
}

/// What a cursor of this query is bound to.
struct Words<'q> {
    words: [&'q str; 3],
}

impl<'q> Words<'q> {
    fn new(id: &'q str, query: &'q GrepQuery) -> Self {
        let flags = match (query.fixed_string, query.ignore_case, query.invert) {
            (false, false, false) => "",
            (true, false, false) => "f",
            (false, true, false) => "i",
            (true, true, false) => "fi",
            (false, false, true) => "v",
            (true, false, true) => "fv",
            (false, true, true) => "iv",
            (true, true, true) => "fiv",
        };
        Words { words: [id, &query.pattern, flags] }
    }

    fn cursor(&self, place: Place) -> String {
        cursor::write(Kind::Grep, &self.words, &[place.offset as u64, place.line])
    }

    fn place(&self, cursor: &str, size: u64) -> Result<Place, Error> {
        let [offset, line] = cursor::parse(cursor, Kind::Grep, &self.words)?;
        match usize::try_from(offset) {
            Ok(at) if offset < size && (1..=offset + 1).contains(&line) => Ok(Place { offset: at, line }),
            _ => Err(Error::invalid("This cursor is outside of the artifact: leave it out to start over.")),
        }
    }
}

/// Bytes of a line in a reply: its number, a sign, itself, a line feed.
pub(crate) fn rendered(line: u64, text: &str) -> usize {
    line.max(1).ilog10() as usize + 1 + 1 + text.len() + 1
}

/// Bytes of the `--` between two groups of lines.
const GROUP_BYTES: usize = 3;

/// A page as it fills.
#[derive(Default)]
struct Page {
    before: usize,
    after: usize,
    most: usize,
    max: usize,
    matches: Vec<Match>,
    /// Bytes of the matches, rendered.
    used: usize,
    /// The lines before this one that no match has shown.
    waiting: VecDeque<(Place, String, bool)>,
    full: bool,
}

impl Page {
    /// A line that does not match.
    fn passed(&mut self, at: Place, line: &[u8]) {
        if self.full {
            return;
        }
        if let Some(last) = self.matches.last_mut()
            && last.after.len() < self.after
            && last.line + last.after.len() as u64 + 1 == at.line
        {
            let context = Excerpt::head(line);
            let cost = rendered(at.line, &context.text);
            if self.used + cost <= self.max {
                self.used += cost;
                last.clipped |= context.clipped;
                last.after.push(context.text);
            } else {
                // There is context that no reply will show.
                last.clipped = true;
            }
            return;
        }
        if self.before > 0 {
            if self.waiting.len() == self.before {
                self.waiting.pop_front();
            }
            let context = Excerpt::head(line);
            self.waiting.push_back((at, context.text, context.clipped));
        }
    }

    /// A line that matches at `found`. False if the page has no room for it.
    fn matched(&mut self, at: Place, line: &[u8], found: (usize, usize)) -> bool {
        if self.matches.len() >= self.most {
            return false;
        }
        // Before a page's first match there is only room to be shared out; it
        // has to get in, so that every page gets on.
        let first = self.matches.is_empty();
        let room = self.max.saturating_sub(self.used + GROUP_BYTES);
        let mut excerpt = Excerpt::around(line, found);
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
            return false;
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
            byte_offset: (at.offset + excerpt.offset) as u64,
            text: excerpt.text,
            clipped,
            before,
            after: Vec::new(),
        });
        true
    }

    /// Where the next page begins: at the context of the match that it is for.
    fn resume(&self, at: Place) -> Place {
        self.waiting.front().map_or(at, |(place, ..)| *place)
    }
}

#[cfg(test)]
mod tests;
