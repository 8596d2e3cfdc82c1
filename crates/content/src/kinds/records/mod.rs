//! Records: fields with names, in paragraphs or from one known line to the next; and lines of
//! known programs, which have a field in each place.
//!
//! ```text
//! lines of one form ─► forms ──────────┬─► outline
//! paragraphs of fields ─► Records ─────┴─► to_json ─► jq
//! ```
//!
//! A program is a row: of lines in [`programs`], of paragraphs in [`stanzas`]. They are truncated
//! like plain text.

mod detect;
mod outline;
mod programs;
mod reader;
mod stanzas;
mod to_json;

use self::detect::{Layout, layout};
use self::programs::NOUN;
use crate::error::ToJsonError;
use crate::forms;
use crate::kind::AsJson;
use crate::outline::Outline;
use crate::sample::Sample;

/// Returns whether a sample is records.
pub fn detect(sample: &Sample) -> bool {
    layout(sample.head.as_bytes()).is_some()
}

/// Returns the number of records and their fields over all of them, or the values of a single record.
pub fn outline(bytes: &[u8]) -> Outline {
    match layout(bytes) {
        Some(Layout::Lines(form)) => forms::outline(bytes, form, &NOUN),
        Some(Layout::Stanzas(stanza)) => outline::outline(bytes, stanza),
        None => Outline::default(),
    }
}

/// Converts records to JSON of at most `max` bytes: an object for each, in an array if there are
/// several. A field that a record repeats is an array.
pub fn to_json(bytes: &[u8], max: usize) -> Result<AsJson, ToJsonError> {
    match layout(bytes) {
        Some(Layout::Lines(form)) => forms::to_json(bytes, max, form, &NOUN),
        Some(Layout::Stanzas(stanza)) => to_json::to_json(bytes, max, stanza),
        // The content was detected by its head.
        None => to_json::to_json(bytes, max, stanzas::one()),
    }
}

#[cfg(test)]
mod tests;
