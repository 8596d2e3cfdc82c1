//! Replaces handles in the arguments of a tool, the addresses of artifacts, by the content.

use serde_json::Value;
use tuckaway_host::{ByteRange, JqQuery, MIN_PAGE_BYTES, Range, ReadOptions, Tuckaway};
use tuckaway_text::cut;

use super::handle::{Handle, Part, is_meant};

/// The maximum number of handles in one call.
const MAX_HANDLES: usize = 64;

/// The maximum number of bytes in JSON for one byte of a string.
const ESCAPED_BYTES: u64 = 6;

/// The whole artifact.
const WHOLE: Range = Range::Bytes(ByteRange { start: 0, end: u64::MAX });

/// Returns whether any string of the arguments is an address of an artifact.
pub(super) fn have_handles(arguments: &Value) -> bool {
    let mut open = vec![arguments];
    while let Some(value) = open.pop() {
        match value {
            Value::String(text) if is_meant(text) => return true,
            Value::Array(elements) => open.extend(elements),
            Value::Object(members) => open.extend(members.values()),
            _ => {}
        }
    }
    false
}

/// Replaces each string that is the address of an artifact by the content that it names. All
/// contents together have at most `max` bytes. The error is for the model.
pub(super) async fn resolved(tuckaway: &Tuckaway, mut arguments: Value, max: u64) -> Result<Value, String> {
    let handles = handles(&mut arguments);
    if handles.len() > MAX_HANDLES {
        return Err(format!(
            "The arguments contain {} addresses of artifacts; at most {MAX_HANDLES} are allowed in one call. The tool was not called.",
            handles.len()
        ));
    }
    let mut left = max;
    for place in handles {
        let content = content(tuckaway, place, left).await.map_err(|why| {
            let shown = cut::head(place, 160);
            format!("The argument {shown:?} could not be replaced: {why} The tool was not called.")
        })?;
        left -= content.len() as u64;
        *place = content;
    }
    Ok(arguments)
}

/// Returns the strings that are addresses, at any depth, in no particular order.
fn handles(arguments: &mut Value) -> Vec<&mut String> {
    let (mut open, mut handles) = (vec![arguments], Vec::new());
    while let Some(value) = open.pop() {
        match value {
            Value::String(text) if is_meant(text) => handles.push(text),
            Value::Array(elements) => open.extend(elements),
            Value::Object(members) => open.extend(members.values_mut()),
            _ => {}
        }
    }
    handles
}

/// Returns the content that an address names, of at most `max` bytes.
async fn content(tuckaway: &Tuckaway, address: &str, max: u64) -> Result<String, String> {
    let handle = Handle::parse(address).map_err(|error| error.message)?;
    let content = match (&handle.part, &handle.cursor) {
        (Part::Whole, None) => text(tuckaway, &handle.id, &WHOLE, max).await?,
        (Part::Range(range), None) => text(tuckaway, &handle.id, range, max).await?,
        (Part::Jq(filter), None) => output(tuckaway, &handle.id, filter, max).await?,
        _ => {
            return Err(
                "Only #lines=10:20, #bytes=0:4096 and #jq=FILTER are allowed in an argument.".to_owned()
            );
        }
    };
    match content.len() as u64 <= max {
        true => Ok(content),
        false => Err(too_long(max)),
    }
}

fn too_long(max: u64) -> String {
    format!("It is longer than the {max} bytes that are left for this call. Name a smaller part.")
}

/// Returns a page size of more than `max` bytes, so that a content that is too long needs
/// another page or is longer than `max`.
fn page_bytes(max: u64) -> u32 {
    u32::try_from(max.saturating_add(1)).unwrap_or(u32::MAX).max(MIN_PAGE_BYTES as u32)
}

/// Returns the exact content of a range of an artifact.
async fn text(tuckaway: &Tuckaway, id: &str, range: &Range, max: u64) -> Result<String, String> {
    let options = ReadOptions { max_bytes: Some(page_bytes(max)), ..ReadOptions::default() };
    let page = tuckaway.read(id, range, &options).await.map_err(|error| error.message)?;
    if page.next.is_some() {
        return Err(too_long(max));
    }
    if page.text.contains(char::REPLACEMENT_CHARACTER)
        && !is_stored_so(tuckaway, id, range, &page.text).await?
    {
        return Err("It contains bytes that are not UTF-8, which an argument cannot contain.".to_owned());
    }
    Ok(page.text)
}

/// Returns whether the replacement characters in a text are also in the artifact, judged by its
/// length: an invalid byte is shorter than the character that replaces it.
async fn is_stored_so(tuckaway: &Tuckaway, id: &str, range: &Range, text: &str) -> Result<bool, String> {
    if *range != WHOLE {
        return Ok(false);
    }
    let all = tuckaway.list_artifacts().await.map_err(|error| error.message)?;
    Ok(all.iter().any(|artifact| artifact.id == id && artifact.size_bytes == text.len() as u64))
}

/// Returns the only output of a filter: a string as its text, any other value as JSON.
async fn output(tuckaway: &Tuckaway, id: &str, filter: &str, max: u64) -> Result<String, String> {
    // Outputs are requested as JSON, one per line, so that they can be counted: in raw output,
    // a line feed may be part of a string.
    let query = JqQuery { filter: filter.to_owned(), compact: true, ..JqQuery::default() };
    let page_bytes = page_bytes(max.saturating_mul(ESCAPED_BYTES).saturating_add(3));
    let outputs = tuckaway.jq(id, &query, Some(page_bytes)).await.map_err(|error| error.message)?;
    if let Some(failure) = outputs.failure {
        return Err(failure.message);
    }
    let text = outputs.text.strip_suffix('\n').unwrap_or(&outputs.text);
    if outputs.next.is_some() && !text.contains('\n') {
        return Err(too_long(max));
    }
    if let Some(hint) = outputs.hint.filter(|_| text.is_empty() || text == "null") {
        return Err(hint);
    }
    if text.is_empty() || text.contains('\n') || outputs.next.is_some() {
        let outputs = if text.is_empty() { "no output" } else { "several outputs" };
        return Err(format!(
            "The filter produced {outputs}, but an argument needs exactly one; write [FILTER] to collect all outputs."
        ));
    }
    match text.starts_with('"') {
        true => serde_json::from_str(text).map_err(|error| format!("The output is not valid JSON: {error}.")),
        false => Ok(text.to_owned()),
    }
}
