//! Artifacts as resources, which are read in pages by their addresses.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use rmcp::model::ErrorData;
use serde_json::{Value, json};
use tuckaway_host::{
    ByteRange, CallOptions, Error, ErrorKind, GrepQuery, JqQuery, MIN_PAGE_BYTES, Range, ReadOptions,
    Tuckaway,
};

use super::handle::{Handle, Part};

/// A page and the notes about it.
struct Page {
    text: String,
    media_type: &'static str,
    notes: Vec<String>,
    /// The cursor of the next page.
    next: Option<String>,
}

/// Reads a page of an artifact. Returns a `ReadResourceResult` whose first content is the page
/// and nothing else. If there is more, a second content says how to continue. An image, a PDF document or
/// a recording is returned as a file, unless it is too large.
pub(super) async fn read(tuckaway: &Tuckaway, address: &str) -> Result<Value, ErrorData> {
    contents(tuckaway, address).await.map_err(|error| error_data(address, &error))
}

async fn contents(tuckaway: &Tuckaway, address: &str) -> Result<Value, Error> {
    let handle = Handle::parse(address)?;
    if let Handle { id, part: Part::Whole, cursor: None } = &handle
        && let Some((media_type, blob)) = file(tuckaway, id).await?
    {
        return Ok(json!({ "contents": [{ "uri": address, "mimeType": media_type, "blob": blob }] }));
    }
    let page = page(tuckaway, &handle).await.map_err(|error| in_address(error, &handle.part))?;
    let next = page.next.map(|cursor| handle.page(&cursor));
    let mut notes = page.notes;
    notes.extend(next.as_ref().map(|next| match handle.part {
        Part::Whole => format!(
            "There is more: read {next}. To read a part, use tuckaway://{id}#lines=1:100, #bytes=0:4096, #grep=PATTERN or #jq=FILTER, percent-encoded.",
            id = handle.id
        ),
        _ => format!("There is more: read {next}."),
    }));
    let mut contents = vec![json!({ "uri": address, "mimeType": page.media_type, "text": page.text })];
    if !notes.is_empty() {
        let address = next.unwrap_or_else(|| address.to_owned());
        contents.push(json!({ "uri": address, "mimeType": "text/plain", "text": notes.join("\n") }));
    }
    Ok(json!({ "contents": contents }))
}

/// Returns the media type and the bytes in base64 of an artifact that the tool which reads returns as a file.
async fn file(tuckaway: &Tuckaway, id: &str) -> Result<Option<(String, String)>, Error> {
    // The text of the reply is not used.
    let options = CallOptions { max_bytes: Some(MIN_PAGE_BYTES as u32) };
    let arguments = json!({ "artifact_id": id }).to_string();
    let Some(media) = tuckaway.call_tool("artifact_read", &arguments, &options).await?.media else {
        return Ok(None);
    };
    let bytes = tuckaway.media_bytes(&media).await?;
    Ok(Some((media.media_type, BASE64.encode(bytes))))
}

async fn page(tuckaway: &Tuckaway, handle: &Handle) -> Result<Page, Error> {
    let Handle { id, part, cursor } = handle;
    match part {
        Part::Jq(filter) => {
            let query = JqQuery { filter: filter.clone(), cursor: cursor.clone(), ..JqQuery::default() };
            let outputs = tuckaway.jq(id, &query, None).await?;
            if let (Some(failure), true) = (&outputs.failure, outputs.text.is_empty()) {
                return Err(Error::invalid(&*failure.message).about(&["filter"]));
            }
            let failure = outputs.failure.map(|failure| format!("The filter stopped: {failure}"));
            let notes = [outputs.parsed_as, outputs.hint, failure].into_iter().flatten();
            Ok(Page {
                text: outputs.text,
                media_type: "application/json",
                notes: notes.collect(),
                next: outputs.next,
            })
        }
        Part::Grep(pattern) => {
            let query =
                GrepQuery { pattern: pattern.clone(), cursor: cursor.clone(), ..GrepQuery::default() };
            let found = tuckaway.grep(id, &query, None).await?;
            let lines = found.matches.iter().map(|found| format!("{}:{}\n", found.line, found.text));
            let text: String = lines.collect();
            let nothing = text.is_empty().then(|| "No line matches.".to_owned());
            Ok(Page {
                text,
                media_type: "text/plain",
                notes: nothing.into_iter().collect(),
                next: found.next,
            })
        }
        Part::Whole | Part::Range(_) => {
            let range = match (cursor, part) {
                (Some(cursor), _) => Range::Cursor(cursor.clone()),
                (None, Part::Range(range)) => range.clone(),
                (None, _) => Range::Bytes(ByteRange { start: 0, end: u64::MAX }),
            };
            let page = tuckaway.read(id, &range, &ReadOptions::default()).await?;
            Ok(Page { text: page.text, media_type: "text/plain", notes: Vec::new(), next: page.next })
        }
    }
}

/// Names the arguments of a query as an address does: a filter, a pattern or a range by the part that has
/// it. The other arguments of queries are not in an address.
fn in_address(mut error: Error, part: &Part) -> Error {
    let named = std::mem::take(&mut error.arguments);
    let named = named.iter().filter_map(|argument| match &**argument {
        "cursor" => Some("cursor"),
        "filter" | "pattern" | "range" => Some(part.name()),
        _ => None,
    });
    let named: Vec<&str> = named.collect();
    error.about(&named)
}

/// Converts an error for a client. Its data names the parts of the address that are malformed.
fn error_data(address: &str, error: &Error) -> ErrorData {
    let mut data = json!({ "uri": tuckaway_text::cut::head(address, 1_024) });
    if !error.arguments.is_empty() {
        data["arguments"] = json!(error.arguments);
    }
    let data = Some(data);
    let message = error.message.clone();
    match error.kind {
        ErrorKind::NotFound | ErrorKind::Expired => ErrorData::resource_not_found(message, data),
        ErrorKind::InvalidInput | ErrorKind::Unsupported | ErrorKind::Limit => {
            ErrorData::invalid_params(message, data)
        }
        _ => {
            tracing::warn!("an artifact could not be read: {error}");
            ErrorData::internal_error(message, data)
        }
    }
}
