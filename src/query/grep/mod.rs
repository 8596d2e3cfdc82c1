//! The lines that match a pattern.
//!
//! One pass over the lines, one record for each that matches, in memory that is
//! bounded however long the artifact and its lines are. Context goes the
//! way of grep: over one reply every line appears at most once, as a match, in
//! the `after` of the match before it, or in the `before` of the match behind
//! it; the `after` of a match ends where the next match begins.

mod automaton;
mod excerpt;
mod line;
mod matcher;
mod page;
mod scan;

use super::cursor::{self, Kind};
use super::source::Source;
use tuckaway_search::source::ByteSource;

use crate::error::Error;
use crate::model::{GrepQuery, Matches};
use crate::ports::Store;
use matcher::Matcher;
use page::{Bounds, Page};
use scan::Scan;

/// Matches of a page where the caller names no number.
pub const DEFAULT_MATCHES: u32 = 100;

/// The most lines of context on either side.
pub const MAX_CONTEXT: u32 = 100;

/// Finds one page of matching lines. Rendered as lines (`{line}:{text}`, context as
/// `{line}-{text}`, `--` between), they take at most `max_bytes`. At least one match
/// is in a page if any is left.
///
/// Errors: `invalid-input` for a `max_bytes` that is too small, a malformed pattern
/// or cursor, too much context, and `max_matches` of 0; `unsupported` for binary
/// content; those of the store.
pub fn grep(
    store: &dyn Store,
    id: &str,
    query: &GrepQuery,
    max_bytes: Option<u32>,
) -> Result<Matches, Error> {
    Ok(search(store, id, query, super::page_bytes(max_bytes)?)?.matches)
}

/// A page of matches with what a reply says of it.
pub(crate) struct Found {
    pub matches: Matches,
    /// Lines that were searched, from the cursor on.
    pub lines: u64,
    pub size_bytes: u64,
    /// Terminal sequences were seen where it begins: what is shown of it elsewhere has
    /// none.
    pub has_escapes: bool,
    /// The page was cut because it has as many matches as were asked for, not
    /// because it is full.
    pub all_asked_for: bool,
}

/// [`grep`] with a bound that is already known to be one.
pub(crate) fn search(store: &dyn Store, id: &str, query: &GrepQuery, max: usize) -> Result<Found, Error> {
    search_in(|| Source::open(store, id), query, max)
}

/// [`search`] in a source that is opened once the query is known to be one.
fn search_in<'a>(
    open: impl FnOnce() -> Result<Source<'a>, Error>,
    query: &GrepQuery,
    max: usize,
) -> Result<Found, Error> {
    let bounded = |lines: u32, side: &str| match lines <= MAX_CONTEXT {
        true => Ok(lines as usize),
        false => Err(Error::invalid(format!(
            "{lines} lines of {side} context are too many: at most {MAX_CONTEXT}. Read the lines around a match instead."
        ))),
    };
    let matcher = Matcher::new(query)?;
    let most = query.max_matches.unwrap_or(DEFAULT_MATCHES);
    if most == 0 {
        return Err(Error::invalid(format!(
            "max_matches is 0, but a page has at least one match; omit it for the default of {DEFAULT_MATCHES}."
        )));
    }
    let page = Page::new(Bounds {
        before: bounded(query.before_context, "before")?,
        after: bounded(query.after_context, "after")?,
        most: most as usize,
        max,
    });
    let source = open()?;
    let words = Words::new(&source.artifact().id, query);
    let start = match &query.cursor {
        Some(cursor) => words.place(cursor, source.size())?,
        None => Place { offset: 0, line: 1 },
    };
    let goes_on = query.cursor.is_some();
    let mut scan = Scan {
        source: &source,
        matcher,
        invert: query.invert,
        page,
        at: start,
        total: 0,
        next: None,
        goes_on,
        done: false,
        has_escapes: false,
    };
    scan.run()?;
    Ok(Found {
        all_asked_for: scan.page.matches.len() >= scan.page.bounds.most,
        matches: Matches {
            matches: scan.page.matches,
            total: (!goes_on).then_some(scan.total),
            next: scan.next.map(|place| words.cursor(place)),
        },
        lines: scan.at.line - start.line,
        size_bytes: source.size(),
        has_escapes: scan.has_escapes,
    })
}

/// Where a line begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Place {
    offset: u64,
    /// From 1.
    line: u64,
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
        cursor::write(Kind::Grep, &self.words, &[place.offset, place.line])
    }

    fn place(&self, cursor: &str, size: u64) -> Result<Place, Error> {
        let [offset, line] = cursor::parse(cursor, Kind::Grep, &self.words)?;
        match offset < size && (1..=offset + 1).contains(&line) {
            true => Ok(Place { offset, line }),
            false => {
                Err(Error::invalid("This cursor is outside of the artifact: leave it out to start over."))
            }
        }
    }
}

#[cfg(test)]
mod tests;
