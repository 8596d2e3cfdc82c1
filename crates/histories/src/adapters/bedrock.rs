//! Messages of Amazon Bedrock's Converse: each block is an object whose only member names its kind.

use std::borrow::Cow;

use serde_json::Value;
use tuckaway_contract::{Message, Part, Role, ToolCall};

use super::blocks::{
    add_result_block, add_text_block, arguments, element, filled, medium_in, message, opaque, opaque_part,
    remove_part, text, tool_result, unknown_bytes, with_unknown,
};
use super::media::medium;
use super::{Adapter, Item, Piece};

pub(super) struct Bedrock;

/// The answer between two messages of the user.
const ANSWER: &str = r#"{"role":"assistant","content":[{"text":"Understood."}]}"#;
/// The kinds of blocks that are media.
const MEDIA: [&str; 4] = ["image", "document", "video", "audio"];

impl Adapter for Bedrock {
    fn system_members(&self) -> &'static [&'static str] {
        &["system"]
    }

    fn tools_path(&self) -> &'static [&'static str] {
        &["toolConfig", "tools"]
    }

    fn read(&self, item: &Value) -> Result<Message, String> {
        let role = match item["role"].as_str() {
            Some("user") => Role::User,
            Some("assistant") => Role::Assistant,
            _ => return Ok(opaque(item)),
        };
        let Value::Array(blocks) = &item["content"] else {
            return Err("its content is not a list of blocks, as Converse requires".to_owned());
        };
        let (mut parts, mut media) = (Vec::with_capacity(blocks.len()), Vec::new());
        for block in blocks {
            parts.push(part(block, &mut media)?);
        }
        parts.append(&mut media);
        let only_results = !blocks.is_empty() && blocks.iter().all(|block| block["toolResult"].is_object());
        let read = message(if only_results { Role::Tool } else { role }, parts);
        Ok(with_unknown(read, unknown_bytes(item, &["content"])))
    }

    fn replace_result(&self, item: &mut Value, part: usize, text: &str) -> Result<(), String> {
        let block = element(item, "content", part).filter(|block| block["toolResult"].is_object());
        let block = block.ok_or_else(|| format!("part {part} is not a tool result"))?;
        let content = &mut block["toolResult"]["content"];
        let mut blocks: Vec<Value> = content.as_array().cloned().unwrap_or_default();
        blocks.retain(is_media);
        blocks.insert(0, self.text_block(text));
        *content = Value::Array(blocks);
        Ok(())
    }

    fn arguments<'a>(&self, item: &'a mut Value, part: usize) -> Option<&'a mut Value> {
        element(item, "content", part)?.get_mut("toolUse")?.get_mut("input")
    }

    fn medium<'a>(&self, item: &'a mut Value, part: usize) -> Option<&'a mut Value> {
        let inside = |block: &'a mut Value| block.get_mut("toolResult")?.get_mut("content");
        medium_in(item.get_mut("content")?, part, is_media, inside)
    }

    fn text_block(&self, text: &str) -> Value {
        filled(r#"{"text":"$text"}"#, &[("$text", text)])
    }

    fn insert(&self, text: &str) -> Value {
        filled(r#"{"role":"user","content":[{"text":"$text"}]}"#, &[("$text", text)])
    }

    fn add_result(&self, items: &mut Vec<Item<'_>>, index: usize, call: &ToolCall, text: &str) {
        let block = filled(
            r#"{"toolResult":{"toolUseId":"$id","content":[{"text":"$text"}],"status":"error"}}"#,
            &[("$id", &call.id), ("$text", text)],
        );
        add_result_block(items, index, "content", block);
    }

    fn remove_result(&self, item: &mut Value, part: usize) -> bool {
        remove_part(item, "content", part)
    }

    fn add_text(&self, items: &mut Vec<Item<'_>>, index: usize, text: &str) {
        add_text_block(items, index, "content", self.text_block(text));
    }

    fn tool_name<'a>(&self, definition: &'a Value) -> Option<&'a str> {
        definition["toolSpec"]["name"].as_str()
    }

    fn is_hosted(&self, definition: &Value) -> bool {
        // System tools and cache points.
        !definition["toolSpec"].is_object()
    }

    /// Converse requires alternating roles: where a plan inserts a message of the user next to
    /// another one, a short answer comes between them.
    fn settle<'a>(
        &self,
        pieces: Vec<Piece<'a>>,
        read: &[Cow<'_, Value>],
        _: &dyn Fn(usize) -> Value,
    ) -> Vec<Piece<'a>> {
        let is_users = |piece: &Piece<'_>| piece.origin.is_none_or(|index| read[index]["role"] == "user");
        let mut settled: Vec<Piece<'a>> = Vec::with_capacity(pieces.len());
        for piece in pieces {
            let meets = settled.last().is_some_and(|last| {
                (last.origin.is_none() || piece.origin.is_none()) && is_users(last) && is_users(&piece)
            });
            if meets {
                settled.push(Piece { origin: None, text: Some(Cow::Borrowed(ANSWER)) });
            }
            settled.push(piece);
        }
        settled
    }
}

fn part(block: &Value, media: &mut Vec<Part>) -> Result<Part, String> {
    if let Some(text) = block["text"].as_str() {
        return Ok(Part::Text(text.to_owned()));
    }
    if block["toolUse"].is_object() {
        let call = &block["toolUse"];
        return Ok(Part::ToolCall(ToolCall {
            id: text(call, "toolUseId")?.to_owned(),
            name: text(call, "name")?.to_owned(),
            arguments: arguments(&call["input"]),
            pinned: false,
        }));
    }
    if block["toolResult"].is_object() {
        let result = &block["toolResult"];
        let id = text(result, "toolUseId")?;
        let blocks = result["content"].as_array().map(Vec::as_slice).unwrap_or_default();
        media.extend(blocks.iter().filter(|block| is_media(block)).map(|block| Part::Media(medium(block))));
        let texts: Vec<String> = blocks.iter().filter(|block| !is_media(block)).map(result_text).collect();
        return Ok(tool_result(id, texts.join("\n"), result["status"] == "error"));
    }
    Ok(match is_media(block) {
        true => Part::Media(medium(block)),
        false => opaque_part(block),
    })
}

fn is_media(block: &Value) -> bool {
    MEDIA.iter().any(|kind| block[*kind].is_object())
}

fn result_text(block: &Value) -> String {
    match block["text"].as_str() {
        Some(text) => text.to_owned(),
        None if !block["json"].is_null() => block["json"].to_string(),
        None => block.to_string(),
    }
}
