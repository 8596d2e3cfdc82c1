//! The lines that match a pattern.
//!
//! One pass over the lines creates a record for each match, in bounded memory however long the
//! artifact and its lines are. Context is as grep's: in one reply every line appears at most once,
//! as a match, in the `after` of the match before it, or in the `before` of the match after it; the
//! `after` of a match ends where the next match begins.

mod all;
mod excerpt;
mod line;
mod matcher;
mod overstrike;
mod page;
mod scan;

use tuckaway_contract::{Error, GrepQuery, Matches};
use tuckaway_search::source::ByteSource;

use super::cursor::{self, Continued, QueryKind};
use super::source::Source;
use super::{Target, Words};
use crate::ports::Store;
pub(crate) use all::{End, FoundInAll, grep_all, heading, search_all};
use page::{Bounds, Page};
use scan::Scan;
use tuckaway_search::matcher::Matcher;

/// The default number of matches per page.
pub const DEFAULT_MATCHES: u32 = 100;

/// Maximum lines of context on either side.
pub const MAX_CONTEXT: u32 = 100;

/// Finds one page of matching lines. Rendered as lines (`{line}:{text}`, context as
/// `{line}-{text}`, `--` between), they take at most `max_bytes`. At least one match
/// is in a page if any remains.
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
    Ok(search(&Target::artifact(store, id), query, super::page_bytes(max_bytes)?)?.matches)
}

/// A page of matches, with facts for the reply.
pub(crate) struct SearchResult {
    pub matches: Matches,
    /// Lines that were searched, from the cursor on.
    pub lines: u64,
    pub size_bytes: u64,
    /// Whether the artifact has terminal sequences where the search begins; its views have none.
    pub has_escapes: bool,
    /// Whether the page has as many matches as requested, and did not end because it was full.
    pub all_asked_for: bool,
}

/// Returns the limits of a page: `invalid-input` for too much context or no matches.
fn bounds(query: &GrepQuery, words: &Words, max: usize) -> Result<Bounds, Error> {
    let bounded = |lines: u32, argument: &str| match lines <= MAX_CONTEXT {
        true => Ok(lines as usize),
        false => {
            let what = argument.replace('_', " ");
            Err(Error::invalid(format!(
                "{lines} lines of {what} are too many; at most {MAX_CONTEXT} are allowed. Read the lines around a match instead."
            ))
            .about(&[argument]))
        }
    };
    let most = query.max_matches.unwrap_or(DEFAULT_MATCHES);
    if most == 0 {
        return Err(Error::invalid(format!(
            "max_matches is 0, but a page has at least one match; omit it for the default of {DEFAULT_MATCHES}."
        ))
        .about(&["max_matches"]));
    }
    Ok(Bounds {
        before: bounded(query.before_context, "before_context")?,
        after: bounded(query.after_context, "after_context")?,
        matches: most as usize,
        bytes: max,
        offset: if query.each_match || words.shows_positions { page::OFFSET_BYTES } else { 0 },
        shows_positions: words.shows_positions,
        shrinks_first: true,
    })
}

/// Returns whether the page of a query begins within a line.
pub(crate) fn begins_within_line(query: &GrepQuery) -> bool {
    query.cursor.as_ref().is_some_and(|cursor| cursor::fields(cursor) == 3)
}

/// Searches as [`grep`] does, with a bound that is already validated.
pub(crate) fn search(target: &Target<'_>, query: &GrepQuery, max: usize) -> Result<SearchResult, Error> {
    search_in(|| target.open(), target.words, query, max)
}

/// Searches as [`search`] does, in a source that is opened after the query is validated.
fn search_in<'a>(
    open: impl FnOnce() -> Result<Source<'a>, Error>,
    words: &'static Words,
    query: &GrepQuery,
    max: usize,
) -> Result<SearchResult, Error> {
    let mut matcher = matcher::compile(query, words)?;
    let bounds = bounds(query, words, max)?;
    let source = open()?;
    let key = QueryKey::new(QueryKind::Grep, &source.artifact().id, query, words);
    let start = match &query.cursor {
        Some(cursor) => key.parse(cursor)?,
        None => LineStart::FIRST,
    };
    start.check(source.size(), words)?;
    let mut found = scan(&source, &mut matcher, query, bounds, start)?;
    found.page.matches.next = found.next.map(|start| key.cursor(start));
    Ok(found.page)
}

/// The matches that one pass over an artifact found.
struct Scanned {
    /// The page, without its cursor.
    page: SearchResult,
    /// The start of the next page, if there is one.
    next: Option<LineStart>,
    /// Bytes of the matches, rendered.
    used: usize,
}

/// Searches an artifact from the line at `start` on.
fn scan(
    source: &Source<'_>,
    matcher: &mut Matcher,
    query: &GrepQuery,
    bounds: Bounds,
    start: LineStart,
) -> Result<Scanned, Error> {
    let is_continued = start != LineStart::FIRST;
    let mut scan = Scan {
        source,
        matcher,
        invert: query.invert,
        each_match: query.each_match && !query.invert,
        page: Page::new(bounds),
        at: start,
        total: 0,
        match_count: Some(0),
        is_overstruck: false,
        next: None,
        is_continued,
        done: false,
        has_escapes: false,
    };
    scan.run()?;
    Ok(Scanned {
        used: scan.page.used,
        next: scan.next,
        page: SearchResult {
            all_asked_for: scan.page.matches.len() >= bounds.matches,
            matches: Matches {
                matches: scan.page.matches,
                total: (!is_continued).then_some(scan.total),
                match_count: scan.match_count.filter(|_| !is_continued && query.each_match),
                next: None,
            },
            lines: scan.at.line - start.line,
            size_bytes: source.size(),
            has_escapes: scan.has_escapes,
        },
    })
}

/// The start of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct LineStart {
    offset: u64,
    /// From 1.
    line: u64,
    /// The offset in the line where the next match may begin: earlier matches are on earlier pages.
    within: u64,
}

impl LineStart {
    /// The beginning of an artifact.
    const FIRST: Self = LineStart { offset: 0, line: 1, within: 0 };

    /// Refuses a position outside an artifact of `size` bytes.
    fn check(self, size: u64, words: &Words) -> Result<(), Error> {
        let is_inside = self.offset.checked_add(self.within).is_some_and(|at| at < size);
        let is_possible = is_inside && (1..=self.offset + 1).contains(&self.line);
        match is_possible || self == LineStart::FIRST {
            true => Ok(()),
            false => Err(cursor::invalid(format!(
                "This cursor is outside the {}: omit it to start over.",
                words.noun
            ))),
        }
    }
}

/// The artifact, the pattern and the flags: a cursor is valid only for the same ones.
struct QueryKey<'q> {
    kind: QueryKind,
    /// The artifact's id; empty for a search of all.
    id: &'q str,
    pattern: &'q str,
    flags: String,
    noun: &'static str,
}

impl<'q> QueryKey<'q> {
    fn new(kind: QueryKind, id: &'q str, query: &'q GrepQuery, words: &Words) -> Self {
        let flags = [
            ("f", query.fixed_string),
            ("i", query.ignore_case),
            ("v", query.invert),
            ("e", query.each_match),
        ];
        let flags = flags.into_iter().filter_map(|(flag, is_set)| is_set.then_some(flag)).collect();
        QueryKey { kind, id, pattern: &query.pattern, flags, noun: words.noun }
    }

    fn words(&self) -> [&str; 3] {
        [self.id, self.pattern, &self.flags]
    }

    fn cursor(&self, start: LineStart) -> String {
        let fields = [start.offset, start.line, start.within];
        let count = if start.within > 0 { 3 } else { 2 };
        self.write(&fields[..count])
    }

    /// Writes a cursor with these fields.
    fn write(&self, fields: &[u64]) -> String {
        cursor::write(self.kind, &self.words(), fields)
    }

    fn parse(&self, cursor: &str) -> Result<LineStart, Error> {
        let [offset, line, within] = match cursor::fields(cursor) {
            3 => self.fields(cursor)?,
            _ => {
                let [offset, line] = self.fields(cursor)?;
                [offset, line, 0]
            }
        };
        Ok(LineStart { offset, line, within })
    }

    /// Parses the fields of a cursor.
    fn fields<const N: usize>(&self, cursor: &str) -> Result<[u64; N], Error> {
        cursor::parse(cursor, &Continued { kind: self.kind, words: &self.words(), noun: self.noun })
    }
}

#[cfg(test)]
mod tests;
