//! The neutral form itself.

use std::borrow::Cow;

use serde_json::Value;
use tuckaway_contract::{Medium, Message, Part, Replacement, Role, ToolCall, ToolResult};

use super::blocks::{element, filled, message, remove_part, text};
use super::media::medium;
use super::{Adapter, Item};

pub(super) struct Neutral;

impl Adapter for Neutral {
    fn system_members(&self) -> &'static [&'static str] {
        &[]
    }

    fn read(&self, item: &Value) -> Result<Message, String> {
        let role = match item["role"].as_str() {
            Some("system") => Role::System,
            Some("user") => Role::User,
            Some("assistant") => Role::Assistant,
            Some("tool") => Role::Tool,
            _ => return Err("its role is not system, user, assistant or tool".to_owned()),
        };
        let parts = item["parts"].as_array().ok_or("its parts are not a list")?;
        Ok(Message {
            tokens: item["tokens"].as_u64(),
            pinned: item["pinned"] == true,
            inserted: item["inserted"] == true,
            kept: item["kept"] == true,
            ..message(role, parts.iter().map(part).collect::<Result<_, _>>()?)
        })
    }

    fn replace(&self, item: &mut Value, _: Option<&Part>, replacement: &Replacement) -> Result<(), String> {
        let (part, text) = (replacement.part as usize, Value::from(&*replacement.text));
        let own = element(item, "parts", part).ok_or_else(|| format!("part {part} is not a tool result"))?;
        if own["tool_result"].is_object() {
            own["tool_result"]["text"] = text;
            own["tool_result"]["artifact"] = Value::from(&*replacement.artifact);
        } else if own["tool_call"].is_object() {
            own["tool_call"]["arguments"] = text;
        } else if own["text"].is_string() {
            own["text"] = text;
        } else if own.get("media").is_some() {
            *own = filled(r#"{"text":"$text"}"#, &[("$text", &replacement.text)]);
        } else {
            return Err(format!("part {part} is not a tool result"));
        }
        forget_tokens(item);
        Ok(())
    }

    fn medium<'a>(&self, item: &'a mut Value, part: usize) -> Option<&'a mut Value> {
        element(item, "parts", part)?.get_mut("media").filter(|medium| medium["data"].is_string())
    }

    fn clear_thinking(&self, item: &mut Value) {
        if let Some(parts) = item["parts"].as_array_mut() {
            parts.retain(|own| !matches!(part(own), Ok(Part::Thinking(_))));
        }
        forget_tokens(item);
    }

    fn replace_result(&self, _: &mut Value, part: usize, _: &str) -> Result<(), String> {
        Err(format!("part {part} is not a tool result"))
    }

    fn insert(&self, text: &str) -> Value {
        filled(r#"{"role":"user","parts":[{"text":"$text"}],"inserted":true}"#, &[("$text", text)])
    }

    fn add_result(&self, items: &mut Vec<Item<'_>>, index: usize, call: &ToolCall, text: &str) {
        let value = filled(
            r#"{"role":"tool","parts":[{"tool_result":{"call_id":"$id","text":"$text","is_error":true}}]}"#,
            &[("$id", &call.id), ("$text", text)],
        );
        items.insert(index + 1, Item { origin: None, value: Cow::Owned(value) });
    }

    fn remove_result(&self, item: &mut Value, part: usize) -> bool {
        remove_part(item, "parts", part)
    }

    fn has_adjacent_results(&self) -> bool {
        false
    }

    fn tool_name<'a>(&self, definition: &'a Value) -> Option<&'a str> {
        definition["name"].as_str()
    }

    fn is_hosted(&self, _: &Value) -> bool {
        false
    }
}

/// Removes the token count of a message, which was that of its previous parts.
fn forget_tokens(item: &mut Value) {
    if let Some(members) = item.as_object_mut() {
        members.shift_remove("tokens");
    }
}

fn part(part: &Value) -> Result<Part, String> {
    let (call, result) = (&part["tool_call"], &part["tool_result"]);
    if call.is_object() {
        return Ok(Part::ToolCall(ToolCall {
            id: text(call, "id")?.to_owned(),
            name: text(call, "name")?.to_owned(),
            arguments: text(call, "arguments")?.to_owned(),
            pinned: call["pinned"] == true,
        }));
    }
    if result.is_object() {
        return Ok(Part::ToolResult(ToolResult {
            call_id: text(result, "call_id")?.to_owned(),
            text: text(result, "text")?.to_owned(),
            is_error: result["is_error"] == true,
            artifact: result["artifact"].as_str().map(str::to_owned),
        }));
    }
    let media = Some(&part["media"]).filter(|media| media["tokens"].is_u64());
    match (part["text"].as_str(), media, part["opaque"].as_u64()) {
        (Some(text), ..) => Ok(Part::Text(text.to_owned())),
        (None, Some(given), _) => {
            let data = if given["data"].is_string() { medium(given) } else { Medium::default() };
            Ok(Part::Media(Medium {
                tokens: given["tokens"].as_u64().unwrap_or_default(),
                bytes: given["bytes"].as_u64().unwrap_or(data.bytes),
                label: data.label.or_else(|| given["label"].as_str().map(str::to_owned)),
                artifact: given["artifact"].as_str().map(str::to_owned),
            }))
        }
        (None, None, Some(bytes)) => Ok(Part::Opaque(bytes)),
        (None, None, None) => part["thinking"].as_u64().map(Part::Thinking).ok_or_else(|| {
            "a part has none of text, tool_call, tool_result, media, opaque and thinking".to_owned()
        }),
    }
}
