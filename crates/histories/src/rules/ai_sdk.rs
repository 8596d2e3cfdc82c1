//! The AI SDK: the calls of an assistant's message have their results in the messages of
//! the role `tool` directly after it.

use serde_json::Value;

use super::{Violations, Waiting};

pub(super) fn check(items: &[Value], violations: &mut Violations) {
    let mut waiting = Waiting::default();
    for (index, item) in items.iter().enumerate() {
        let role = item["role"].as_str().unwrap_or_default();
        if !matches!(role, "system" | "user" | "assistant" | "tool") {
            violations.at(index, format!("{role:?} is not a role"));
        }
        let parts = item["content"].as_array();
        let ids = |kind: &str| -> Vec<String> {
            let of_kind = parts.into_iter().flatten().filter(|part| part["type"] == kind);
            let own = of_kind.filter(|part| part["providerExecuted"] != true);
            own.map(|part| part["toolCallId"].as_str().unwrap_or_default().to_owned()).collect()
        };
        match role {
            "tool" => ids("tool-result").iter().for_each(|id| waiting.answer(index, id, violations)),
            _ => waiting.end(violations),
        }
        if role == "assistant" {
            waiting.start(index, ids("tool-call"), violations);
        }
        if item["content"].is_null() || parts.is_some_and(Vec::is_empty) {
            violations.at(index, "the message has no content");
        }
    }
    waiting.end(violations);
}
