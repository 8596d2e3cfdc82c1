//! Code that formats share: contents that are a text or a list of blocks, media, and unknown items.

use std::borrow::Cow;

use serde_json::{Map, Value};
use tuckaway_contract::{Message, Part, Role, ToolResult};

use super::Item;
use super::media::medium;

/// Creates a message of a history.
pub(super) fn message(role: Role, parts: Vec<Part>) -> Message {
    Message { role, parts, tokens: None, pinned: false, inserted: false, joined: false, kept: false }
}

/// Creates a message for a provider-specific item.
pub(super) fn opaque(item: &Value) -> Message {
    message(Role::Assistant, vec![opaque_part(item)])
}

/// Creates a part for a provider-specific block: its bytes as JSON.
pub(super) fn opaque_part(block: &Value) -> Part {
    let bytes = block.to_string().len() as u64;
    if is_thinking(block) { Part::Thinking(bytes) } else { Part::Opaque(bytes) }
}

/// Returns whether a block is the model's thinking, which can be removed. OpenAI's thinking inside
/// of a message cannot: the other blocks refer to it by their ids.
fn is_thinking(block: &Value) -> bool {
    let is_kind = match block["type"].as_str() {
        Some(kind) => matches!(kind, "thinking" | "redacted_thinking" | "reasoning" | "reasoning_content"),
        None => {
            block["reasoningContent"].is_object() || block["thought"] == true && block["text"].is_string()
        }
    };
    is_kind && !block["id"].is_string() && !block.to_string().contains("\"itemId\":\"")
}

/// Removes the thinking from a content of a provider.
pub(super) fn clear_thinking(content: Option<&mut Value>) {
    if let Some(blocks) = content.and_then(Value::as_array_mut) {
        blocks.retain(|block| !is_thinking(block));
    }
}

/// Creates a part for an image, audio or a document; a plain text document becomes a text.
pub(super) fn media_part(block: &Value) -> Part {
    match document_text(block) {
        Some(text) => Part::Text(text.to_owned()),
        None => Part::Media(medium(block)),
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

/// Reads a content: a text is one part, each block of a list is one.
pub(super) fn content_parts(content: &Value, block: impl Fn(&Value) -> Part) -> Vec<Part> {
    match content {
        Value::String(text) => vec![Part::Text(text.clone())],
        Value::Array(blocks) => blocks.iter().map(block).collect(),
        _ => Vec::new(),
    }
}

/// Reads a system prompt: a text, or blocks. Gemini's is a message.
pub(crate) fn system_message(prompt: &Value) -> Message {
    let text = |block: &Value| match block["text"].as_str().or_else(|| block["content"].as_str()) {
        Some(text) => Part::Text(text.to_owned()),
        None => opaque_part(block),
    };
    let content =
        ["parts", "content"].into_iter().map(|name| &prompt[name]).find(|content| !content.is_null());
    message(Role::System, content_parts(content.unwrap_or(prompt), text))
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
pub(super) fn is_media(block: &Value) -> bool {
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

/// Replaces a text of a content: the whole content, or a block, which may be a plain text document. None
/// if it is not the old text.
pub(super) fn replace_text(content: &mut Value, part: usize, old: &str, new: &str) -> Option<()> {
    let place = match content {
        Value::Array(blocks) => text_place(blocks.get_mut(part)?)?,
        whole => whole,
    };
    (place.as_str() == Some(old)).then(|| *place = Value::from(new))
}

/// Returns the text of a block.
fn text_place(block: &mut Value) -> Option<&mut Value> {
    let is_document = document_text(block).is_some();
    match block["type"].as_str() {
        _ if block.is_string() => Some(block),
        Some("document") if is_document => block.get_mut("source")?.get_mut("data"),
        Some("file") if is_document => block.get_mut("data")?.get_mut("text"),
        _ => block.get_mut("text"),
    }
}

/// Returns the block of a medium in a content that results may be in: a block of it, or one of the media
/// inside of results, whose parts follow the blocks.
pub(super) fn medium_in<'a>(
    content: &'a mut Value,
    part: usize,
    is_media: fn(&Value) -> bool,
    inside: impl Fn(&'a mut Value) -> Option<&'a mut Value>,
) -> Option<&'a mut Value> {
    let blocks = content.as_array_mut()?;
    match part.checked_sub(blocks.len()) {
        None => blocks.get_mut(part),
        Some(number) => {
            let contents = blocks.iter_mut().filter_map(inside).filter_map(Value::as_array_mut);
            contents.flatten().filter(|block| is_media(block)).nth(number)
        }
    }
}

/// Returns the block of a medium in the content of a message that is one result: its parts follow the
/// result.
pub(super) fn medium_of_result(content: &mut Value, part: usize) -> Option<&mut Value> {
    let blocks = content.as_array_mut()?.iter_mut();
    blocks.filter(|block| is_media(block)).nth(part.checked_sub(1)?)
}

/// Writes arguments as they were: as a text that has JSON, or as JSON.
pub(super) fn set_arguments(place: &mut Value, text: &str) {
    *place = match place {
        Value::String(_) => Value::from(text),
        _ => serde_json::from_str(text).unwrap_or_else(|_| Value::from(text)),
    };
}

/// Returns an element of a list in an item.
pub(super) fn element<'a>(item: &'a mut Value, member: &str, index: usize) -> Option<&'a mut Value> {
    item.get_mut(member)?.get_mut(index)
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

/// Members that providers do not show to the model.
const NOT_SHOWN: [&str; 12] = [
    "type",
    "role",
    "id",
    "name",
    "status",
    "index",
    "cache_control",
    "providerOptions",
    "providerMetadata",
    "metadata",
    "createdAt",
    "annotations",
];

/// Returns the bytes of the members that are not among the given names and that the model may see.
pub(super) fn unknown_bytes(value: &Value, known: &[&str]) -> u64 {
    let Some(members) = value.as_object() else { return 0 };
    let others = members.iter().filter(|(name, value)| {
        let is_empty = value.is_null() || value.as_array().is_some_and(Vec::is_empty);
        !is_empty && !known.contains(&name.as_str()) && !NOT_SHOWN.contains(&name.as_str())
    });
    others.map(|(name, value)| (name.len() + value.to_string().len()) as u64).sum()
}

/// Adds an opaque part for the unknown members of an item and of its blocks, if there are any. It
/// is the last part, so that the others keep the indexes of their blocks.
pub(super) fn with_unknown(mut message: Message, bytes: u64) -> Message {
    if bytes > 0 {
        message.parts.push(Part::Opaque(bytes));
    }
    message
}

/// Types whose blocks or items offer tools to the model.
const OFFERS: [&str; 5] =
    ["tool_reference", "tool_addition", "tool_removal", "tool_search_output", "additional_tools"];

/// Returns whether an item makes tools available.
pub(super) fn offers_tools(item: &Value) -> bool {
    offered_tools(item).is_some()
}

/// Returns the tools that an item makes available: definitions of them, or references to them.
/// None if it is not about tools.
pub(crate) fn offered_tools(item: &Value) -> Option<Vec<String>> {
    let mut names = None;
    find_offers(item, &mut names);
    names
}

fn find_offers(value: &Value, names: &mut Option<Vec<String>>) {
    match value {
        Value::Object(members) => {
            let kind = members.get("type").and_then(Value::as_str).unwrap_or_default();
            if OFFERS.contains(&kind) {
                collect_names(value, names.get_or_insert_default());
                return;
            }
            // Arguments and outputs are data of tools, whatever they look like.
            let is_data = |name: &str| matches!(name, "input" | "arguments" | "args" | "output" | "response");
            let others = members.iter().filter(|(name, _)| !is_data(name));
            others.for_each(|(_, value)| find_offers(value, names));
        }
        Value::Array(elements) => elements.iter().for_each(|element| find_offers(element, names)),
        _ => {}
    }
}

fn collect_names(value: &Value, names: &mut Vec<String>) {
    match value {
        Value::Object(members) => {
            for (name, value) in members {
                match value {
                    Value::String(text) if name == "name" || name == "tool_name" => names.push(text.clone()),
                    // A parameter's name is not a tool's.
                    _ if matches!(&**name, "parameters" | "input_schema") => {}
                    value => collect_names(value, names),
                }
            }
        }
        Value::Array(elements) => elements.iter().for_each(|element| collect_names(element, names)),
        _ => {}
    }
}

/// Adds a result to formats whose results are blocks of a message of the user: to the message that
/// has the other results of the same call, to the user's message after it, or to a new one.
pub(super) fn add_result_block(items: &mut Vec<Item<'_>>, index: usize, member: &str, block: Value) {
    let is_users = |item: &Item<'_>| item.value["role"] == "user";
    for (at, has_results) in [(index, true), (index + 1, false)] {
        let Some(item) = items.get_mut(at).filter(|item| is_users(item)) else { continue };
        let content = &mut item.value.to_mut()[member];
        if let Value::String(text) = content {
            let text = std::mem::take(text);
            *content = Value::Array(vec![text_block("text", &text)]);
        }
        let Value::Array(blocks) = content else { continue };
        let after =
            if has_results { blocks.iter().rposition(is_result).map_or(0, |last| last + 1) } else { 0 };
        blocks.insert(after, block);
        return;
    }
    items.insert((index + 1).min(items.len()), of_user(member, block));
}

/// Returns a new message of the user with one block.
fn of_user<'a>(member: &str, block: Value) -> Item<'a> {
    let mut message = filled(r#"{"role":"user"}"#, &[]);
    message[member] = Value::Array(vec![block]);
    Item { origin: None, value: Cow::Owned(message) }
}

/// Adds a text to formats whose results are blocks of a message of the user: at the end of this
/// message, after the results of the next one, or in a new one.
pub(super) fn add_text_block(items: &mut Vec<Item<'_>>, index: usize, member: &str, block: Value) {
    for (at, is_next) in [(index, false), (index + 1, true)] {
        let Some(item) = items.get_mut(at).filter(|item| item.value["role"] == "user") else { continue };
        let Some(blocks) = item.value.to_mut()[member].as_array_mut() else { continue };
        let after_results = blocks.iter().rposition(is_result).map_or(0, |last| last + 1);
        let place = if is_next { after_results } else { blocks.len() };
        blocks.insert(place, block);
        return;
    }
    items.insert((index + 1).min(items.len()), of_user(member, block));
}

fn is_result(block: &Value) -> bool {
    block["type"] == "tool_result" || block["toolResult"].is_object() || block["functionResponse"].is_object()
}

/// Removes a part of a message. Returns whether any part is left.
pub(super) fn remove_part(item: &mut Value, member: &str, part: usize) -> bool {
    let Some(parts) = item[member].as_array_mut() else { return true };
    if part < parts.len() {
        parts.remove(part);
    }
    !parts.is_empty()
}

/// Creates a part for a tool result without an artifact.
pub(super) fn tool_result(call_id: &str, text: String, is_error: bool) -> Part {
    Part::ToolResult(ToolResult { call_id: call_id.to_owned(), text, is_error, artifact: None })
}

/// Creates a part for a block of any provider: a text, a medium, or opaque content.
pub(super) fn media_block_or_opaque(block: &Value) -> Part {
    match block["text"].as_str() {
        Some(text) => Part::Text(text.to_owned()),
        None if is_media(block) => media_part(block),
        None => opaque_part(block),
    }
}

/// Parses a template and replaces the texts in it that are names of values.
pub(super) fn filled(template: &str, values: &[(&str, &str)]) -> Value {
    fn fill(value: &mut Value, values: &[(&str, &str)]) {
        match value {
            Value::String(text) => {
                if let Some((_, own)) = values.iter().find(|(name, _)| *name == text.as_str()) {
                    *text = (*own).to_owned();
                }
            }
            Value::Array(elements) => elements.iter_mut().for_each(|element| fill(element, values)),
            Value::Object(members) => members.values_mut().for_each(|member| fill(member, values)),
            _ => {}
        }
    }
    let mut value = serde_json::from_str(template).expect("the template is JSON");
    fill(&mut value, values);
    value
}
