//! Messages of OpenAI's Chat Completions.

use std::borrow::Cow;

use serde_json::Value;
use tuckaway_contract::{Message, Part, Replacement, Role, ToolCall};

use super::blocks::{
    arguments, content_parts, filled, message, opaque, openai_part, result_parts, set_text, text, text_block,
    unknown_bytes, with_unknown,
};
use super::{Adapter, Item};

pub(super) struct OpenaiChat;

impl Adapter for OpenaiChat {
    fn system_members(&self) -> &'static [&'static str] {
        &[]
    }

    fn read(&self, item: &Value) -> Result<Message, String> {
        let content = &item["content"];
        let (read, known): (Message, &[&str]) = match item["role"].as_str() {
            Some("system" | "developer") => {
                (message(Role::System, content_parts(content, block)), &["content"])
            }
            Some("user") => (message(Role::User, content_parts(content, block)), &["content"]),
            Some("assistant") => (
                message(Role::Assistant, answer(item)?),
                &["content", "tool_calls", "function_call", "refusal"],
            ),
            Some("tool") => (result(text(item, "tool_call_id")?, content), &["content", "tool_call_id"]),
            // Results from before ids existed name the function.
            Some("function") => (result(text(item, "name")?, content), &["content"]),
            _ => return Ok(opaque(item)),
        };
        Ok(with_unknown(read, unknown_bytes(item, known)))
    }

    fn replace(&self, item: &mut Value, replacement: &Replacement) -> Result<(), String> {
        match item["role"].as_str() {
            Some("tool" | "function") if replacement.part == 0 => {
                set_text(&mut item["content"], &replacement.text, |text| text_block("text", text));
                Ok(())
            }
            _ => Err(format!("part {} is not a tool result", replacement.part)),
        }
    }

    fn insert(&self, text: &str) -> Value {
        filled(r#"{"role":"user","content":"$text"}"#, &[("$text", text)])
    }

    fn add_result(&self, items: &mut Vec<Item<'_>>, index: usize, call: &ToolCall, text: &str) {
        let is_function = items[index].value["function_call"].is_object();
        let template = match is_function {
            true => r#"{"role":"function","name":"$id","content":"$text"}"#,
            false => r#"{"role":"tool","tool_call_id":"$id","content":"$text"}"#,
        };
        let value = filled(template, &[("$id", &call.id), ("$text", text)]);
        items.insert(index + 1, Item { origin: None, value: Cow::Owned(value) });
    }

    fn tool_name<'a>(&self, definition: &'a Value) -> Option<&'a str> {
        let kind = definition["type"].as_str().unwrap_or("function");
        definition[kind]["name"].as_str().or_else(|| definition["name"].as_str())
    }

    fn is_hosted(&self, definition: &Value) -> bool {
        self.tool_name(definition).is_none()
    }
}

fn block(block: &Value) -> Part {
    openai_part(block, ["image_url", "input_audio", "file"])
}

/// Reads the model's message: the content, then the calls, then the refusal.
fn answer(item: &Value) -> Result<Vec<Part>, String> {
    let mut parts = content_parts(&item["content"], block);
    for call in item["tool_calls"].as_array().into_iter().flatten() {
        let (name, input) = match call["type"].as_str() {
            Some("custom") => (text(&call["custom"], "name")?, &call["custom"]["input"]),
            _ => (text(&call["function"], "name")?, &call["function"]["arguments"]),
        };
        let id = text(call, "id").map_err(|why| format!("{why} in a call of {name}"))?;
        parts.push(tool_call(id, name, input));
        let unknown = unknown_bytes(call, &["function", "custom"]);
        parts.extend((unknown > 0).then_some(Part::Opaque(unknown)));
    }
    if item["function_call"].is_object() {
        let name = text(&item["function_call"], "name")?;
        parts.push(tool_call(name, name, &item["function_call"]["arguments"]));
    }
    parts.extend(item["refusal"].as_str().map(|refusal| Part::Text(refusal.to_owned())));
    Ok(parts)
}

fn tool_call(id: &str, name: &str, input: &Value) -> Part {
    Part::ToolCall(ToolCall { id: id.to_owned(), name: name.to_owned(), arguments: arguments(input) })
}

fn result(call_id: &str, content: &Value) -> Message {
    let (result, media) = result_parts(call_id, false, content);
    message(Role::Tool, [result].into_iter().chain(media).collect())
}
