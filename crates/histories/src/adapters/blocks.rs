//! Code that formats share: contents that are a text or a list of blocks, media, and unknown items.

use serde_json::{Map, Value};
use tuckaway_conversation::{Message, Part, Role, ToolResult};

/// The tokens of an image, audio or a document whose block does not state its size: about the count
/// of providers for a scaled-down image.
pub(super) const MEDIA_TOKENS: u64 = 1_600;
/// The tokens of a low-detail image, as OpenAI counts them.
const LOW_DETAIL_TOKENS: u64 = 85;
/// The pixels of a token, as Anthropic counts them.
const PIXELS_PER_TOKEN: f64 = 750.0;

/// Creates a message of a history.
pub(super) fn message(role: Role, parts: Vec<Part>) -> Message {
    Message { role, parts, tokens: None, pinned: false, inserted: false }
}

/// Creates a message for a provider-specific item.
pub(super) fn opaque(item: &Value) -> Message {
    message(Role::Assistant, vec![opaque_part(item)])
}

/// Creates a part for a provider-specific block: its bytes as JSON.
pub(super) fn opaque_part(block: &Value) -> Part {
    Part::Opaque(block.to_string().len() as u64)
}

/// Creates a part for an image, audio or a document; a plain text document becomes a text.
pub(super) fn media_part(block: &Value) -> Part {
    match document_text(block) {
        Some(text) => Part::Text(text.to_owned()),
        None => Part::Media(media_tokens(block)),
    }
}

/// Returns the text of a document or file that is plain text.
fn document_text(block: &Value) -> Option<&str> {
    let (holder, member) = match block["type"].as_str()? {
        "document" => (&block["source"], "data"),
        "file" => (&block["data"], "text"),
        _ => return None,
    };
    (holder["type"] == "text").then(|| holder[member].as_str()).flatten()
}

/// Creates a part for a block of OpenAI: a text, a refusal, a kind of media, or provider-specific
/// content.
pub(super) fn openai_part(block: &Value, media: [&str; 3]) -> Part {
    match block["text"].as_str().or_else(|| block["refusal"].as_str()) {
        Some(text) => Part::Text(text.to_owned()),
        None if block["type"].as_str().is_some_and(|kind| media.contains(&kind)) => media_part(block),
        None => opaque_part(block),
    }
}

/// Returns the tokens of an image, audio or a document, by its size if the block states it.
fn media_tokens(block: &Value) -> u64 {
    let source = &block["source"];
    if block["detail"] == "low" || block["image_url"]["detail"] == "low" {
        return LOW_DETAIL_TOKENS;
    }
    let side = |name: &str| block[name].as_f64().or_else(|| source[name].as_f64());
    match (side("width"), side("height")) {
        (Some(width), Some(height)) if width > 0.0 && height > 0.0 => {
            ((width * height / PIXELS_PER_TOKEN).ceil() as u64).clamp(1, MEDIA_TOKENS)
        }
        _ => MEDIA_TOKENS,
    }
}

/// Reads a content: a text is one part, each block of a list is one.
pub(super) fn content_parts(content: &Value, block: impl Fn(&Value) -> Part) -> Vec<Part> {
    match content {
        Value::String(text) => vec![Part::Text(text.clone())],
        Value::Array(blocks) => blocks.iter().map(block).collect(),
        _ => Vec::new(),
    }
}

/// Reads a system prompt: a text, or blocks.
pub(crate) fn system_message(prompt: &Value) -> Message {
    let text = |block: &Value| match block["text"].as_str() {
        Some(text) => Part::Text(text.to_owned()),
        None => opaque_part(block),
    };
    message(Role::System, content_parts(prompt, text))
}

/// Reads the content of a tool result: its texts, joined by line feeds, and then a part for each
/// medium. Other blocks are read as JSON text.
pub(super) fn result_parts(call_id: &str, is_error: bool, content: &Value) -> (Part, Vec<Part>) {
    let (text, media) = match content {
        Value::String(text) => (text.clone(), Vec::new()),
        Value::Array(blocks) => {
            let texts: Vec<String> = blocks.iter().filter(|block| !is_media(block)).map(text_of).collect();
            (texts.join("\n"), blocks.iter().filter(|block| is_media(block)).map(media_part).collect())
        }
        Value::Null => (String::new(), Vec::new()),
        block if is_media(block) => (String::new(), vec![media_part(block)]),
        other => (other.to_string(), Vec::new()),
    };
    let result = ToolResult { call_id: call_id.to_owned(), text, is_error, artifact: None };
    (Part::ToolResult(result), media)
}

/// Returns whether a block is an image, audio, a document or another file that is not plain text.
fn is_media(block: &Value) -> bool {
    const MEDIA: [&str; 7] = ["image", "file", "audio", "video", "document", "media", "screenshot"];
    let is_of_kind = |kind: &str| MEDIA.iter().any(|media| kind.contains(media));
    block["type"].as_str().is_some_and(is_of_kind) && document_text(block).is_none()
}

/// Returns the text of a block; its JSON if it has more than one.
fn text_of(block: &Value) -> String {
    if let Some(text) = document_text(block) {
        return text.to_owned();
    }
    let has_errors = block["stderr"].as_str().is_some_and(|errors| !errors.is_empty());
    match text_member(block) {
        Some(member) if !has_errors => block[member].as_str().unwrap_or_default().to_owned(),
        _ => block.to_string(),
    }
}

/// Returns the member of a block that holds a text: outputs of shells have two streams.
fn text_member(block: &Value) -> Option<&'static str> {
    ["text", "stdout"].into_iter().find(|name| block[*name].is_string())
}

/// Replaces everything in a content that was read as text with one text. Media and a cache
/// breakpoint stay.
pub(super) fn set_text(content: &mut Value, text: &str, new_block: impl Fn(&str) -> Value) {
    let Value::Array(blocks) = content else {
        if !is_media(content) {
            *content = Value::from(text);
        }
        return;
    };
    let texts = || blocks.iter().filter(|block| !is_media(block));
    let breakpoint = texts().rev().find_map(|block| block.get("cache_control").cloned());
    let mut first =
        texts().find(|block| text_member(block).is_some()).cloned().unwrap_or_else(|| new_block(text));
    let member = text_member(&first).unwrap_or("text");
    first[member] = Value::from(text);
    if first["stderr"].is_string() {
        first["stderr"] = Value::from("");
    }
    if let (Some(breakpoint), Some(first)) = (breakpoint, first.as_object_mut()) {
        first.insert("cache_control".to_owned(), breakpoint);
    }
    blocks.retain(is_media);
    blocks.insert(0, first);
}

/// Returns an element of a list in an item.
pub(super) fn element<'a>(item: &'a mut Value, member: &str, index: u32) -> Option<&'a mut Value> {
    item.get_mut(member)?.get_mut(index as usize)
}

/// Returns a text member of an item, or an error if it is missing.
pub(super) fn text<'a>(item: &'a Value, name: &str) -> Result<&'a str, String> {
    item[name].as_str().ok_or_else(|| format!("{name} is missing or not a text"))
}

/// Returns a value as the JSON text of arguments: a string is that text itself.
pub(super) fn arguments(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Null => "{}".to_owned(),
        value => value.to_string(),
    }
}

/// Returns a block with a single text.
pub(super) fn text_block(kind: &str, text: &str) -> Value {
    let mut block = Map::new();
    block.insert("type".to_owned(), Value::from(kind));
    block.insert("text".to_owned(), Value::from(text));
    Value::Object(block)
}

/// Returns the bytes of the members of an item that are not among the given names, as an opaque
/// part; none if there are no such members.
pub(super) fn other_members(item: &Value, known: &[&str]) -> Option<Part> {
    let others = item.as_object()?.iter().filter(|(name, value)| {
        let is_empty = value.is_null() || value.as_array().is_some_and(Vec::is_empty);
        !is_empty && !known.contains(&name.as_str())
    });
    let bytes: u64 = others.map(|(name, value)| (name.len() + value.to_string().len()) as u64).sum();
    (bytes > 0).then_some(Part::Opaque(bytes))
}
