//! JSON: one document, or several in a row.
//!
//! Detection reads all of it, once: the [`Summary`] that it leaves is what the
//! outline is made of.

mod children;
mod errors;
mod selection;
mod truncate;

pub use truncate::truncate;

use tuckaway_json::scan::{Scanner, SyntaxError};
use tuckaway_json::summary::Summary;

use crate::kind::Kind;
use crate::outline::{Outline, json};

/// How much of the head is read for what follows a bare value.
const ROW_HEAD: usize = 64 << 10;

/// Why content is not JSON.
pub enum NotJson {
    /// It breaks off or is malformed.
    Malformed(SyntaxError),
    /// It is a row of bare values, which is text that happens to be JSON.
    BareValues,
}

/// Reads content as JSON: one document, or several of which none is a bare scalar.
pub fn detect(bytes: &[u8]) -> Result<(Kind, Summary), NotJson> {
    if begins_as_a_row(bytes) {
        return Err(NotJson::BareValues);
    }
    let summary = Summary::of(bytes).map_err(NotJson::Malformed)?;
    match summary.documents {
        1 => Ok((Kind::Json, summary)),
        // A row of bare numbers or words is text that happens to be JSON; a single
        // one is what a JSON API may well return.
        2.. if summary.node(Summary::ROOT).is_container() => Ok((Kind::JsonSequence, summary)),
        _ => Err(NotJson::BareValues),
    }
}

/// Whether a bare value is first, and something follows: that is text, JSON or not, and
/// need not be read to its end to be detected.
fn begins_as_a_row(bytes: &[u8]) -> bool {
    let mut scanner = Scanner::new(&bytes[..bytes.len().min(ROW_HEAD)]);
    matches!(scanner.next_token(), Ok(Some(first)) if !first.kind.opens())
        && !matches!(scanner.next_token(), Ok(None))
}

/// Keys, types and counts at every path.
pub fn outline(summary: &Summary) -> Outline {
    json::describe(summary)
}

#[cfg(test)]
mod tests;
