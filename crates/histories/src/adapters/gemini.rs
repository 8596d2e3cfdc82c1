//! `contents` of Gemini. Calls and responses have no ids, or need none: a response answers the
//! first open call of its name.

use std::borrow::Cow;

use serde_json::{Map, Value};
use tuckaway_contract::{Medium, Message, Part, Role, ToolCall};

use super::blocks::{
    add_result_block, add_text_block, arguments, element, filled, message, opaque, opaque_part, remove_part,
    text, tool_result, unknown_bytes, with_unknown,
};
use super::media::{count, medium};
use super::{Adapter, ImageTokens, Item};

pub(super) struct Gemini;

/// The members of a response whose text is the whole response for the model.
const TEXTS: [&str; 4] = ["output", "result", "error", "content"];

impl Adapter for Gemini {
    fn items_member(&self) -> &'static str {
        "contents"
    }

    fn system_members(&self) -> &'static [&'static str] {
        &["systemInstruction", "system_instruction"]
    }

    fn read(&self, item: &Value) -> Result<Message, String> {
        let role = match item["role"].as_str() {
            None | Some("user" | "function") => Role::User,
            Some("model") => Role::Assistant,
            Some("system") => Role::System,
            _ => return Ok(opaque(item)),
        };
        let Value::Array(parts) = &item["parts"] else {
            return Err("its parts are not a list".to_owned());
        };
        let (mut read, mut media) = (Vec::with_capacity(parts.len()), Vec::new());
        for each in parts {
            read.push(part(each, &mut media)?);
        }
        read.append(&mut media);
        let unknown = unknown_bytes(item, &["parts"])
            + parts
                .iter()
                .filter(|part| part["text"].is_string())
                .map(|part| unknown_bytes(part, &["text", "thought"]))
                .sum::<u64>();
        let only_results = !parts.is_empty() && parts.iter().all(|part| part["functionResponse"].is_object());
        Ok(with_unknown(message(if only_results { Role::Tool } else { role }, read), unknown))
    }

    /// Gives calls and responses ids: the provider's, or the number of the call.
    fn relate(&self, items: &[Cow<'_, Value>], messages: &mut [Message]) {
        let mut open: Vec<(String, String)> = Vec::new();
        let mut calls = 0;
        for (item, message) in items.iter().zip(messages.iter_mut()) {
            let parts = item["parts"].as_array().map(Vec::as_slice).unwrap_or_default();
            for (part, own) in message.parts.iter_mut().zip(parts) {
                match part {
                    Part::ToolCall(call) => {
                        calls += 1;
                        if call.id.is_empty() {
                            call.id = format!("call {calls}");
                        }
                        open.push((call.id.clone(), call.name.clone()));
                    }
                    Part::ToolResult(result) => {
                        let name = own["functionResponse"]["name"].as_str().unwrap_or_default();
                        let of_id = open.iter().position(|(id, _)| *id == result.call_id);
                        let found = of_id.or_else(|| open.iter().position(|(_, open)| open == name));
                        match found {
                            Some(at) => result.call_id = open.remove(at).0,
                            None if result.call_id.is_empty() => {
                                result.call_id = format!("response of {name}")
                            }
                            None => {}
                        }
                    }
                    _ => {}
                }
            }
            // All responses are in the content after the calls.
            if parts.iter().any(|part| part["functionResponse"].is_object()) {
                open.clear();
            }
        }
        release_signed(messages);
    }

    fn replace_result(&self, item: &mut Value, part: usize, text: &str) -> Result<(), String> {
        let own = element(item, "parts", part).filter(|own| own["functionResponse"].is_object());
        let own = own.ok_or_else(|| format!("part {part} is not a tool result"))?;
        let response = &mut own["functionResponse"]["response"];
        // The response has the names that the model has seen, where there is one.
        let name = TEXTS.into_iter().find(|name| !response[*name].is_null()).unwrap_or("output");
        let mut members = Map::new();
        members.insert(name.to_owned(), Value::from(text));
        *response = Value::Object(members);
        Ok(())
    }

    fn arguments<'a>(&self, item: &'a mut Value, part: usize) -> Option<&'a mut Value> {
        element(item, "parts", part)?.get_mut("functionCall")?.get_mut("args")
    }

    fn medium<'a>(&self, item: &'a mut Value, part: usize) -> Option<&'a mut Value> {
        element(item, "parts", part)
    }

    fn text_block(&self, text: &str) -> Value {
        filled(r#"{"text":"$text"}"#, &[("$text", text)])
    }

    fn content<'a>(&self, item: &'a mut Value) -> Option<&'a mut Value> {
        item.get_mut("parts")
    }

    fn insert(&self, text: &str) -> Value {
        filled(r#"{"role":"user","parts":[{"text":"$text"}]}"#, &[("$text", text)])
    }

    fn add_result(&self, items: &mut Vec<Item<'_>>, index: usize, call: &ToolCall, text: &str) {
        let mut block = filled(
            r#"{"functionResponse":{"name":"$name","response":{"error":"$text"}}}"#,
            &[("$name", &call.name), ("$text", text)],
        );
        let has_id = items.iter().any(|item| {
            let parts = item.value["parts"].as_array();
            parts.is_some_and(|parts| parts.iter().any(|part| part["functionCall"]["id"] == *call.id))
        });
        if has_id {
            block["functionResponse"]["id"] = Value::from(&*call.id);
        }
        add_result_block(items, index, "parts", block);
    }

    fn remove_result(&self, item: &mut Value, part: usize) -> bool {
        remove_part(item, "parts", part)
    }

    fn add_text(&self, items: &mut Vec<Item<'_>>, index: usize, text: &str) {
        add_text_block(items, index, "parts", self.text_block(text));
    }

    fn tool_name<'a>(&self, definition: &'a Value) -> Option<&'a str> {
        definition["functionDeclarations"][0]["name"].as_str()
    }

    /// One tool has any number of declarations, so it stays as a whole.
    fn is_hosted(&self, _: &Value) -> bool {
        true
    }
}

/// Lets the arguments of signed calls change that are before the user's last message: the provider checks
/// only the signatures after it.
fn release_signed(messages: &mut [Message]) {
    let is_users = |message: &Message| {
        message.role == Role::User && !message.parts.iter().any(|part| matches!(part, Part::ToolResult(_)))
    };
    let last = messages.iter().rposition(is_users).unwrap_or(0);
    for part in messages[..last].iter_mut().flat_map(|message| &mut message.parts) {
        if let Part::ToolCall(call) = part {
            call.pinned = false;
        }
    }
}

fn part(part: &Value, media: &mut Vec<Part>) -> Result<Part, String> {
    let call = &part["functionCall"];
    if call.is_object() {
        return Ok(Part::ToolCall(ToolCall {
            id: call["id"].as_str().unwrap_or_default().to_owned(),
            name: text(call, "name")?.to_owned(),
            arguments: arguments(&call["args"]),
            // See `release_signed`.
            pinned: part["thoughtSignature"].is_string() || part["thought_signature"].is_string(),
        }));
    }
    let answer = &part["functionResponse"];
    if answer.is_object() {
        let id = answer["id"].as_str().unwrap_or_default();
        // Media of a response are parts inside it, where no text can replace them.
        let inside = answer["parts"].as_array().into_iter().flatten();
        media.extend(inside.map(|part| {
            let mut read = medium(part);
            count(&mut read, ImageTokens::Crops);
            Part::Media(Medium { label: None, ..read })
        }));
        let response = &answer["response"];
        return Ok(tool_result(id, response_text(response), response["error"].is_string()));
    }
    Ok(match part["text"].as_str() {
        Some(text) if part["thought"] != true => Part::Text(text.to_owned()),
        _ if part["inlineData"].is_object() || part["fileData"].is_object() => Part::Media(medium(part)),
        // Thoughts, and code that the provider runs.
        _ => opaque_part(part),
    })
}

/// Returns the text of a response: its only member's, or its JSON.
fn response_text(response: &Value) -> String {
    let only =
        response.as_object().filter(|members| members.len() == 1).and_then(|members| members.iter().next());
    match only {
        Some((name, Value::String(text))) if TEXTS.contains(&name.as_str()) => text.clone(),
        _ if response.is_null() => String::new(),
        _ => response.to_string(),
    }
}
