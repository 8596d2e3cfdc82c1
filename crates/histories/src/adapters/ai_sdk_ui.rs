//! `UIMessage`s of the AI SDK: a part of the assistant has both a call and its result.

use std::borrow::Cow;

use serde_json::Value;
use tuckaway_contract::{Message, Part, Role, ToolCall};

use super::blocks::{
    arguments, filled, media_part, message, opaque, opaque_part, text, tool_result, unknown_bytes,
    with_unknown,
};
use super::{Adapter, Item};
use crate::memory::fingerprint;

pub(super) struct AiSdkUi;

impl Adapter for AiSdkUi {
    fn system_members(&self) -> &'static [&'static str] {
        &["system", "instructions"]
    }

    fn read(&self, item: &Value) -> Result<Message, String> {
        let role = match item["role"].as_str() {
            Some("system") => Role::System,
            Some("user") => Role::User,
            Some("assistant") => Role::Assistant,
            _ => return Ok(opaque(item)),
        };
        let parts = item["parts"].as_array().ok_or("its parts are not a list")?;
        let mut read = Vec::with_capacity(parts.len());
        for part in parts {
            read.extend(parts_of(part)?);
        }
        Ok(with_unknown(message(role, read), unknown_bytes(item, &["parts"])))
    }

    /// The last message stays unchanged if the model has not read the result at its end.
    fn relate(&self, items: &[Cow<'_, Value>], messages: &mut [Message]) {
        if let (Some(item), Some(message)) = (items.last(), messages.last_mut()) {
            let parts = item["parts"].as_array().into_iter().flatten();
            let last = parts.rev().find(|part| part["type"] != "step-start");
            message.pinned |= last.is_some_and(|part| is_tool(part) && has_result(part));
        }
    }

    fn replace_result(&self, item: &mut Value, part: usize, text: &str) -> Result<(), String> {
        match find(item, part) {
            Some((own, Part::ToolResult(_))) => {
                let member = if own["state"] == "output-error" { "errorText" } else { "output" };
                own[member] = Value::from(text);
                Ok(())
            }
            _ => Err(format!("part {part} is not a tool result")),
        }
    }

    fn arguments<'a>(&self, item: &'a mut Value, part: usize) -> Option<&'a mut Value> {
        let (own, _) = find(item, part)?;
        own.get_mut(if own["input"].is_null() { "rawInput" } else { "input" })
    }

    fn medium<'a>(&self, item: &'a mut Value, part: usize) -> Option<&'a mut Value> {
        find(item, part).map(|(own, _)| own)
    }

    fn content<'a>(&self, item: &'a mut Value) -> Option<&'a mut Value> {
        item.get_mut("parts")
    }

    fn insert(&self, text: &str) -> Value {
        let id = format!("tuckaway-{}", fingerprint(text));
        filled(
            r#"{"id":"$id","role":"user","parts":[{"type":"text","text":"$text"}]}"#,
            &[("$id", &id), ("$text", text)],
        )
    }

    /// The call and its result are one part.
    fn add_result(&self, items: &mut Vec<Item<'_>>, index: usize, call: &ToolCall, text: &str) {
        let parts = items[index].value.to_mut()["parts"].as_array_mut();
        let open = parts.and_then(|parts| {
            parts.iter_mut().find(|part| is_tool(part) && part["toolCallId"] == *call.id && !has_result(part))
        });
        if let Some(part) = open {
            part["state"] = Value::from("output-error");
            part["errorText"] = Value::from(text);
        }
    }

    fn tool_name<'a>(&self, definition: &'a Value) -> Option<&'a str> {
        definition["name"].as_str()
    }

    fn is_hosted(&self, definition: &Value) -> bool {
        matches!(definition["type"].as_str(), Some("provider" | "provider-defined"))
    }
}

/// Returns the part of a message that was read as the part with this index, and the part
/// as it was read.
fn find(item: &mut Value, part: usize) -> Option<(&mut Value, Part)> {
    let mut next = part;
    for own in item["parts"].as_array_mut()? {
        let mut read = parts_of(own).ok()?;
        if next < read.len() {
            return Some((own, read.swap_remove(next)));
        }
        next -= read.len();
    }
    None
}

/// Returns whether a part is a call of a tool that the host runs.
fn is_tool(part: &Value) -> bool {
    let is_tool = |kind: &str| kind.starts_with("tool-") || kind == "dynamic-tool";
    part["type"].as_str().is_some_and(is_tool) && part["providerExecuted"] != true
}

fn has_result(part: &Value) -> bool {
    part["state"].as_str().is_some_and(|state| state.starts_with("output-"))
}

/// Reads a part of a message: two parts for a call with a result, otherwise one.
fn parts_of(part: &Value) -> Result<Vec<Part>, String> {
    let kind = part["type"].as_str().unwrap_or_default();
    if is_tool(part) {
        let id = text(part, "toolCallId")?;
        let name = part["toolName"].as_str().or(kind.strip_prefix("tool-")).unwrap_or_default();
        let input = if part["input"].is_null() { &part["rawInput"] } else { &part["input"] };
        let call =
            ToolCall { id: id.to_owned(), name: name.to_owned(), arguments: arguments(input), pinned: false };
        let result = has_result(part).then(|| result(part, id));
        return Ok([Part::ToolCall(call)].into_iter().chain(result).collect());
    }
    Ok(vec![match kind {
        "text" => Part::Text(part["text"].as_str().unwrap_or_default().to_owned()),
        "file" => media_part(part),
        // Marks of steps and data of the page are not sent to the model.
        "step-start" => Part::Opaque(0),
        kind if kind.starts_with("data-") => Part::Opaque(0),
        _ => opaque_part(part),
    }])
}

fn result(part: &Value, id: &str) -> Part {
    let output = match part["state"].as_str() {
        Some("output-error") => &part["errorText"],
        Some("output-denied") => &part["approval"]["reason"],
        _ => &part["output"],
    };
    let text = match output {
        Value::String(text) => text.clone(),
        Value::Null => String::new(),
        json => json.to_string(),
    };
    tool_result(id, text, part["state"] == "output-error")
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use tuckaway_contract::Replacement;

    use super::*;

    #[test]
    fn a_result_is_found_behind_parts_that_are_read_as_two() {
        let mut item = json!({"role": "assistant", "parts": [
            {"type": "step-start"},
            {"type": "tool-a", "toolCallId": "1", "state": "output-available", "input": {}, "output": {"x": 1}},
            {"type": "text", "text": "t"},
            {"type": "dynamic-tool", "toolName": "b", "toolCallId": "2", "state": "output-error", "errorText": "e"},
        ]});
        let read = AiSdkUi.read(&item).unwrap();
        assert!(matches!(&read.parts[2], Part::ToolResult(result) if result.text == r#"{"x":1}"#));
        assert!(matches!(&read.parts[5], Part::ToolResult(result) if result.is_error));
        let replace = |item: &mut Value, part| {
            let replacement = Replacement { message: 0, part, text: "new".into(), artifact: "a".into() };
            AiSdkUi.replace(item, read.parts.get(part as usize), &replacement)
        };
        replace(&mut item, 5).unwrap();
        assert_eq!(item["parts"][3]["errorText"], "new");
        replace(&mut item, 2).unwrap();
        assert_eq!(item["parts"][1]["output"], "new");
        assert!(replace(&mut item, 3).is_err() && replace(&mut item, 6).is_err());
    }
}
