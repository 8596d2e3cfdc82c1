//! The outputs of a jq filter on a JSON artifact.
//!
//! ```text
//! filter ─► nesting, compile ─┐
//! bytes ─► read ─► documents ─┴─► run ─► write ─► page
//! ```
//!
//! jaq-core parses, compiles and runs; values, what is read and written, and
//! most filters in Rust are ours (`value` says why). Outputs are made when
//! the page has room for them. A cursor counts bytes of all outputs: the filter
//! runs again, and what was shown is dropped as it is written.

mod compile;
mod limits;
mod natives;
mod nesting;
mod page;
mod read;
mod run;
mod value;
mod write;

use self::page::Page;
use self::read::{Documents, ReadError};
use self::run::Output;
use self::value::Val;
use super::cursor::{self, Kind};
use super::source::Source;
use crate::error::{Error, ErrorKind};
use crate::json::scan::SyntaxError;
use crate::model::{JqQuery, Outputs};
use crate::ports::Store;

/// One page of a filter's outputs, at most `max_bytes` long (0 for the default).
///
/// The filter runs once for each document of the artifact (NDJSON, concatenated
/// JSON). A page ends behind an output, unless one output alone is longer: then
/// it ends between graphemes. What stops the filter as it runs is the page's
/// `failure`, after the outputs that it has given.
///
/// Errors: `invalid-input` for a filter or a cursor that is none; `unsupported`
/// for content that is not JSON; `limit` for a filter, a document or a value
/// that passes a limit; those of the store. The last three are a `failure` if
/// there were outputs before.
pub fn jq(store: &dyn Store, id: &str, query: &JqQuery, max_bytes: u32) -> Result<Outputs, Error> {
    page(store, id, query, super::page_bytes(max_bytes)?)
}

/// [`jq`] with a bound that is already known to be one.
pub(crate) fn page(store: &dyn Store, id: &str, query: &JqQuery, max: usize) -> Result<Outputs, Error> {
    let filter = compile::compile(&query.filter, compile::parse(&query.filter)?)?;
    let source = Source::open(store, id)?;
    let mode = match (query.raw, query.compact) {
        (false, false) => "",
        (true, false) => "r",
        (false, true) => "c",
        (true, true) => "rc",
    };
    let words = [id, &query.filter, mode];
    let [start] = match &query.cursor {
        Some(cursor) => cursor::parse(cursor, Kind::Jq, &words)?,
        None => [0],
    };
    let bytes = source.load()?;
    let mut page = Page::new(start, max);
    let failure = fill(&mut page, &filter, &bytes, query);
    let (text, next) = page.end();
    if text.is_empty() {
        match failure {
            // A filter that fails is an answer; content that is no JSON, or a
            // limit that was passed, is none.
            Some(error) if error.kind != ErrorKind::InvalidInput => return Err(error),
            None if start > 0 => {
                return Err(Error::invalid(
                    "This cursor is past the last output: leave it out to start over.",
                ));
            }
            Some(_) | None => {}
        }
    }
    let next = next.map(|offset| cursor::write(Kind::Jq, &words, &[offset]));
    Ok(Outputs { text, failure: failure.filter(|_| next.is_none()), next })
}

/// Runs the filter until the page is full, the documents end, or it fails.
fn fill(page: &mut Page, filter: &compile::Filter, bytes: &[u8], query: &JqQuery) -> Option<Error> {
    let mut documents = Documents::new(bytes);
    let mut number = 0u64;
    // A note of an earlier run on this thread is not about this one.
    limits::take_passed();
    loop {
        let at = documents.offset();
        let document = match documents.next()? {
            Ok(document) => document,
            Err(error) => return Some(unreadable(bytes, error)),
        };
        number += 1;
        let mut outputs = run::run(filter, document);
        loop {
            let output = outputs.next();
            if let Some(limit) = limits::take_passed() {
                let message = limit.message();
                return Some(Error::limit(format!(
                    "The filter was stopped: {message}. Ask for less at a time."
                )));
            }
            match output {
                None => break,
                Some(Output::Value(value)) if page.push(&value, query) => {}
                Some(Output::Value(_) | Output::Halt(None)) => return None,
                Some(Output::Error(message) | Output::Halt(Some(message))) => {
                    let input = Documents::new(&bytes[at..]).next().and_then(Result::ok);
                    let one = number == 1 && Documents::new(&bytes[documents.offset()..]).next().is_none();
                    return Some(failed(&message, input.as_ref(), (!one).then_some(number)));
                }
            }
        }
    }
}

/// Bytes of a filter's own message that are passed on.
const MESSAGE_BYTES: usize = 400;

/// The error of a filter that failed, with what it was asked of.
fn failed(message: &Val, input: Option<&Val>, number: Option<u64>) -> Error {
    let message = match message {
        Val::Str(message) => message.to_string(),
        message => message.to_json().unwrap_or_default(),
    };
    let head = crate::text::cut::head(message.trim_end(), MESSAGE_BYTES);
    let cut = if head.len() < message.trim_end().len() { "…" } else { "" };
    let which = number.map_or("The input".to_owned(), |number| format!("Document {number}"));
    let input = input.map_or(String::new(), |input| format!(" {which} is: {input}."));
    Error::invalid(format!("The filter failed: {head}{cut}.{input}"))
}

/// The error of content that is not JSON, or not from here on.
fn unreadable(bytes: &[u8], error: ReadError) -> Error {
    let place = |offset: usize| {
        let before = &bytes[..offset.min(bytes.len())];
        let line = memchr::memchr_iter(b'\n', before).count() + 1;
        let start = memchr::memrchr(b'\n', before).map_or(0, |feed| feed + 1);
        let column = crate::text::lossy(&before[start..]).chars().count() + 1;
        format!("line {line}, column {column} (byte {offset})")
    };
    match error {
        ReadError::Syntax(SyntaxError { offset, expected }) => Error::unsupported(format!(
            "This is not JSON, which is all that jq can query: at {}, expected {expected}. Search it with grep or read it instead.",
            place(offset)
        )),
        ReadError::Depth(offset) => Error::limit(format!(
            "The document nests deeper than {} levels at {}, which is more than jq can query. Search it with grep or read it instead.",
            limits::MAX_DOCUMENT_DEPTH,
            place(offset)
        )),
    }
}

#[cfg(test)]
mod tests;
