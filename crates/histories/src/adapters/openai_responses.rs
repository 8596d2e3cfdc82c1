//! Input items of OpenAI's Responses.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use serde_json::Value;
use tuckaway_contract::{Message, Part, Role, ToolCall};

use super::blocks::{
    arguments, content_parts, element, filled, medium_of_result, message, offers_tools, opaque, opaque_part,
    openai_part, result_parts, set_text, text, text_block, tool_result, unknown_bytes, with_unknown,
};
use super::programs::{self, Mention};
use super::{Adapter, Item, Piece};

pub(super) struct OpenaiResponses;

impl Adapter for OpenaiResponses {
    fn items_member(&self) -> &'static str {
        "input"
    }

    fn system_members(&self) -> &'static [&'static str] {
        &["instructions", "system"]
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
            let read = message(role, content_parts(&item["content"], block));
            return Ok(with_unknown(read, unknown_bytes(item, &["content", "phase"])));
        }
        // Items with a `call_id` come in pairs; the others contain their own result.
        match (kind.strip_suffix("_output"), call_id(item)) {
            // The provider runs a program.
            (Some("program"), _) => Ok(opaque(item)),
            // Later calls need the tools that a search has found.
            (Some("tool_search"), Some(call_id)) => {
                let parts = vec![tool_result(call_id, String::new(), false), opaque_part(&item["tools"])];
                Ok(Message { pinned: true, ..message(Role::Tool, parts) })
            }
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
            _ => {
                let pinned = self.is_compaction(item) || offers_tools(item);
                let mut read = Message { pinned, ..opaque(item) };
                if let ("reasoning", [Part::Opaque(bytes)]) = (kind, &read.parts[..]) {
                    read.parts[0] = Part::Thinking(*bytes);
                }
                Ok(read)
            }
        }
    }

    fn relate(&self, items: &[Cow<'_, Value>], messages: &mut [Message]) {
        resolve_shell_outputs(items, messages);
        let results = messages.iter().flat_map(|message| &message.parts).filter_map(|part| match part {
            Part::ToolResult(result) => Some(result.call_id.clone()),
            _ => None,
        });
        let answered: HashSet<String> = results.collect();
        for (item, message) in items.iter().zip(messages.iter_mut()) {
            let kind = item["type"].as_str().unwrap_or_default();
            // The provider answers some calls itself: only those with an output are the host's.
            let is_hosts = matches!(kind, "function_call" | "custom_tool_call")
                || call_id(item).is_none_or(|id| answered.contains(id));
            if kind.ends_with("_call") && !is_hosts {
                // Long arguments are cut in the item.
                let arguments = message.parts.iter().map(|part| match part {
                    Part::ToolCall(call) => call.arguments.len() as u64,
                    _ => 0,
                });
                let bytes = (item.to_string().len() as u64).max(arguments.sum());
                message.parts = vec![Part::Opaque(bytes)];
            }
        }
        let mentions = items.iter().enumerate().filter_map(|(index, item)| Some((index, mention(item)?)));
        programs::join(mentions, messages);
    }

    fn is_compaction(&self, item: &Value) -> bool {
        matches!(item["type"].as_str(), Some("compaction" | "compaction_summary"))
    }

    fn can_compact(&self) -> bool {
        true
    }

    fn replace_result(&self, item: &mut Value, part: usize, text: &str) -> Result<(), String> {
        let is_result = item["type"].as_str().is_some_and(|kind| kind.ends_with("_call_output"));
        if !is_result || part != 0 {
            return Err(format!("part {part} is not a tool result"));
        }
        set_text(&mut item["output"], text, |text| text_block("input_text", text));
        Ok(())
    }

    fn arguments<'a>(&self, item: &'a mut Value, _: usize) -> Option<&'a mut Value> {
        item.get_mut(input_member(item["type"].as_str()?)?)
    }

    fn medium<'a>(&self, item: &'a mut Value, part: usize) -> Option<&'a mut Value> {
        match item.get("output").is_some() {
            true => medium_of_result(item.get_mut("output")?, part),
            false => element(item, "content", part),
        }
    }

    fn text_block(&self, text: &str) -> Value {
        text_block("input_text", text)
    }

    fn insert(&self, text: &str) -> Value {
        filled(r#"{"type":"message","role":"user","content":"$text"}"#, &[("$text", text)])
    }

    fn add_result(&self, items: &mut Vec<Item<'_>>, index: usize, call: &ToolCall, text: &str) {
        let kind = match items[index].value["type"].as_str() {
            Some(kind) if kind.starts_with("custom_tool_call") => "custom_tool_call_output",
            _ => "function_call_output",
        };
        let value = filled(
            r#"{"type":"$kind","call_id":"$id","output":"$text"}"#,
            &[("$kind", kind), ("$id", &call.id), ("$text", text)],
        );
        items.insert(index + 1, Item { origin: None, value: Cow::Owned(value) });
    }

    fn has_adjacent_results(&self) -> bool {
        false
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
    fn settle<'a>(
        &self,
        pieces: Vec<Piece<'a>>,
        read: &[Cow<'_, Value>],
        whole: &dyn Fn(usize) -> Value,
    ) -> Vec<Piece<'a>> {
        let kinds: Vec<Kind> = read.iter().map(|item| Kind::of(item)).collect();
        let mut kept = vec![false; kinds.len()];
        pieces.iter().filter_map(|piece| piece.origin).for_each(|origin| kept[origin] = true);
        let owners = owners(&kinds);
        let removed = orphans(&kinds, &kept);
        let is_removed = |index: usize| removed[index];
        let settled = pieces.into_iter().filter(|piece| !piece.origin.is_some_and(is_removed));
        settled
            .map(|piece| {
                let owner = piece.origin.and_then(|index| owners[index]);
                let lost = owner.is_some_and(|owner| !kept[owner] || is_removed(owner));
                if lost { without_id(piece, whole) } else { piece }
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
    message(
        Role::Assistant,
        vec![Part::ToolCall(ToolCall {
            id: call_id.to_owned(),
            name: name.to_owned(),
            arguments: arguments(input),
            // The provider defines the actions of its own tools.
            pinned: input_member(kind).is_none(),
        })],
    )
}

/// Returns the member of a call that has the arguments of a tool of the host.
fn input_member(kind: &str) -> Option<&'static str> {
    match kind {
        "function_call" => Some("arguments"),
        "custom_tool_call" => Some("input"),
        _ => None,
    }
}

/// The role of an item for the reasoning around it.
#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Reasoning,
    /// Another item of the model.
    Model,
    /// An item of the user, the developer or a tool, or a compaction, which needs nothing before it.
    Other,
}

impl Kind {
    fn of(item: &Value) -> Kind {
        match item["type"].as_str() {
            Some("reasoning") => Kind::Reasoning,
            // References are ids, whose prefix is their kind.
            Some("item_reference") => match item["id"].as_str() {
                Some(id) if id.starts_with("rs_") => Kind::Reasoning,
                _ => Kind::Model,
            },
            None | Some("message") if item["role"] != "assistant" => Kind::Other,
            Some("compaction" | "compaction_summary") => Kind::Other,
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
fn orphans(kinds: &[Kind], kept: &[bool]) -> Vec<bool> {
    let mut orphans = vec![false; kinds.len()];
    for index in (0..kinds.len().saturating_sub(1)).rev() {
        let next = index + 1;
        orphans[index] = kinds[index] == Kind::Reasoning && (!kept[next] || orphans[next]);
    }
    orphans
}

/// Removes the provider's id from an item. A reference has nothing else, and stays.
fn without_id<'a>(piece: Piece<'a>, whole: &dyn Fn(usize) -> Value) -> Piece<'a> {
    let parsed = match (&piece.text, piece.origin) {
        (Some(text), _) => serde_json::from_str(text).ok(),
        (None, Some(origin)) => Some(whole(origin)),
        (None, None) => None,
    };
    let Some(Value::Object(mut members)) = parsed else { return piece };
    if members.get("type").is_some_and(|kind| kind == "item_reference") {
        return piece;
    }
    match members.shift_remove("id") {
        Some(_) => Piece { text: Some(Cow::Owned(Value::Object(members).to_string())), ..piece },
        None => piece,
    }
}

/// Lets the output of a local shell that has the item's id of its call answer the call.
fn resolve_shell_outputs(items: &[Cow<'_, Value>], messages: &mut [Message]) {
    let mut calls: HashMap<&str, usize> = HashMap::new();
    for (index, item) in items.iter().enumerate().filter(|(_, item)| item["type"] == "local_shell_call") {
        if let (Some(id), Some(_)) = (item["id"].as_str(), item["call_id"].as_str()) {
            calls.insert(id, index);
        }
    }
    for (item, message) in items.iter().zip(messages) {
        let own = item["id"].as_str().filter(|_| item["call_id"].is_null());
        let call = own.and_then(|id| calls.get(id)).and_then(|call| items[*call]["call_id"].as_str());
        if let (Some(call_id), Some(Part::ToolResult(result))) = (call, message.parts.first_mut()) {
            result.call_id = call_id.to_owned();
        }
    }
}

fn mention(item: &Value) -> Option<Mention<'_>> {
    let id = || item["call_id"].as_str().or(item["id"].as_str());
    match item["type"].as_str()? {
        "program" => id().map(Mention::Start),
        "program_output" => id().map(Mention::Output),
        kind if kind.ends_with("_call") => item["caller"]["caller_id"].as_str().map(Mention::Call),
        _ => None,
    }
}
