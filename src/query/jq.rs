//! Runs a jq filter on an artifact.
//!
//! ```text
//! filter ─► compile ───────────────┐
//! artifact ─► to JSON ─────────────┼─► run ─┬─► page + cursor
//! variables ─► to JSON ────────────┘        └─► new artifact
//! ```
//!
//! `tuckaway_jq` evaluates the filter. This module provides its input, writes cursors
//! as text, and maps errors to the contract's kinds.

use std::error::Error as StdError;

use tuckaway_content::DEFAULT_OUTLINE_BYTES;
use tuckaway_contract::{Error, ErrorKind, JqQuery, Outputs, SavedOutputs};
use tuckaway_jq::{Cursor, DEFAULT_STEPS, Filter, Options, joined_surrogates};
use tuckaway_text::count_lines;

use super::Target;
use super::cursor::{self, Continued, QueryKind};
use super::parsed::{MAX_JSON_BYTES, Readable};
use super::variables;
use crate::ports::Store;
use crate::{artifact, reduce};

/// Maximum bytes of the outputs that are stored as an artifact. They are in memory until then.
const MAX_SAVED_BYTES: usize = 64 << 20;

/// Maximum bytes of the name of such an artifact.
const MAX_NAME_BYTES: usize = 64;

/// Runs a filter and returns one page of its outputs, at most `max_bytes` long, or stores them if the
/// query says so.
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
    let target = Target::artifact(store, id);
    match (&query.save_as, max_bytes) {
        (None, _) => page(&target, query, super::page_bytes(max_bytes)?),
        (Some(name), None) => save(&target, query, name, DEFAULT_OUTLINE_BYTES),
        (Some(_), Some(_)) => Err(Error::invalid(
            "save_as stores all outputs, but max_bytes asks for a page of them: omit one of the two.",
        )
        .about(&["save_as", "max_bytes"])),
    }
}

/// Runs a filter like [`jq`] for a page of at most `max` bytes, which is validated.
pub(crate) fn page(target: &Target<'_>, query: &JqQuery, max: usize) -> Result<Outputs, Error> {
    let mode = mode(query);
    let words = [target.id, &query.filter, &mode];
    let of = Continued { kind: QueryKind::Jq, words: &words, noun: target.words.noun };
    let Ran { outputs, parsed_as } = run(target, query, Some(&of), max)?;
    Ok(Outputs {
        text: outputs.text,
        next: outputs.next.map(|next| cursor::write(QueryKind::Jq, &words, &next.numbers())),
        failure: outputs.failure.map(to_contract_error),
        hint: outputs.hint,
        parsed_as,
        saved: None,
    })
}

/// Runs a filter and stores all its outputs as an artifact whose tool is `name`. Its shape has at most
/// `shape_bytes`, at least [`MIN_OUTLINE_BYTES`](tuckaway_content::MIN_OUTLINE_BYTES).
///
/// Nothing is stored if the filter fails, produces no output or more than [`MAX_SAVED_BYTES`].
pub(crate) fn save(
    target: &Target<'_>,
    query: &JqQuery,
    name: &str,
    shape_bytes: usize,
) -> Result<Outputs, Error> {
    let name = checked_name(name)?;
    if query.cursor.is_some() {
        return Err(Error::invalid(
            "save_as stores all outputs, but a cursor begins in the middle: omit it.",
        )
        .about(&["save_as", "cursor"]));
    }
    let Ran { outputs, parsed_as } = run(target, query, None, MAX_SAVED_BYTES)?;
    let why = match (outputs.failure, outputs.next) {
        (Some(failure), _) => Some(to_contract_error(failure)),
        (None, Some(_)) => Some(Error::limit(format!(
            "The outputs exceed {} MiB, the limit of save_as. Select or aggregate in the filter.",
            MAX_SAVED_BYTES >> 20
        ))),
        (None, None) if outputs.count == 0 => {
            Some(Error::invalid("The filter produced no output.").about(&["filter"]))
        }
        (None, None) => None,
    };
    if let Some(error) = why {
        let hint = outputs.hint.map_or(String::new(), |hint| format!(" Hint: {hint}."));
        return Err(error.with_message(|why| format!("Nothing was saved. {why}{hint}")));
    }
    let bytes = outputs.text.as_bytes();
    let mut shape = reduce::infer_shape(bytes, u32::try_from(shape_bytes).ok())?;
    // Outputs that are scalars are JSON, too.
    match (query.raw, outputs.count) {
        (true, _) => {}
        (false, 1) => shape.media_type = "application/json".to_owned(),
        (false, _) => shape.media_type = "application/x-ndjson".to_owned(),
    }
    let artifact = artifact::write(target.store, name, &shape.media_type, bytes, count_lines(bytes))?;
    let saved = Some(SavedOutputs { artifact, count: outputs.count, shape });
    Ok(Outputs { text: String::new(), next: None, failure: None, hint: outputs.hint, parsed_as, saved })
}

/// Returns the name of the artifact that a query saves, without the spaces around it.
fn checked_name(name: &str) -> Result<&str, Error> {
    let name = name.trim();
    match name.len() {
        1..=MAX_NAME_BYTES => Ok(name),
        bytes => Err(Error::invalid(format!(
            "save_as has {bytes} bytes without the spaces around it; pass a name of 1 to {MAX_NAME_BYTES}, such as \"open-issues\"."
        ))
        .about(&["save_as"])),
    }
}

/// The outputs of a run, and a note on how its content was read.
struct Ran {
    outputs: tuckaway_jq::Outputs,
    parsed_as: Option<String>,
}

/// Runs a filter on an artifact. `of` reads the query's cursor; none if it has no cursor.
fn run(target: &Target<'_>, query: &JqQuery, of: Option<&Continued<'_>>, max: usize) -> Result<Ran, Error> {
    if query.max_steps == Some(0) {
        return Err(Error::invalid(format!(
            "max_steps is 0, but a filter takes at least one step; omit it for the default of {DEFAULT_STEPS}."
        ))
        .about(&["max_steps"]));
    }
    let text = joined_surrogates(&query.filter);
    let about_variables = |error: Error| error.or_about("variables");
    let names = variables::checked(&query.variables).map_err(about_variables)?;
    let filter = Filter::with_variables(&text, names).map_err(to_contract_error)?;
    let mut readable = Readable::open(target.open()?, MAX_JSON_BYTES)?;
    let cursor = of.zip(query.cursor.as_deref()).map(|(of, cursor)| read_cursor(cursor, of)).transpose()?;
    let variables = variables::open(target, &query.variables).map_err(about_variables)?;
    let sources: Vec<_> = variables.iter().map(Readable::content).collect();
    let options = Options {
        raw: query.raw,
        compact: query.compact || query.save_as.is_some(),
        slurp: query.slurp,
        null_input: query.null_input,
        max_steps: query.max_steps,
        max_memory: query.max_memory,
    };
    let mut result = filter.run_with(readable.content(), &sources, &options, cursor, max);
    if is_not_json(&result) && readable.reduce_to_whole() {
        result = filter.run_with(readable.content(), &sources, &options, cursor, max);
    }
    let outputs = result.map_err(to_contract_error)?;
    Ok(Ran { outputs, parsed_as: readable.parsed_as(query, filter.takes_inputs()) })
}

/// Returns whether a run ended because the content, or its end, is not JSON.
fn is_not_json(result: &Result<tuckaway_jq::Outputs, tuckaway_jq::Error>) -> bool {
    let error = match result {
        Ok(outputs) => outputs.failure.as_ref(),
        Err(error) => Some(error),
    };
    error.is_some_and(|error| error.kind == tuckaway_jq::ErrorKind::Unsupported)
}

/// Returns how the filter runs, its variables, and how its outputs are written, for a cursor's checksum.
fn mode(query: &JqQuery) -> String {
    let flags = [("r", query.raw), ("c", query.compact), ("s", query.slurp), ("n", query.null_input)];
    let mut mode: String = flags.into_iter().filter_map(|(flag, is_set)| is_set.then_some(flag)).collect();
    for variable in &query.variables {
        mode += &format!(" {}={}", variable.name, variable.artifact);
    }
    mode
}

fn read_cursor(text: &str, of: &Continued<'_>) -> Result<Cursor, Error> {
    match cursor::fields(text) {
        1 => cursor::parse(text, of).map(|[skip]| Cursor::skipping(skip)),
        _ => cursor::parse(text, of).map(Cursor::from_numbers),
    }
}

/// Maps an error to the contract's kinds; an error of the store is returned unchanged.
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
    Error::new(kind, error.message).about(error.option.as_slice()).or_about("filter")
}
