//! UI messages of the AI SDK: a call has its result in its part; only the last message may have a
//! call without one.

use std::collections::HashSet;

use serde_json::Value;

use super::Violations;

pub(super) fn check(items: &[Value], violations: &mut Violations) {
    let mut ids = HashSet::new();
    for (index, item) in items.iter().enumerate() {
        let role = item["role"].as_str().unwrap_or_default();
        if !matches!(role, "system" | "user" | "assistant") {
            violations.at(index, format!("{role:?} is not a role"));
        }
        if !item["id"].as_str().is_some_and(|id| ids.insert(id)) {
            violations.at(index, "the message has no id of its own");
        }
        let parts = item["parts"].as_array();
        if parts.is_none_or(Vec::is_empty) {
            violations.at(index, "the message has no parts");
        }
        for part in parts.into_iter().flatten() {
            let kind = part["type"].as_str().unwrap_or_default();
            if !kind.starts_with("tool-") && kind != "dynamic-tool" {
                continue;
            }
            let state = part["state"].as_str().unwrap_or_default();
            let member = match state {
                "output-available" => "output",
                "output-error" => "errorText",
                _ => "toolCallId",
            };
            if part[member].is_null() || !state.starts_with("output-") {
                violations.at(index, format!("the call {} has no result", part["toolCallId"]));
            }
        }
    }
}
