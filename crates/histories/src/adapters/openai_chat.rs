//! Messages of OpenAI's Chat Completions.

use serde_json::{Value, json};
use tuckaway_conversation::{Message, Part, Replacement, Role, TextMessage, ToolCall};

use super::Adapter;
use super::blocks::{
    arguments, content_parts, message, opaque, openai_part, other_members, result_parts, set_text, text,
    text_block,
};

pub(super) struct OpenaiChat;

/// The members of an assistant's message that are separate parts, or not content.
const KNOWN: [&str; 7] = ["role", "content", "name", "tool_calls", "function_call", "refusal", "annotations"];

impl Adapter for OpenaiChat {
    fn system_member(&self) -> Option<&'static str> {
        None
    }

    fn read(&self, item: &Value) -> Result<Message, String> {
        let content = &item["content"];
        Ok(match item["role"].as_str() {
            Some("system" | "developer") => message(Role::System, content_parts(content, block)),
            Some("user") => message(Role::User, content_parts(content, block)),
            Some("assistant") => message(Role::Assistant, answer(item)?),
            Some("tool") => result(text(item, "tool_call_id")?, content),
            // Results from before ids existed name the function.
            Some("function") => result(text(item, "name")?, content),
            _ => opaque(item),
        })
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

    fn insert(&self, message: &TextMessage) -> Value {
        json!({"role": role_name(message.role), "content": message.text})
    }

    fn tool_name<'a>(&self, definition: &'a Value) -> Option<&'a str> {
        let kind = definition["type"].as_str().unwrap_or("function");
        definition[kind]["name"].as_str().or_else(|| definition["name"].as_str())
    }

    fn is_hosted(&self, definition: &Value) -> bool {
        self.tool_name(definition).is_none()
    }
}

/// Returns the provider's name of a role for a message of text.
pub(super) fn role_name(role: Role) -> &'static str {
    match role {
        Role::System => "system",
        Role::User | Role::Tool => "user",
        Role::Assistant => "assistant",
    }
}

fn block(block: &Value) -> Part {
    openai_part(block, ["image_url", "input_audio", "file"])
}

/// Reads the model's message: the content, then the calls, then the rest.
fn answer(item: &Value) -> Result<Vec<Part>, String> {
    let mut parts = content_parts(&item["content"], block);
    for call in item["tool_calls"].as_array().into_iter().flatten() {
        let (name, input) = match call["type"].as_str() {
            Some("custom") => (text(&call["custom"], "name")?, &call["custom"]["input"]),
            _ => (text(&call["function"], "name")?, &call["function"]["arguments"]),
        };
        let id = text(call, "id").map_err(|why| format!("{why} in a call of {name}"))?;
        parts.push(tool_call(id, name, input));
    }
    if item["function_call"].is_object() {
        let name = text(&item["function_call"], "name")?;
        parts.push(tool_call(name, name, &item["function_call"]["arguments"]));
    }
    parts.extend(item["refusal"].as_str().map(|refusal| Part::Text(refusal.to_owned())));
    parts.extend(other_members(item, &KNOWN));
    Ok(parts)
}

fn tool_call(id: &str, name: &str, input: &Value) -> Part {
    Part::ToolCall(ToolCall { id: id.to_owned(), name: name.to_owned(), arguments: arguments(input) })
}

fn result(call_id: &str, content: &Value) -> Message {
    let (result, media) = result_parts(call_id, false, content);
    message(Role::Tool, [result].into_iter().chain(media).collect())
}
