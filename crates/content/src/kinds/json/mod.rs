//! JSON: one document, or several in a row.
//!
//! Detection reads all of it, once, into the [`Summary`] that the outline is made of.

mod children;
mod document;
mod errors;
mod go_test;
mod selection;
mod siblings;
mod truncate;

pub use truncate::truncate;

use std::rc::Rc;

use document::LEVELS;
use tuckaway_json::scan::Scanner;
use tuckaway_json::spans::Spans;
use tuckaway_json::summary::{Malformed, Summary};

use crate::kind::Kind;
use crate::outline::{Outline, json};
use crate::truncate::lines::Middle;

/// Bytes of the head that are read for a value behind a bare one.
const ROW_HEAD: usize = 64 << 10;

/// Why content is not JSON.
pub enum NotJson {
    /// It is truncated or malformed.
    Malformed(Malformed),
    /// It is bare values in a row: text that happens to be JSON.
    BareValues,
}

/// The most bytes of a record that is truncated for a preview: for a larger one, that would
/// take longer than everything else.
const MAX_RECORD_BYTES: usize = 1 << 20;

/// Returns whether JSON is a record whose preview is truncated, rather than its head: its
/// result may be at its end.
pub fn is_record(bytes: &[u8]) -> bool {
    bytes.trim_ascii_start().starts_with(b"{") && bytes.len() <= MAX_RECORD_BYTES
}

/// Reads content as JSON: one document, or several of which none is a bare scalar.
pub fn detect(bytes: &[u8]) -> Result<(Kind, Summary), NotJson> {
    read(bytes, None).map(|(kind, summary, _)| (kind, summary))
}

/// Does as [`detect`], and notes where the values of a record are.
pub fn inspect(bytes: &[u8], middle: &mut Middle) -> Result<(Kind, Summary), NotJson> {
    let (kind, summary, spans) = read(bytes, is_record(bytes).then_some(LEVELS))?;
    if let Some(spans) = spans {
        middle.json(|| spans);
    }
    Ok((kind, summary))
}

fn read(bytes: &[u8], levels: Option<usize>) -> Result<(Kind, Summary, Option<Spans>), NotJson> {
    if begins_as_a_row(bytes) {
        return Err(NotJson::BareValues);
    }
    let (summary, spans) = Summary::with_spans(bytes, levels).map_err(NotJson::Malformed)?;
    match summary.documents {
        1 => Ok((Kind::Json, summary, spans)),
        // Bare numbers or words in a row are text that happens to be JSON. A single one
        // may well be what a JSON API returns.
        2.. if summary.node(Summary::ROOT).is_container() => Ok((Kind::JsonSequence, summary, spans)),
        _ => Err(NotJson::BareValues),
    }
}

/// Returns whether a bare value comes first and something follows. That is text, JSON or
/// not, and need not be read to its end.
fn begins_as_a_row(bytes: &[u8]) -> bool {
    let mut scanner = Scanner::new(&bytes[..bytes.len().min(ROW_HEAD)]);
    matches!(scanner.next_token(), Ok(Some(first)) if !first.kind.opens())
        && !matches!(scanner.next_token(), Ok(None))
}

/// Returns keys, types and counts by path. What a run of tests reports comes first.
pub fn outline(bytes: &[u8], summary: &Rc<Summary>) -> Outline {
    let mut outline = report(bytes, summary);
    outline.append(json::describe(summary));
    outline
}

/// Returns what a run of tests reports in a text that contains these documents; nothing
/// if they are others.
pub fn report(bytes: &[u8], summary: &Summary) -> Outline {
    match go_test::is_report(summary) {
        true => go_test::outline(bytes),
        false => Outline::default(),
    }
}

#[cfg(test)]
mod tests;
