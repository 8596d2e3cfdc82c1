//! Content as JSON: documents from end to end, and documents within other text.

pub mod within;

use tuckaway_json::scan::Scanner;
use tuckaway_json::summary::{Malformed, Summary};

use crate::truncate::lines::Middle;

/// Levels of containers that are found in one pass.
pub const LEVELS: usize = 2;
/// Bytes of the head that are read for a value after a bare one.
const ROW_HEAD: usize = 64 << 10;
/// Maximum bytes of a record that is truncated for a preview: for a larger one, that would
/// take longer than everything else.
const MAX_RECORD_BYTES: usize = 1 << 20;

/// The reason why content is not JSON.
pub enum NotJson {
    /// It is truncated or malformed.
    Malformed(Malformed),
    /// It is a sequence of bare values: text that happens to be JSON.
    BareValues,
}

/// Returns whether JSON is a record whose preview is truncated, rather than its head: its
/// result may be at its end.
pub fn is_record(bytes: &[u8]) -> bool {
    bytes.trim_ascii_start().starts_with(b"{") && bytes.len() <= MAX_RECORD_BYTES
}

/// Reads content as JSON: one document, or several if none is a bare scalar. Records the positions
/// of the values of a record, if `middle` is given.
pub fn read(bytes: &[u8], middle: Option<&mut Middle>) -> Result<Summary, NotJson> {
    if begins_as_a_row(bytes) {
        return Err(NotJson::BareValues);
    }
    let middle = middle.filter(|_| is_record(bytes));
    let levels = middle.is_some().then_some(LEVELS);
    let (summary, spans) = Summary::with_spans(bytes, levels).map_err(NotJson::Malformed)?;
    // Bare numbers or words in a row are text that happens to be JSON. A single one may well
    // be what a JSON API returns.
    if summary.documents != 1 && !summary.node(Summary::ROOT).is_container() {
        return Err(NotJson::BareValues);
    }
    if let (Some(middle), Some(spans)) = (middle, spans) {
        middle.json(|| spans);
    }
    Ok(summary)
}

/// Returns whether a bare value comes first and something follows. That is text, JSON or
/// not, and need not be read to its end.
fn begins_as_a_row(bytes: &[u8]) -> bool {
    let mut scanner = Scanner::new(&bytes[..bytes.len().min(ROW_HEAD)]);
    matches!(scanner.next_token(), Ok(Some(first)) if !first.kind.opens())
        && !matches!(scanner.next_token(), Ok(None))
}
