//! LangChain's messages, as `messages_to_dict` writes them: a type, and the message's members.

use std::borrow::Cow;

use serde_json::Value;
use tuckaway_contract::{Message, Part, Role, ToolCall};

use super::blocks::{
    arguments, content_parts, element, filled, media_block_or_opaque, medium_of_result, message, opaque,
    result_parts, set_text, text, text_block, unknown_bytes, with_unknown,
};
use super::{Adapter, Item};

pub(super) struct Langchain;

/// The members that are read, or that LangChain does not send.
const KNOWN: [&str; 9] = [
    "content",
    "tool_calls",
    "tool_call_id",
    "response_metadata",
    "usage_metadata",
    "additional_kwargs",
    "artifact",
    "example",
    "chunk_position",
];

impl Adapter for Langchain {
    fn system_members(&self) -> &'static [&'static str] {
        &[]
    }

    fn read(&self, item: &Value) -> Result<Message, String> {
        let data = &item["data"];
        let content = || content_parts(&data["content"], block);
        let read = match item["type"].as_str() {
            Some("system") => message(Role::System, content()),
            Some("human" | "HumanMessageChunk") => message(Role::User, content()),
            Some("ai" | "AIMessageChunk") => message(Role::Assistant, answer(data, content())?),
            Some("tool") => result(text(data, "tool_call_id")?, data),
            Some("function") => result(text(data, "name")?, data),
            Some("chat") => match data["role"].as_str() {
                Some("assistant" | "ai" | "model") => message(Role::Assistant, content()),
                Some("system" | "developer") => message(Role::System, content()),
                _ => message(Role::User, content()),
            },
            _ => return Ok(opaque(item)),
        };
        let kwargs = unknown_bytes(&data["additional_kwargs"], &["tool_calls", "function_call", "refusal"]);
        Ok(with_unknown(read, unknown_bytes(data, &KNOWN) + kwargs))
    }

    fn replace_result(&self, item: &mut Value, part: usize, text: &str) -> Result<(), String> {
        match item["type"].as_str() {
            Some("tool" | "function") if part == 0 => {
                set_text(&mut item["data"]["content"], text, |text| text_block("text", text));
                Ok(())
            }
            _ => Err(format!("part {part} is not a tool result")),
        }
    }

    fn arguments<'a>(&self, item: &'a mut Value, part: usize) -> Option<&'a mut Value> {
        let before = content_parts(&item["data"]["content"], block).len();
        element(&mut item["data"], "tool_calls", part.checked_sub(before)?)?.get_mut("args")
    }

    fn medium<'a>(&self, item: &'a mut Value, part: usize) -> Option<&'a mut Value> {
        match item["type"].as_str() {
            Some("tool" | "function") => medium_of_result(item["data"].get_mut("content")?, part),
            _ => element(&mut item["data"], "content", part),
        }
    }

    fn content<'a>(&self, item: &'a mut Value) -> Option<&'a mut Value> {
        item.get_mut("data")?.get_mut("content")
    }

    fn insert(&self, text: &str) -> Value {
        filled(r#"{"type":"human","data":{"content":"$text","type":"human"}}"#, &[("$text", text)])
    }

    fn add_result(&self, items: &mut Vec<Item<'_>>, index: usize, call: &ToolCall, text: &str) {
        let value = filled(
            r#"{"type":"tool","data":{"content":"$text","type":"tool","name":"$name","tool_call_id":"$id","status":"error"}}"#,
            &[("$id", &call.id), ("$name", &call.name), ("$text", text)],
        );
        items.insert(index + 1, Item { origin: None, value: Cow::Owned(value) });
    }

    fn tool_name<'a>(&self, definition: &'a Value) -> Option<&'a str> {
        definition["function"]["name"].as_str().or_else(|| definition["name"].as_str())
    }

    fn is_hosted(&self, definition: &Value) -> bool {
        self.tool_name(definition).is_none()
    }
}

fn block(block: &Value) -> Part {
    match block {
        Value::String(text) => Part::Text(text.clone()),
        block => media_block_or_opaque(block),
    }
}

/// Reads the model's message: the content, then the calls.
fn answer(data: &Value, content: Vec<Part>) -> Result<Vec<Part>, String> {
    let calls = data["tool_calls"].as_array().map(Vec::as_slice).unwrap_or_default();
    // Calls that are also blocks of the content, as Anthropic writes them, count once.
    let mut parts: Vec<Part> = content;
    let mut are_blocks = false;
    if let Some(blocks) = data["content"].as_array().filter(|_| !calls.is_empty()) {
        let is_call = |block: &Value| {
            matches!(block["type"].as_str(), Some("tool_use" | "tool_call" | "function_call"))
        };
        for (part, block) in parts.iter_mut().zip(blocks) {
            if is_call(block) {
                *part = Part::Opaque(0);
                are_blocks = true;
            }
        }
    }
    for call in calls {
        parts.push(Part::ToolCall(ToolCall {
            id: text(call, "id")?.to_owned(),
            name: text(call, "name")?.to_owned(),
            arguments: arguments(&call["args"]),
            // The blocks have them too, and must not differ.
            pinned: are_blocks,
        }));
    }
    Ok(parts)
}

fn result(call_id: &str, data: &Value) -> Message {
    let (result, media) = result_parts(call_id, data["status"] == "error", &data["content"]);
    message(Role::Tool, [result].into_iter().chain(media).collect())
}
