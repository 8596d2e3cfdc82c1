//! The outputs of a jq filter on a JSON artifact.
//!
//! ```text
//! filter ─► compile ─► demand, plan ───────────┐
//! artifact ─► parsed ─► stream ─► documents ───┴─► run ─► write ─► page
//! ```
//!
//! Content that is no JSON is made into it first, where it can be (`parsed`).
//! jaq-core parses, compiles and runs; values, what is read and written, and
//! most filters in Rust are ours (`value` says why). One document is in memory
//! at a time, without what the filter does not ask for (`demand`); of a large one
//! only what the filter names by paths, if it does (`push`). Outputs are made
//! when the page has room for them. A cursor says from which document, or which
//! element of it, the filter runs again, and how much of what it then puts out
//! was shown: that is dropped as it is written.

mod compile;
mod demand;
mod documents;
mod failure;
mod hint;
mod limits;
mod natives;
mod nesting;
mod page;
mod parsed;
mod push;
mod read;
mod rewrite;
mod run;
mod stream;
mod suggest;
mod value;
mod write;

use self::documents::Filters;
use self::page::{Page, Place};
use self::parsed::Readable;
use super::cursor::{self, Kind};
use super::source::Source;
use crate::error::{Error, ErrorKind};
use crate::model::{JqQuery, Outputs};
use crate::ports::Store;

/// Runs a filter and returns one page of its outputs, at most `max_bytes` long.
///
/// The filter runs once for each document of the artifact (NDJSON, concatenated
/// JSON). A page ends behind an output, unless one output alone is longer: then
/// it ends between graphemes. What stops the filter as it runs is the page's
/// `failure`, after the outputs that it has given.
///
/// Errors: `invalid-input` for a `max_bytes` that is too small, a malformed filter
/// or cursor, and `max_steps` of 0; `unsupported` for content that is neither JSON, CSV nor YAML; `limit` for a filter, a document
/// or a value that passes a limit; those of the store. The last three are a `failure` if
/// there were outputs before.
pub fn jq(store: &dyn Store, id: &str, query: &JqQuery, max_bytes: Option<u32>) -> Result<Outputs, Error> {
    page(store, id, query, super::page_bytes(max_bytes)?)
}

/// [`jq`] with a bound that is already known to be one.
pub(crate) fn page(store: &dyn Store, id: &str, query: &JqQuery, max: usize) -> Result<Outputs, Error> {
    if query.max_steps == Some(0) {
        return Err(Error::invalid(format!(
            "max_steps is 0, but a filter takes at least one step; omit it for the default of {}.",
            limits::DEFAULT_STEPS
        )));
    }
    let filters = Filters::compile(&query.filter)?;
    let Readable { source, parsed_as } = Readable::of(Source::open(store, id)?)?;
    Ok(Outputs { parsed_as, ..answer(&source, id, query, &filters, max)? })
}

/// The page of a query on an artifact that is there.
fn answer(
    source: &Source,
    id: &str,
    query: &JqQuery,
    filters: &Filters,
    max: usize,
) -> Result<Outputs, Error> {
    let mode = match (query.raw, query.compact) {
        (false, false) => "",
        (true, false) => "r",
        (false, true) => "c",
        (true, true) => "rc",
    };
    let words = [id, &query.filter, mode];
    let start = match &query.cursor {
        Some(cursor) => Place::parse(cursor, &words)?,
        None => Place::default(),
    };
    if start.origin.member.is_some() && !filters.go_on_inside() {
        return Err(Error::invalid(
            "This cursor goes on inside of a document, where this filter never stops: leave it out to start over.",
        ));
    }
    let mut page = Page::new(start, max);
    let failure = filters.fill(&mut page, source, start.origin, query);
    run::forget_halt();
    let (text, next) = page.end();
    if text.is_empty() {
        match failure {
            // A filter that fails is an answer; content that is no JSON, or a
            // limit that was passed, is none.
            Some(error) if error.kind != ErrorKind::InvalidInput => return Err(error),
            None if query.cursor.is_some() => {
                return Err(Error::invalid(
                    "This cursor is past the last output: leave it out to start over.",
                ));
            }
            Some(_) | None => {}
        }
    }
    let next = next.map(|place| cursor::write(Kind::Jq, &words, &place.fields()));
    let failure = failure.filter(|_| next.is_none());
    let hint = match query.cursor.is_none() && hint::says_nothing(&text) {
        true => hint::of(source, &compile::parse(&query.filter)?, failure.is_some()),
        false => None,
    };
    Ok(Outputs { text, next, failure, hint, parsed_as: None })
}

#[cfg(test)]
mod tests;
