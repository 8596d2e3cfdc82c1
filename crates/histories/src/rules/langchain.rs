//! LangChain: a message of the type `ai` with calls is followed by a message of the type `tool` for
//! each of them, before anything else.

use serde_json::Value;

use super::{Violations, Waiting};

const TYPES: [&str; 6] = ["human", "ai", "system", "tool", "function", "chat"];

pub(super) fn check(items: &[Value], violations: &mut Violations) {
    let mut waiting = Waiting::default();
    for (index, item) in items.iter().enumerate() {
        let (kind, data) = (item["type"].as_str().unwrap_or_default(), &item["data"]);
        if !TYPES.contains(&kind) {
            violations.at(index, format!("{kind:?} is not a type"));
        }
        if !data["content"].is_string() && !data["content"].is_array() {
            violations.at(index, "the message has no content");
        }
        if kind == "tool" {
            waiting.answer(index, data["tool_call_id"].as_str().unwrap_or_default(), violations);
        } else {
            waiting.end(violations);
        }
        if kind == "ai" {
            let calls = data["tool_calls"].as_array().into_iter().flatten();
            let ids = calls.map(|call| call["id"].as_str().unwrap_or_default().to_owned());
            waiting.start(index, ids.collect(), violations);
        }
    }
    waiting.end(violations);
}
