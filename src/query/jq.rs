//! Runs a jq filter on an artifact.
//!
//! ```text
//! filter ─► compile ───────────────┐
//! artifact ─► to JSON ─────────────┴─► run ─► page + cursor
//! ```
//!
//! `tuckaway_jq` evaluates the filter. This module provides its input, writes cursors
//! as text, and maps errors to the contract's kinds.

use std::error::Error as StdError;

use tuckaway_contract::{Error, ErrorKind, JqQuery, Outputs};
use tuckaway_jq::{Cursor, DEFAULT_STEPS, Filter, Options, joined_surrogates};

use super::Target;
use super::cursor::{self, Continued, QueryKind};
use super::parsed::Readable;
use crate::ports::Store;

/// Runs a filter and returns one page of its outputs, at most `max_bytes` long.
///
/// The filter runs once for each document of the artifact (NDJSON, concatenated JSON), unless the
/// query says otherwise. A page ends after an output; if a single output is longer, it ends between
/// graphemes. An error that stops the running filter is the page's `failure`, after the outputs
/// before it.
///
/// Errors: `invalid-input` for a `max_bytes` that is too small, a malformed filter or cursor, and
/// `max_steps` of 0; `unsupported` for content that is neither JSON, CSV nor YAML; `limit` for a
/// filter, a document or a value that exceeds a limit; those of the store. The last three are a
/// `failure` if there were outputs before.
pub fn jq(store: &dyn Store, id: &str, query: &JqQuery, max_bytes: Option<u32>) -> Result<Outputs, Error> {
    page(&Target::artifact(store, id), query, super::page_bytes(max_bytes)?)
}

/// Runs a filter like [`jq`], with a validated `max`.
pub(crate) fn page(target: &Target<'_>, query: &JqQuery, max: usize) -> Result<Outputs, Error> {
    if query.max_steps == Some(0) {
        return Err(Error::invalid(format!(
            "max_steps is 0, but a filter takes at least one step; omit it for the default of {DEFAULT_STEPS}."
        ))
        .about(&["max_steps"]));
    }
    let text = joined_surrogates(&query.filter);
    let filter = Filter::compile(&text).map_err(to_contract_error)?;
    let mut readable = Readable::open(target.open()?)?;
    let mode = mode(query);
    let words = [target.id, &query.filter, &mode];
    let of = Continued { kind: QueryKind::Jq, words: &words, noun: target.words.noun };
    let cursor = query.cursor.as_deref().map(|cursor| read_cursor(cursor, &of)).transpose()?;
    let options = Options {
        raw: query.raw,
        compact: query.compact,
        slurp: query.slurp,
        null_input: query.null_input,
        max_steps: query.max_steps,
        max_memory: query.max_memory,
    };
    let mut result = filter.run(readable.content(), &options, cursor, max);
    if is_not_json(&result) && readable.reduce_to_whole() {
        result = filter.run(readable.content(), &options, cursor, max);
    }
    let outputs = result.map_err(to_contract_error)?;
    Ok(Outputs {
        text: outputs.text,
        next: outputs.next.map(|next| cursor::write(QueryKind::Jq, &words, &next.numbers())),
        failure: outputs.failure.map(to_contract_error),
        hint: outputs.hint,
        parsed_as: readable.parsed_as(query, filter.takes_inputs()),
    })
}

/// Returns whether a run ended because the content, or its end, is not JSON.
fn is_not_json(result: &Result<tuckaway_jq::Outputs, tuckaway_jq::Error>) -> bool {
    let error = match result {
        Ok(outputs) => outputs.failure.as_ref(),
        Err(error) => Some(error),
    };
    error.is_some_and(|error| error.kind == tuckaway_jq::ErrorKind::Unsupported)
}

/// Returns how the filter runs and how its outputs are written, for a cursor's checksum.
fn mode(query: &JqQuery) -> String {
    let flags = [("r", query.raw), ("c", query.compact), ("s", query.slurp), ("n", query.null_input)];
    flags.into_iter().filter_map(|(flag, is_set)| is_set.then_some(flag)).collect()
}

fn read_cursor(text: &str, of: &Continued<'_>) -> Result<Cursor, Error> {
    match cursor::fields(text) {
        1 => cursor::parse(text, of).map(|[skip]| Cursor::skipping(skip)),
        _ => cursor::parse(text, of).map(Cursor::from_numbers),
    }
}

/// Maps an error to the contract's kinds; one of the store is returned unchanged.
fn to_contract_error(error: tuckaway_jq::Error) -> Error {
    if let Some(cause) = error.source().and_then(|cause| cause.downcast_ref::<Error>()) {
        return cause.clone();
    }
    let kind = match error.kind {
        tuckaway_jq::ErrorKind::InvalidInput => ErrorKind::InvalidInput,
        tuckaway_jq::ErrorKind::Unsupported => ErrorKind::Unsupported,
        tuckaway_jq::ErrorKind::Limit => ErrorKind::Limit,
        _ => ErrorKind::Store,
    };
    Error::new(kind, error.message).about(error.option.as_slice())
}
