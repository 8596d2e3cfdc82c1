//! `ModelMessage`s of the AI SDK.

use std::borrow::Cow;

use serde_json::{Map, Value};
use tuckaway_contract::{Message, Part, Role, ToolCall};

use super::blocks::{
    arguments, content_parts, element, filled, is_media, media_part, medium_in, message, opaque, opaque_part,
    remove_part, result_parts, set_text, text, text_block, unknown_bytes, with_unknown,
};
use super::{Adapter, Item};

pub(super) struct AiSdk;

impl Adapter for AiSdk {
    fn system_members(&self) -> &'static [&'static str] {
        &["system", "instructions"]
    }

    fn read(&self, item: &Value) -> Result<Message, String> {
        let role = match item["role"].as_str() {
            Some("system") => Role::System,
            Some("user") => Role::User,
            Some("assistant") => Role::Assistant,
            Some("tool") => Role::Tool,
            _ => return Ok(opaque(item)),
        };
        let unknown = unknown_bytes(item, &["content"]);
        let Value::Array(parts) = &item["content"] else {
            return Ok(with_unknown(message(role, content_parts(&item["content"], opaque_part)), unknown));
        };
        let (mut read, mut media) = (Vec::with_capacity(parts.len()), Vec::new());
        for part in parts {
            if role == Role::Tool && part["type"] == "tool-result" {
                let (result, images) = result(part)?;
                read.push(result);
                media.extend(images);
            } else {
                read.push(part_of(part)?);
            }
        }
        read.append(&mut media);
        Ok(with_unknown(message(role, read), unknown))
    }

    fn replace_result(&self, item: &mut Value, part: usize, text: &str) -> Result<(), String> {
        let found = element(item, "content", part).filter(|part| part["type"] == "tool-result");
        let found = found.ok_or_else(|| format!("part {part} is not a tool result"))?;
        if !found["output"].is_object() {
            // Before version 5, results could be any JSON.
            found["result"] = Value::from(text);
            return Ok(());
        }
        let output = &mut found["output"];
        match output["type"].as_str() {
            Some("content") if output["value"].is_array() => {
                set_text(&mut output["value"], text, |text| text_block("text", text));
            }
            Some("execution-denied") => output["reason"] = Value::from(text),
            kind => {
                let is_error = matches!(kind, Some("error-text" | "error-json"));
                let mut members = Map::new();
                members.insert("type".to_owned(), Value::from(if is_error { "error-text" } else { "text" }));
                members.insert("value".to_owned(), Value::from(text));
                if let Some(options) = output.get("providerOptions") {
                    members.insert("providerOptions".to_owned(), options.clone());
                }
                *output = Value::Object(members);
            }
        }
        Ok(())
    }

    fn arguments<'a>(&self, item: &'a mut Value, part: usize) -> Option<&'a mut Value> {
        let call = element(item, "content", part)?;
        call.get_mut(if call["input"].is_null() { "args" } else { "input" })
    }

    fn medium<'a>(&self, item: &'a mut Value, part: usize) -> Option<&'a mut Value> {
        medium_in(item.get_mut("content")?, part, is_media, |part| part.get_mut("output")?.get_mut("value"))
    }

    fn insert(&self, text: &str) -> Value {
        filled(r#"{"role":"user","content":"$text"}"#, &[("$text", text)])
    }

    fn add_result(&self, items: &mut Vec<Item<'_>>, index: usize, call: &ToolCall, text: &str) {
        let value = filled(
            r#"{"role":"tool","content":[{"type":"tool-result","toolCallId":"$id","toolName":"$name","output":{"type":"error-text","value":"$text"}}]}"#,
            &[("$id", &call.id), ("$name", &call.name), ("$text", text)],
        );
        items.insert(index + 1, Item { origin: None, value: Cow::Owned(value) });
    }

    fn remove_result(&self, item: &mut Value, part: usize) -> bool {
        remove_part(item, "content", part)
    }

    fn tool_name<'a>(&self, definition: &'a Value) -> Option<&'a str> {
        definition["name"].as_str()
    }

    fn is_hosted(&self, definition: &Value) -> bool {
        matches!(definition["type"].as_str(), Some("provider" | "provider-defined"))
    }
}

fn part_of(part: &Value) -> Result<Part, String> {
    Ok(match part["type"].as_str() {
        Some("text") => Part::Text(part["text"].as_str().unwrap_or_default().to_owned()),
        // The result of a call that the provider runs is in the same message.
        Some("tool-call") if part["providerExecuted"] != true => Part::ToolCall(ToolCall {
            id: text(part, "toolCallId")?.to_owned(),
            name: text(part, "toolName")?.to_owned(),
            arguments: arguments(if part["input"].is_null() { &part["args"] } else { &part["input"] }),
            pinned: false,
        }),
        Some("image" | "file") => media_part(part),
        _ => opaque_part(part),
    })
}

/// Reads a result: its text, or its JSON as text.
fn result(part: &Value) -> Result<(Part, Vec<Part>), String> {
    let (call_id, output) = (text(part, "toolCallId")?, &part["output"]);
    let kind = output["type"].as_str().unwrap_or_default();
    let is_error = kind.starts_with("error") || part["isError"] == true;
    let json;
    let content = match kind {
        "content" | "text" | "error-text" => &output["value"],
        "execution-denied" => &output["reason"],
        _ => {
            // JSON, including a list, is text for the model. Version 4 had a result instead.
            let value = match (output.is_null(), &output["value"]) {
                (true, _) => &part["result"],
                (false, Value::Null) if kind != "json" && kind != "error-json" => output,
                (false, value) => value,
            };
            json = match value {
                Value::String(_) if output.is_null() => value.clone(),
                value => Value::from(value.to_string()),
            };
            &json
        }
    };
    Ok(result_parts(call_id, is_error, content))
}
