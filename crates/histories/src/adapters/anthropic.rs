//! Messages of Anthropic.

use std::borrow::Cow;

use serde_json::Value;
use tuckaway_contract::{Message, Part, Role, ToolCall};

use super::blocks::{
    add_result_block, add_text_block, arguments, content_parts, element, filled, is_media, media_part,
    medium_in, message, offers_tools, opaque, opaque_part, remove_part, result_parts, set_text, text,
    text_block, unknown_bytes, with_unknown,
};
use super::programs::{self, Mention};
use super::{Adapter, Item};

pub(super) struct Anthropic;

/// Prefixes of the types of tools that Anthropic defines and the host runs.
const RUN_BY_HOST: [&str; 4] = ["bash_", "text_editor_", "computer_", "memory_"];

impl Adapter for Anthropic {
    fn system_members(&self) -> &'static [&'static str] {
        &["system"]
    }

    fn read(&self, item: &Value) -> Result<Message, String> {
        let role = match item["role"].as_str() {
            Some("user") => Role::User,
            Some("assistant") => Role::Assistant,
            Some("system") => Role::System,
            _ => return Ok(opaque(item)),
        };
        let unknown =
            unknown_bytes(item, &["content", "model", "stop_reason", "stop_sequence", "usage", "container"]);
        let Value::Array(blocks) = &item["content"] else {
            return Ok(with_unknown(message(role, content_parts(&item["content"], opaque_part)), unknown));
        };
        let is_result = |block: &Value| block["type"] == "tool_result";
        let (mut parts, mut media) = (Vec::with_capacity(blocks.len()), Vec::new());
        let (mut pinned, mut kept, mut offered) = (self.is_compaction(item), false, 0);
        for each in blocks {
            let offers = offers_tools(each);
            if is_result(each) {
                let is_error = each["is_error"] == true;
                let (mut result, images) =
                    result_parts(text(each, "tool_use_id")?, is_error, &each["content"]);
                if let (true, Part::ToolResult(result)) = (offers, &mut result) {
                    // Later calls need the tools that it offers; other results of the message may change.
                    kept = true;
                    offered += std::mem::take(&mut result.text).len() as u64;
                }
                parts.push(result);
                media.extend(images);
            } else {
                pinned |= offers;
                parts.push(block(each)?);
            }
        }
        // Images in results follow the parts, so that each block keeps its index.
        parts.append(&mut media);
        let only_results = !blocks.is_empty() && blocks.iter().all(is_result);
        let unknown = unknown + offered + blocks.iter().map(unknown_in_block).sum::<u64>();
        let read = with_unknown(message(if only_results { Role::Tool } else { role }, parts), unknown);
        // Later calls need the tools that its blocks offer, and no other message has the compacted
        // content.
        Ok(Message { pinned, kept, ..read })
    }

    fn relate(&self, items: &[Cow<'_, Value>], messages: &mut [Message]) {
        let mentions = items.iter().enumerate().flat_map(|(index, item)| {
            let blocks = item["content"].as_array().into_iter().flatten();
            blocks.filter_map(move |block| Some((index, mention(block)?)))
        });
        programs::join(mentions, messages);
    }

    /// A block without content reports that a compaction failed, and has no effect.
    fn is_compaction(&self, item: &Value) -> bool {
        let is_summary = |block: &Value| block["type"] == "compaction" && block["content"].is_string();
        item["content"].as_array().is_some_and(|blocks| blocks.iter().any(is_summary))
    }

    fn can_compact(&self) -> bool {
        true
    }

    fn replace_result(&self, item: &mut Value, part: usize, text: &str) -> Result<(), String> {
        let block = element(item, "content", part).filter(|block| block["type"] == "tool_result");
        let block = block.ok_or_else(|| format!("part {part} is not a tool result"))?;
        set_text(&mut block["content"], text, |text| text_block("text", text));
        Ok(())
    }

    fn arguments<'a>(&self, item: &'a mut Value, part: usize) -> Option<&'a mut Value> {
        element(item, "content", part)?.get_mut("input")
    }

    fn medium<'a>(&self, item: &'a mut Value, part: usize) -> Option<&'a mut Value> {
        medium_in(item.get_mut("content")?, part, is_media, |block| match block["type"] == "tool_result" {
            true => block.get_mut("content"),
            false => None,
        })
    }

    fn insert(&self, text: &str) -> Value {
        filled(r#"{"role":"user","content":"$text"}"#, &[("$text", text)])
    }

    fn add_result(&self, items: &mut Vec<Item<'_>>, index: usize, call: &ToolCall, text: &str) {
        let block = filled(
            r#"{"type":"tool_result","tool_use_id":"$id","content":"$text","is_error":true}"#,
            &[("$id", &call.id), ("$text", text)],
        );
        add_result_block(items, index, "content", block);
    }

    fn remove_result(&self, item: &mut Value, part: usize) -> bool {
        remove_part(item, "content", part)
    }

    fn add_text(&self, items: &mut Vec<Item<'_>>, index: usize, text: &str) {
        add_text_block(items, index, "content", text_block("text", text));
    }

    fn tool_name<'a>(&self, definition: &'a Value) -> Option<&'a str> {
        definition["name"].as_str()
    }

    fn is_hosted(&self, definition: &Value) -> bool {
        let kind = definition["type"].as_str().unwrap_or("custom");
        kind != "custom" && !RUN_BY_HOST.iter().any(|name| kind.starts_with(name))
    }
}

fn block(block: &Value) -> Result<Part, String> {
    Ok(match block["type"].as_str() {
        Some("text") => Part::Text(block["text"].as_str().unwrap_or_default().to_owned()),
        Some("tool_use") => Part::ToolCall(ToolCall {
            id: text(block, "id")?.to_owned(),
            name: text(block, "name")?.to_owned(),
            arguments: arguments(&block["input"]),
            pinned: false,
        }),
        Some("image" | "document") => media_part(block),
        // Thinking, and calls that the provider runs, with their results.
        _ => opaque_part(block),
    })
}

/// Returns the bytes of the unknown members of blocks that are not read as a whole.
fn unknown_in_block(block: &Value) -> u64 {
    match block["type"].as_str() {
        Some("text") => unknown_bytes(block, &["text"]),
        Some("tool_use") => unknown_bytes(block, &["input", "caller"]),
        Some("tool_result") => unknown_bytes(block, &["tool_use_id", "content", "is_error"]),
        _ => 0,
    }
}

fn mention(block: &Value) -> Option<Mention<'_>> {
    match block["type"].as_str()? {
        "server_tool_use" => block["id"].as_str().map(Mention::Start),
        "tool_use" => block["caller"]["tool_id"].as_str().map(Mention::Call),
        "tool_result" => None,
        kind if kind.ends_with("_tool_result") => block["tool_use_id"].as_str().map(Mention::Output),
        _ => None,
    }
}
