//! Anthropic: the first message is the user's or begins with a compaction, consecutive messages of the same role are one
//! message, a message with `tool_use` is followed by a message that begins with the `tool_result`
//! of each, a signed compaction is the only one and comes first, and no content is empty.

use serde_json::Value;

use super::{Violations, Waiting};

/// Maximum number of blocks with `cache_control`.
const MAX_BREAKPOINTS: usize = 4;

pub(super) fn check(items: &[Value], violations: &mut Violations) {
    let mut waiting = Waiting::default();
    let mut role = "";
    // Whether results may follow: only at the start of the user's turn.
    let mut results_allowed = false;
    let mut breakpoints = 0;
    for (index, item) in items.iter().enumerate() {
        let own = item["role"].as_str().unwrap_or_default();
        if !matches!(own, "user" | "assistant") {
            violations.at(index, format!("{own:?} is not a role"));
        }
        if index == 0 && own != "user" && item["content"][0]["type"] != "compaction" {
            violations.at(index, "the first message is not the user's");
        }
        if own != role {
            results_allowed = own == "user";
            if own == "assistant" {
                waiting.end(violations);
                waiting = Waiting { from: index, ids: Vec::new() };
            }
        }
        role = own;
        check_content(index, item, index + 1 == items.len(), violations);
        for block in item["content"].as_array().into_iter().flatten() {
            breakpoints += usize::from(block["cache_control"].is_object());
            match block["type"].as_str() {
                Some("tool_use") => {
                    let id = block["id"].as_str().unwrap_or_default().to_owned();
                    if waiting.ids.contains(&id) {
                        violations.at(index, format!("two calls have the id {id}"));
                    }
                    waiting.from = index;
                    waiting.ids.push(id);
                }
                Some("tool_result") => {
                    if !results_allowed {
                        violations.at(index, "a tool_result is not at the start of its message");
                    }
                    waiting.answer(index, block["tool_use_id"].as_str().unwrap_or_default(), violations);
                }
                _ => results_allowed = false,
            }
        }
        results_allowed &= !item["content"].is_string();
    }
    waiting.end(violations);
    check_programs(items, violations);
    check_compactions(items, violations);
    if breakpoints > MAX_BREAKPOINTS {
        violations.at(items.len(), format!("{breakpoints} blocks have cache_control"));
    }
}

/// Checks the calls that run at the provider, and those that programs among them make.
fn check_programs(items: &[Value], violations: &mut Violations) {
    let mut open: Vec<&str> = Vec::new();
    let blocks = items.iter().enumerate().flat_map(|(index, item)| {
        item["content"].as_array().into_iter().flatten().map(move |block| (index, block))
    });
    for (index, block) in blocks {
        match block["type"].as_str() {
            Some("server_tool_use") => open.extend(block["id"].as_str()),
            Some("tool_use") => {
                if block["caller"]["tool_id"].as_str().is_some_and(|id| !open.contains(&id)) {
                    violations.at(index, "the program that makes a call is missing");
                }
            }
            Some("tool_result") | None => {}
            Some(kind) if kind.ends_with("_tool_result") => {
                let id = block["tool_use_id"].as_str().unwrap_or_default();
                match open.iter().position(|waiting| *waiting == id) {
                    Some(at) => drop(open.remove(at)),
                    None => violations.at(index, format!("the result {id} has no call at the provider")),
                }
            }
            Some(_) => {}
        }
    }
    for id in open {
        violations.at(items.len(), format!("the program {id} has no result"));
    }
}

/// Checks that a compaction made on request, which is signed, has nothing before it, and that there is
/// no other one.
fn check_compactions(items: &[Value], violations: &mut Violations) {
    let blocks = items.iter().enumerate().flat_map(|(index, item)| {
        let blocks = item["content"].as_array().into_iter().flatten().enumerate();
        blocks.map(move |(at, block)| ((index, at), block))
    });
    let compactions: Vec<_> = blocks.filter(|(_, block)| block["type"] == "compaction").collect();
    for ((index, at), block) in &compactions {
        if block["signature"].is_string() && ((*index, *at) != (0, 0) || compactions.len() > 1) {
            violations.at(*index, "a signed compaction is not first, or not the only one");
        }
    }
}

/// Checks that a message has content. Only the last answer, which the model is to continue, may be
/// empty.
fn check_content(index: usize, item: &Value, is_last: bool, violations: &mut Violations) {
    let is_blank = |text: &Value| text.as_str().is_none_or(|text| text.trim().is_empty());
    let is_empty = match &item["content"] {
        Value::Array(blocks) => {
            if blocks.iter().any(|block| block["type"] == "text" && is_blank(&block["text"])) {
                violations.at(index, "a text block is empty");
            }
            blocks.is_empty()
        }
        text => is_blank(text),
    };
    if is_empty && !(is_last && item["role"] == "assistant") {
        violations.at(index, "the message has no content");
    }
}
