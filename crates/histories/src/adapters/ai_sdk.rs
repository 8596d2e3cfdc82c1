//! `ModelMessage`s of the AI SDK.

use serde_json::{Value, json};
use tuckaway_conversation::{Message, Part, Replacement, Role, TextMessage, ToolCall};

use super::Adapter;
use super::blocks::{
    arguments, content_parts, element, media_part, message, opaque, opaque_part, result_parts, set_text,
    text, text_block,
};
use super::openai_chat::role_name;

pub(super) struct AiSdk;

impl Adapter for AiSdk {
    fn system_member(&self) -> Option<&'static str> {
        Some("system")
    }

    fn read(&self, item: &Value) -> Result<Message, String> {
        let role = match item["role"].as_str() {
            Some("system") => Role::System,
            Some("user") => Role::User,
            Some("assistant") => Role::Assistant,
            Some("tool") => Role::Tool,
            _ => return Ok(opaque(item)),
        };
        let Value::Array(parts) = &item["content"] else {
            return Ok(message(role, content_parts(&item["content"], opaque_part)));
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
        Ok(message(role, read))
    }

    fn replace(&self, item: &mut Value, replacement: &Replacement) -> Result<(), String> {
        let part = element(item, "content", replacement.part).filter(|part| part["type"] == "tool-result");
        let part = part.ok_or_else(|| format!("part {} is not a tool result", replacement.part))?;
        if !part["output"].is_object() {
            // Before version 5, results could be any JSON.
            part["result"] = Value::from(&*replacement.text);
            return Ok(());
        }
        let output = &mut part["output"];
        match output["type"].as_str() {
            Some("content") if output["value"].is_array() => {
                set_text(&mut output["value"], &replacement.text, |text| text_block("text", text));
            }
            kind => {
                let is_error = matches!(kind, Some("error-text" | "error-json"));
                output["type"] = Value::from(if is_error { "error-text" } else { "text" });
                output["value"] = Value::from(&*replacement.text);
            }
        }
        Ok(())
    }

    fn insert(&self, message: &TextMessage) -> Value {
        json!({"role": role_name(message.role), "content": message.text})
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
            // JSON, including a list, is text for the model.
            let value = if output.is_null() { &part["result"] } else { &output["value"] };
            json = match value {
                Value::String(_) if output.is_null() => value.clone(),
                value => Value::from(value.to_string()),
            };
            &json
        }
    };
    Ok(result_parts(call_id, is_error, content))
}
