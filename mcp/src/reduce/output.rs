//! Converts the items of a result to blocks of an output, and back.
//!
//! Texts are moved into the blocks and, if the result passes, moved back, so that a result of
//! many megabytes is not copied.

use std::io;
use std::mem;

use serde_json::Value;
use tuckaway_host::{Block, Content, ToolOutput};
use tuckaway_text::base64;

/// Returns whether all values are items of content: objects that name their type.
pub fn are_items(items: &[Value]) -> bool {
    items.iter().all(|item| item.get("type").is_some_and(Value::is_string))
}

/// Returns an output with one block for each item, in order, so that
/// [`View::kept`](tuckaway_host::View::kept) has the indexes of items. The texts are moved out
/// of the items: see [`put_back`].
pub fn take(tool: &str, is_error: bool, items: &mut [Value], structured: Option<&Value>) -> ToolOutput {
    ToolOutput {
        tool: tool.to_owned(),
        is_error,
        blocks: items.iter_mut().map(block_of).collect(),
        structured: structured.map(Value::to_string),
    }
}

/// Moves the texts of an output back into the items that they were taken from.
pub fn put_back(items: &mut [Value], output: ToolOutput) {
    for (item, block) in items.iter_mut().zip(output.blocks) {
        if let (Some(at), Content::Text(text)) = (text_at(item), block.content)
            && let Some(place) = item.pointer_mut(at)
        {
            *place = Value::String(text);
        }
    }
}

/// Returns whether an item is passed on unchanged because of its declared media type.
pub fn is_media(item: &Value) -> bool {
    text_at(item).is_none()
        && encoded(item).is_some_and(|(_, media_type)| media_type.is_some_and(is_passed_on))
}

/// Returns whether blocks of a media type are passed on.
pub fn is_passed_on(media_type: &str) -> bool {
    ["image/", "audio/", "video/"].iter().any(|class| media_type.starts_with(class))
}

fn block_of(item: &mut Value) -> Block {
    if let Some(at) = text_at(item) {
        // Text is for the model to read, regardless of its media type: an SVG is not an image here.
        let media_type = item.pointer("/resource/mimeType").and_then(Value::as_str);
        let media_type = media_type.filter(|_| at == RESOURCE_TEXT).filter(|named| !is_passed_on(named));
        let media_type = media_type.map(str::to_owned);
        let text = match item.pointer_mut(at) {
            Some(Value::String(text)) => mem::take(text),
            _ => String::new(),
        };
        return Block { content: Content::Text(text), media_type };
    }
    match encoded(item) {
        // The media is counted without being decoded.
        Some((_, Some(media_type))) if is_passed_on(media_type) => {
            Block { media_type: Some(media_type.to_owned()), ..text_block(String::new()) }
        }
        Some((data, media_type)) => match base64::decode(data.as_bytes()) {
            Some(bytes) => {
                Block { content: Content::Bytes(bytes), media_type: media_type.map(str::to_owned) }
            }
            None => text_block(data.to_owned()),
        },
        None => Block { media_type: Some("application/json".to_owned()), ..text_block(item.to_string()) },
    }
}

fn text_block(text: String) -> Block {
    Block { content: Content::Text(text), media_type: None }
}

const RESOURCE_TEXT: &str = "/resource/text";

/// Returns the path of the text in an item; `None` if the item has no text. A text that was
/// moved out leaves an empty text in its place.
fn text_at(item: &Value) -> Option<&'static str> {
    let at = match item.get("type")?.as_str()? {
        "text" => "/text",
        "resource" => RESOURCE_TEXT,
        _ => return None,
    };
    item.pointer(at)?.is_string().then_some(at)
}

/// Returns the base64 data of an item and its declared media type; `None` if it has no such
/// data.
fn encoded(item: &Value) -> Option<(&str, Option<&str>)> {
    let (holder, member) = match item.get("type")?.as_str()? {
        "image" | "audio" => (item, "data"),
        "resource" => (item.get("resource")?, "blob"),
        _ => return None,
    };
    Some((holder.get(member)?.as_str()?, holder.get("mimeType").and_then(Value::as_str)))
}

/// Returns whether items and structured content are certain to have fewer bytes than `limit` as
/// an output. Stops counting at the limit.
pub fn is_below(items: &[Value], structured: Option<&Value>, limit: u64) -> bool {
    let items = items.iter().map(|item| most_bytes(item, limit));
    sum_is_below(items.chain(structured.map(|json| json_bytes(json, limit))), limit)
}

/// Returns whether the sum of sizes is below `limit`; `u64::MAX` is no limit. Stops adding at
/// the limit.
pub fn sum_is_below(mut sizes: impl Iterator<Item = u64>, limit: u64) -> bool {
    let mut left = limit;
    limit == u64::MAX
        || limit > 0
            && sizes.all(|bytes| {
                left = left.saturating_sub(bytes);
                left > 0
            })
}

/// Returns the maximum size of an item in an output, including the line feed after it.
fn most_bytes(item: &Value, limit: u64) -> u64 {
    if let Some(at) = text_at(item) {
        return item.pointer(at).and_then(Value::as_str).map_or(0, str::len) as u64 + 1;
    }
    match encoded(item) {
        Some((_, Some(media_type))) if is_passed_on(media_type) => 0,
        // Four digits encode three bytes, and each byte takes three bytes as text if it is
        // invalid.
        Some((data, _)) => (data.len() as u64).saturating_mul(9) / 4 + 1,
        None => json_bytes(item, limit).saturating_add(1),
    }
}

/// Returns the length of a value as compact JSON, or any number that is at least `limit` if the
/// length is.
pub fn json_bytes(value: &Value, limit: u64) -> u64 {
    let mut counter = Counter { count: 0, limit };
    match serde_json::to_writer(&mut counter, value) {
        Ok(()) => counter.count,
        Err(_) => limit,
    }
}

/// Counts the bytes that are written, and fails when the count reaches a limit.
struct Counter {
    count: u64,
    limit: u64,
}

impl io::Write for Counter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.count += bytes.len() as u64;
        match self.count < self.limit {
            true => Ok(bytes.len()),
            false => Err(io::ErrorKind::FileTooLarge.into()),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
