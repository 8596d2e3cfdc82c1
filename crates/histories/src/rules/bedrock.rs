//! Converse: roles alternate and begin with the user's, and a message with `toolUse` is followed by
//! a message with the `toolResult` of each.

use serde_json::Value;

use super::{Violations, Waiting};

pub(super) fn check(items: &[Value], violations: &mut Violations) {
    let mut waiting = Waiting::default();
    let mut last = "assistant";
    for (index, item) in items.iter().enumerate() {
        let role = item["role"].as_str().unwrap_or_default();
        if !matches!(role, "user" | "assistant") {
            violations.at(index, format!("{role:?} is not a role"));
        }
        if role == last {
            violations.at(index, "the roles do not alternate, beginning with the user's");
        }
        last = role;
        let blocks = item["content"].as_array().map(Vec::as_slice).unwrap_or_default();
        if blocks.is_empty() {
            violations.at(index, "the message has no blocks");
        }
        if blocks.iter().any(|block| !block.is_object() || block["text"].as_str().is_some_and(str::is_empty))
        {
            violations.at(index, "a block is empty or a text instead of an object");
        }
        let ids = |kind: &str| -> Vec<String> {
            let of_kind = blocks.iter().filter(|block| block[kind].is_object());
            of_kind.map(|block| block[kind]["toolUseId"].as_str().unwrap_or_default().to_owned()).collect()
        };
        ids("toolResult").iter().for_each(|id| waiting.answer(index, id, violations));
        waiting.end(violations);
        if role == "assistant" {
            waiting.start(index, ids("toolUse"), violations);
        }
    }
    waiting.end(violations);
}
