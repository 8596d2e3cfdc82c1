//! Chat Completions: an assistant's message with calls is followed by a message of the
//! role `tool` for each of them, before anything else.

use serde_json::Value;

use super::{Violations, Waiting};

const ROLES: [&str; 6] = ["system", "developer", "user", "assistant", "tool", "function"];

pub(super) fn check(items: &[Value], violations: &mut Violations) {
    let mut waiting = Waiting::default();
    for (index, item) in items.iter().enumerate() {
        let role = item["role"].as_str().unwrap_or_default();
        if !ROLES.contains(&role) {
            violations.at(index, format!("{role:?} is not a role"));
        }
        if role == "tool" {
            waiting.answer(index, item["tool_call_id"].as_str().unwrap_or_default(), violations);
        } else {
            waiting.end(violations);
        }
        let calls = item["tool_calls"].as_array();
        if role == "assistant" {
            let ids =
                calls.into_iter().flatten().map(|call| call["id"].as_str().unwrap_or_default().to_owned());
            waiting.start(index, ids.collect(), violations);
        }
        let is_answered = calls.is_some_and(|calls| !calls.is_empty()) || item["function_call"].is_object();
        let has_content = match &item["content"] {
            Value::String(_) => true,
            Value::Array(parts) => !parts.is_empty(),
            _ => {
                role == "assistant"
                    && (is_answered || item["refusal"].is_string() || item["audio"].is_object())
            }
        };
        if !has_content {
            violations.at(index, "the message has no content");
        }
        if calls.is_some_and(Vec::is_empty) {
            violations.at(index, "tool_calls is an empty list");
        }
    }
    waiting.end(violations);
}
