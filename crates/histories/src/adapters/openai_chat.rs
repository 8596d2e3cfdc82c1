//! Messages of OpenAI's Chat Completions.

use std::borrow::Cow;

use serde_json::Value;
use tuckaway_contract::{Message, Part, Role, ToolCall};

use super::blocks::{
    arguments, clear_thinking, content_parts, element, filled, medium_of_result, message, opaque,
    openai_part, result_parts, set_text, text, text_block, unknown_bytes, with_unknown,
};
use super::{Adapter, Item};

pub(super) struct OpenaiChat;

/// The members of the model's message that are read.
const ANSWER: [&str; 7] =
    ["content", "tool_calls", "function_call", "refusal", THINKING[0], THINKING[1], THINKING[2]];
/// The members of the model's message in which servers return its thinking.
const THINKING: [&str; 3] = ["reasoning_content", "reasoning", "reasoning_details"];

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
            Some("assistant") => (message(Role::Assistant, answer(item)?), &ANSWER),
            Some("tool") => (result(text(item, "tool_call_id")?, content), &["content", "tool_call_id"]),
            // Results from before ids existed name the function.
            Some("function") => (result(text(item, "name")?, content), &["content"]),
            _ => return Ok(opaque(item)),
        };
        Ok(with_unknown(read, unknown_bytes(item, known)))
    }

    fn replace_result(&self, item: &mut Value, part: usize, text: &str) -> Result<(), String> {
        match item["role"].as_str() {
            Some("tool" | "function") if part == 0 => {
                set_text(&mut item["content"], text, |text| text_block("text", text));
                Ok(())
            }
            _ => Err(format!("part {part} is not a tool result")),
        }
    }

    fn arguments<'a>(&self, item: &'a mut Value, part: usize) -> Option<&'a mut Value> {
        let mut at = content_parts(&item["content"], block).len();
        let calls = item["tool_calls"].as_array().into_iter().flatten().enumerate();
        for (index, call) in calls {
            if at == part {
                return call_input(element(item, "tool_calls", index)?);
            }
            at += 1 + usize::from(unknown_in_call(call) > 0);
        }
        item.get_mut("function_call")?.get_mut("arguments").filter(|_| at == part)
    }

    fn medium<'a>(&self, item: &'a mut Value, part: usize) -> Option<&'a mut Value> {
        match item["role"].as_str() {
            Some("tool" | "function") => medium_of_result(item.get_mut("content")?, part),
            _ => element(item, "content", part),
        }
    }

    fn clear_thinking(&self, item: &mut Value) {
        clear_thinking(self.content(item));
        if let Some(members) = item.as_object_mut() {
            for name in THINKING {
                members.shift_remove(name);
            }
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
        let unknown = unknown_in_call(call);
        parts.extend((unknown > 0).then_some(Part::Opaque(unknown)));
    }
    if item["function_call"].is_object() {
        let name = text(&item["function_call"], "name")?;
        parts.push(tool_call(name, name, &item["function_call"]["arguments"]));
    }
    parts.extend(item["refusal"].as_str().map(|refusal| Part::Text(refusal.to_owned())));
    let thinking = unknown_bytes(item, &[]) - unknown_bytes(item, &THINKING);
    if thinking > 0 {
        parts.push(Part::Thinking(thinking));
    }
    Ok(parts)
}

/// Returns the bytes of the unknown members of a call, which are a part of their own.
fn unknown_in_call(call: &Value) -> u64 {
    unknown_bytes(call, &["function", "custom"])
}

/// Returns the arguments of a function's or a custom tool's call.
fn call_input(call: &mut Value) -> Option<&mut Value> {
    match call["type"].as_str() {
        Some("custom") => call.get_mut("custom")?.get_mut("input"),
        _ => call.get_mut("function")?.get_mut("arguments"),
    }
}

fn tool_call(id: &str, name: &str, input: &Value) -> Part {
    Part::ToolCall(ToolCall {
        id: id.to_owned(),
        name: name.to_owned(),
        arguments: arguments(input),
        pinned: false,
    })
}

fn result(call_id: &str, content: &Value) -> Message {
    let (result, media) = result_parts(call_id, false, content);
    message(Role::Tool, [result].into_iter().chain(media).collect())
}
