//! Messages of Anthropic.

use serde_json::{Value, json};
use tuckaway_conversation::{Message, Part, Replacement, Role, TextMessage, ToolCall};

use super::Adapter;
use super::blocks::{
    arguments, content_parts, element, media_part, message, opaque, opaque_part, result_parts, set_text,
    text, text_block,
};
use super::openai_chat::role_name;

pub(super) struct Anthropic;

/// Prefixes of the types of tools that Anthropic defines and the host runs.
const RUN_BY_HOST: [&str; 4] = ["bash_", "text_editor_", "computer_", "memory_"];

impl Adapter for Anthropic {
    fn system_member(&self) -> Option<&'static str> {
        Some("system")
    }

    fn read(&self, item: &Value) -> Result<Message, String> {
        let role = match item["role"].as_str() {
            Some("user") => Role::User,
            Some("assistant") => Role::Assistant,
            Some("system") => Role::System,
            _ => return Ok(opaque(item)),
        };
        let Value::Array(blocks) = &item["content"] else {
            return Ok(message(role, content_parts(&item["content"], opaque_part)));
        };
        let is_result = |block: &Value| block["type"] == "tool_result";
        let (mut parts, mut media) = (Vec::with_capacity(blocks.len()), Vec::new());
        for each in blocks {
            if is_result(each) {
                let is_error = each["is_error"] == true;
                let (result, images) = result_parts(text(each, "tool_use_id")?, is_error, &each["content"]);
                parts.push(result);
                media.extend(images);
            } else {
                parts.push(block(each)?);
            }
        }
        // Images in results follow the parts, so that each block keeps its index.
        parts.append(&mut media);
        let only_results = !blocks.is_empty() && blocks.iter().all(is_result);
        let read = message(if only_results { Role::Tool } else { role }, parts);
        // No other message has the content that the provider has compacted.
        let is_compaction = |block: &Value| block["type"] == "compaction";
        Ok(Message { pinned: blocks.iter().any(is_compaction), ..read })
    }

    fn replace(&self, item: &mut Value, replacement: &Replacement) -> Result<(), String> {
        let block = element(item, "content", replacement.part).filter(|block| block["type"] == "tool_result");
        let block = block.ok_or_else(|| format!("part {} is not a tool result", replacement.part))?;
        set_text(&mut block["content"], &replacement.text, |text| text_block("text", text));
        Ok(())
    }

    fn insert(&self, message: &TextMessage) -> Value {
        json!({"role": role_name(message.role), "content": message.text})
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
        }),
        Some("image" | "document") => media_part(block),
        // Thinking, and calls that the provider runs, with their results.
        _ => opaque_part(block),
    })
}
