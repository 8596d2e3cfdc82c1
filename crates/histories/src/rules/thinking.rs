//! Thinking in a history that was changed: providers refuse thinking that differs from what they returned,
//! and calls whose thinking is missing. Anthropic and Bedrock also refuse thinking after a gap: where some
//! is missing, all of it before is missing too. Servers of Chat Completions need the thinking of every call,
//! the others that of the calls since the user's last message.

use std::collections::{HashMap, HashSet};

use serde_json::Value;
use tuckaway_contract::HistoryFormat;

/// Returns the violations for which a provider would reject the new items of a history of an unknown model.
pub fn thinking_violations(format: HistoryFormat, before: &[Value], after: &[Value]) -> Vec<String> {
    let old = Thinking::of(format, before);
    let new = Thinking::of(format, after);
    let left: HashSet<&String> = new.all.iter().collect();
    let mut violations = Vec::new();
    let known: HashSet<&String> = old.all.iter().collect();
    violations.extend(left.difference(&known).map(|thinking| format!("{thinking} was changed")));
    let (is_of_servers, allows_gaps) = match format {
        HistoryFormat::OpenaiChat
        | HistoryFormat::AiSdk
        | HistoryFormat::AiSdkUi
        | HistoryFormat::Langchain => (true, true),
        HistoryFormat::Anthropic | HistoryFormat::Bedrock => (false, false),
        _ => (false, true),
    };
    for (call, (thinking, is_current)) in &old.of_calls {
        let is_needed = (is_of_servers || *is_current) && new.of_calls.contains_key(call);
        if is_needed && thinking.iter().any(|each| !left.contains(each)) {
            violations.push(format!("the thinking of the call {call} is missing"));
        }
    }
    let mut left_in_order = old.all[old.compacted..].iter().map(|each| left.contains(each));
    if !allows_gaps && left_in_order.by_ref().any(|stays| stays) && left_in_order.any(|stays| !stays) {
        violations.push("there is thinking before a gap".to_owned());
    }
    violations
}

/// The thinking in a history, as JSON.
#[derive(Default)]
struct Thinking {
    /// All of it, in order.
    all: Vec<String>,
    /// How much of it the provider has compacted.
    compacted: usize,
    /// The thinking of the answer that makes each call, and whether the call is newer than the user's last
    /// message.
    of_calls: HashMap<String, (Vec<String>, bool)>,
}

impl Thinking {
    fn of(format: HistoryFormat, items: &[Value]) -> Thinking {
        let (mut thinking, mut of_answer) = (Thinking::default(), Vec::new());
        let mut was_thinking = false;
        for item in items {
            let text = item.to_string();
            if text.contains("\"type\":\"compaction\"") {
                thinking.compacted = thinking.all.len();
            }
            let is_models = match (item["type"].as_str(), item["role"].as_str()) {
                (Some(kind), None) => {
                    !kind.ends_with("_output") && !matches!(kind, "human" | "tool" | "system")
                }
                (_, role) => matches!(role, Some("assistant" | "model")),
            };
            if !is_models {
                of_answer.clear();
                let has_result = ["tool_result", "functionResponse", "toolResult", "_output\""];
                let is_users = item["role"] == "user" || item["type"] == "human";
                if is_users && !has_result.iter().any(|name| text.contains(name)) {
                    thinking.of_calls.values_mut().for_each(|(_, is_current)| *is_current = false);
                }
                continue;
            }
            let own: Vec<String> = pieces(format, item).iter().map(ToString::to_string).collect();
            thinking.all.extend(own.iter().cloned());
            // Only in Responses is thinking an item before those that it led to.
            let is_thinking = !own.is_empty();
            if format != HistoryFormat::OpenaiResponses || is_thinking && !was_thinking {
                of_answer.clear();
            }
            was_thinking = is_thinking;
            of_answer.extend(own);
            // A call of Responses without the provider's id needs no reasoning.
            let is_callers = format == HistoryFormat::OpenaiResponses && item["id"].is_null();
            for call in calls(item).into_iter().filter(|_| !is_callers) {
                thinking.of_calls.insert(call, (of_answer.clone(), true));
            }
        }
        thinking
    }
}

/// Returns the thinking of an item.
fn pieces(format: HistoryFormat, item: &Value) -> Vec<Value> {
    if format == HistoryFormat::OpenaiResponses {
        return if item["type"] == "reasoning" { vec![item.clone()] } else { Vec::new() };
    }
    let members = ["reasoning_content", "reasoning", "reasoning_details"];
    let members = members.iter().map(|name| item[*name].clone()).filter(|value| !value.is_null());
    let is_thinking = |block: &&Value| {
        let kind = block["type"].as_str().unwrap_or_default();
        matches!(kind, "thinking" | "redacted_thinking" | "reasoning")
            || block["thought"] == true
            || block["reasoningContent"].is_object()
            || block["thinking"].is_u64()
    };
    members.chain(blocks(item).filter(is_thinking).cloned()).collect()
}

fn blocks(item: &Value) -> impl Iterator<Item = &Value> {
    let contents = [&item["content"], &item["parts"], &item["data"]["content"]];
    contents.into_iter().filter_map(Value::as_array).flatten()
}

/// Returns the ids of the calls of an item.
fn calls(item: &Value) -> Vec<String> {
    let listed = [&item["tool_calls"], &item["data"]["tool_calls"]].into_iter().filter_map(Value::as_array);
    let all = [item].into_iter().chain(listed.flatten()).chain(blocks(item));
    let id = |call: &Value| {
        let (kind, ids) = (call["type"].as_str().unwrap_or_default(), ["call_id", "toolCallId", "id"]);
        let nested =
            [&call["toolUse"]["toolUseId"], &call["functionCall"]["args"]["id"], &call["tool_call"]["id"]];
        let nested = nested.into_iter().find_map(Value::as_str);
        let is_call =
            matches!(kind, "function_call" | "tool_use" | "function" | "tool_call" | "tool-call" | "tool-f");
        let own = ids.iter().find_map(|name| call[*name].as_str()).filter(|_| is_call);
        nested.or(own).map(str::to_owned)
    };
    all.filter_map(id).collect()
}
