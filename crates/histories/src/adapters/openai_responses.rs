//! Input items of OpenAI's Responses.

use std::borrow::Cow;
use std::collections::HashSet;

use serde_json::{Value, json};
use tuckaway_conversation::{Message, Part, Replacement, Role, TextMessage, ToolCall};

use super::blocks::{
    arguments, content_parts, message, opaque, openai_part, result_parts, set_text, text, text_block,
};
use super::openai_chat::role_name;
use super::{Adapter, Piece};

pub(super) struct OpenaiResponses;

impl Adapter for OpenaiResponses {
    fn items_member(&self) -> &'static str {
        "input"
    }

    fn system_member(&self) -> Option<&'static str> {
        Some("instructions")
    }

    fn read(&self, item: &Value) -> Result<Message, String> {
        let kind = item["type"].as_str().unwrap_or("message");
        if kind == "message" {
            let role = match item["role"].as_str() {
                Some("system" | "developer") => Role::System,
                Some("user") => Role::User,
                Some("assistant") => Role::Assistant,
                _ => return Ok(opaque(item)),
            };
            return Ok(message(role, content_parts(&item["content"], block)));
        }
        // Items with a `call_id` come in pairs; the others contain their own result.
        match (kind.strip_suffix("_output"), call_id(item)) {
            // The provider runs a program.
            (Some("program"), _) => Ok(opaque(item)),
            (Some(_), Some(call_id)) => {
                let is_error = item["status"] == "failed";
                let (result, media) = result_parts(call_id, is_error, &item["output"]);
                Ok(message(Role::Tool, [result].into_iter().chain(media).collect()))
            }
            (None, Some(call_id)) if kind.ends_with("_call") => Ok(call(kind, call_id, item)),
            (_, None) if kind == "function_call" || kind == "function_call_output" => {
                Err(text(item, "call_id").err().unwrap_or_default())
            }
            // No other item has the content that the provider has compacted, and only the provider
            // can read it.
            _ => Ok(Message { pinned: kind == "compaction", ..opaque(item) }),
        }
    }

    fn replace(&self, item: &mut Value, replacement: &Replacement) -> Result<(), String> {
        let is_result = item["type"].as_str().is_some_and(|kind| kind.ends_with("_call_output"));
        if !is_result || replacement.part != 0 {
            return Err(format!("part {} is not a tool result", replacement.part));
        }
        set_text(&mut item["output"], &replacement.text, |text| text_block("input_text", text));
        Ok(())
    }

    fn insert(&self, message: &TextMessage) -> Value {
        json!({"type": "message", "role": role_name(message.role), "content": message.text})
    }

    fn tool_name<'a>(&self, definition: &'a Value) -> Option<&'a str> {
        // A tool of the provider is identified by its type.
        definition["name"].as_str().or_else(|| definition["type"].as_str())
    }

    fn is_hosted(&self, definition: &Value) -> bool {
        !matches!(definition["type"].as_str(), Some("function" | "custom"))
    }

    /// The provider accepts reasoning only before the item that it led to, and an item with the
    /// provider's id only after its reasoning. Reasoning without its item is removed; an item
    /// without its reasoning loses the id, and becomes the caller's item.
    fn settle<'a>(&self, pieces: Vec<Piece<'a>>, read: &[&str]) -> Vec<Piece<'a>> {
        let kinds: Vec<Kind> = read.iter().map(|item| Kind::of(item)).collect();
        let kept: HashSet<usize> = pieces.iter().filter_map(|piece| piece.origin).collect();
        let owners = owners(&kinds);
        let removed = orphans(&kinds, &kept);
        let is_removed = |index: usize| removed.contains(&index);
        let settled = pieces.into_iter().filter(|piece| !piece.origin.is_some_and(is_removed));
        settled
            .map(|piece| {
                let owner = piece.origin.and_then(|index| owners[index]);
                let lost = owner.is_some_and(|owner| !kept.contains(&owner) || is_removed(owner));
                if lost { without_id(piece) } else { piece }
            })
            .collect()
    }
}

fn block(block: &Value) -> Part {
    openai_part(block, ["input_image", "input_file", "input_audio"])
}

/// Returns the id of the call that an item makes or answers. A local shell's output may use its own
/// id.
fn call_id(item: &Value) -> Option<&str> {
    let own = if item["type"] == "local_shell_call_output" { &item["id"] } else { &Value::Null };
    item["call_id"].as_str().or(own.as_str())
}

/// Reads a call: a function's or a custom tool's name, or the type of one of the provider's
/// tools that run in the host.
fn call(kind: &str, call_id: &str, item: &Value) -> Message {
    let name = item["name"].as_str().unwrap_or(kind.trim_end_matches("_call"));
    let input = ["arguments", "input", "action", "actions", "operation"].map(|name| &item[name]);
    let input = input.into_iter().find(|input| !input.is_null()).unwrap_or(&Value::Null);
    let call = ToolCall { id: call_id.to_owned(), name: name.to_owned(), arguments: arguments(input) };
    message(Role::Assistant, vec![Part::ToolCall(call)])
}

/// The role of an item for the reasoning around it.
#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Reasoning,
    /// Another item of the model.
    Model,
    /// An item of the user, the developer or a tool.
    Other,
}

impl Kind {
    fn of(item: &str) -> Kind {
        let item: Value = serde_json::from_str(item).unwrap_or_default();
        match item["type"].as_str() {
            Some("reasoning") => Kind::Reasoning,
            // References are ids, whose prefix is their kind.
            Some("item_reference") => match item["id"].as_str() {
                Some(id) if id.starts_with("rs_") => Kind::Reasoning,
                _ => Kind::Model,
            },
            None | Some("message") if item["role"] != "assistant" => Kind::Other,
            Some(kind) if kind.ends_with("_output") => Kind::Other,
            _ => Kind::Model,
        }
    }
}

/// Returns the reasoning that each item of the model belongs to: the last one before it
/// in the same answer.
fn owners(kinds: &[Kind]) -> Vec<Option<usize>> {
    let mut owner = None;
    let next = kinds.iter().enumerate().map(|(index, kind)| match kind {
        Kind::Reasoning => {
            owner = Some(index);
            None
        }
        Kind::Model => owner,
        Kind::Other => {
            owner = None;
            None
        }
    });
    next.collect()
}

/// Returns the reasoning whose item is removed. Reasoning at the end of the history still
/// waits for its item.
fn orphans(kinds: &[Kind], kept: &HashSet<usize>) -> HashSet<usize> {
    let mut orphans = HashSet::new();
    for index in (0..kinds.len().saturating_sub(1)).rev() {
        let next = index + 1;
        if kinds[index] == Kind::Reasoning && (!kept.contains(&next) || orphans.contains(&next)) {
            orphans.insert(index);
        }
    }
    orphans
}

/// Removes the provider's id from an item. A reference has nothing else, and stays.
fn without_id(piece: Piece<'_>) -> Piece<'_> {
    let Ok(mut item) = serde_json::from_str::<Value>(&piece.text) else { return piece };
    if item["type"] == "item_reference" {
        return piece;
    }
    match item.as_object_mut().and_then(|members| members.shift_remove("id")) {
        Some(_) => Piece { text: Cow::Owned(item.to_string()), ..piece },
        None => piece,
    }
}
