//! Values as Python and JavaScript write them, and JSON with comments: `{'id': 1, 'ok': True}`. They
//! are read into JSON, by which they are outlined and queried by jq.
//!
//! ```text
//! bytes ─► Reader ─► JSON ─┬─► outline
//!                          └─► to_json ─► jq
//! ```

mod reader;

use tuckaway_search::find;
use tuckaway_text::counted;

use self::reader::{Notation, Reader};
use crate::error::ToJsonError;
use crate::kind::AsJson;
use crate::outline::{Entry, Outline, json};
use crate::sample::Sample;

/// Bytes that are read: more would take long to outline.
const MAX_BYTES: usize = 32 << 20;
/// Maximum length of the JSON, as a multiple of the text: characters may need escapes.
const MAX_GROWTH: usize = 6;

/// Returns whether a sample is such a value: all of the head can be read, and some of it is not JSON.
pub fn detect(sample: &Sample) -> bool {
    let begins = sample.head.trim_start().starts_with(['{', '[', '(', '/']);
    begins && {
        let head = sample.head.as_bytes();
        let is_all = sample.bytes.len() <= head.len() + "\u{FEFF}".len();
        let read = Reader::read(head, MAX_GROWTH * head.len());
        // The end of the head may cut off a value.
        let reads = read.malformed.is_none() || !is_all && read.is_cut;
        reads && read.notation.is_some() && read.members > 1
    }
}

/// Describes the value, and what is under each path.
pub fn outline(bytes: &[u8]) -> Outline {
    let text = &bytes[..bytes.len().min(MAX_BYTES)];
    let read = Reader::read(text, MAX_GROWTH * MAX_BYTES);
    let name = name(&read);
    let mut outline = Outline::default();
    if let Some(at) = read.malformed {
        let line = find::count(b'\n', &text[..at.min(text.len())]) + 1;
        outline.push("kind", Entry::Text(name.to_owned()));
        outline.push("read", Entry::Text(format!("as far as line {line}; jq refuses all of it")));
        outline.refuses_jq = true;
        return outline;
    }
    let (phrase, below) = json::of_documents(&read.json);
    outline.push("kind", Entry::Text(format!("{name}: {phrase}")));
    outline.append(below);
    outline
}

/// Converts the value to JSON of at most `max` bytes. Calls, such as `Decimal('1.50')`, and what JSON
/// has no word for become strings; tuples and sets become arrays.
pub fn to_json(bytes: &[u8], max: usize) -> Result<AsJson, ToJsonError> {
    const INSTEAD: &str = "Search it with grep or read it instead.";
    if bytes.len() > MAX_BYTES {
        return Err(ToJsonError::TooLarge(format!(
            "This value is larger than {} MiB, which is more than jq reads of this notation. {INSTEAD}",
            MAX_BYTES >> 20
        )));
    }
    let read = Reader::read(bytes, max);
    if read.json.len() > max {
        return Err(ToJsonError::too_large("value", max));
    }
    let name = name(&read);
    if let Some(at) = read.malformed {
        let line = find::count(b'\n', &bytes[..at.min(bytes.len())]) + 1;
        return Err(ToJsonError::Unsupported(format!(
            "jq reads this {name} only as far as line {line}. {INSTEAD}"
        )));
    }
    let calls =
        if read.calls > 0 { format!("; {} as strings", counted(read.calls, "call")) } else { String::new() };
    Ok(AsJson { json: read.json, note: format!("{name} read as JSON{calls}") })
}

fn name(read: &Reader) -> &'static str {
    match read.notation {
        Some(Notation::Python) => "Python literal",
        Some(Notation::JavaScript) => "JavaScript literal",
        Some(Notation::Comments) => "JSON with comments",
        Some(Notation::Relaxed) | None => "relaxed JSON",
    }
}

#[cfg(test)]
mod tests;
