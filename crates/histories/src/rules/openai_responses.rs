//! Responses: each call has an output with its `call_id` after it, each output a call
//! before it, and reasoning is followed by an item of the same answer.

use std::collections::{HashMap, HashSet};

use serde_json::Value;

use super::Violations;

pub(super) fn check(items: &[Value], violations: &mut Violations) {
    let mut calls: HashMap<&str, usize> = HashMap::new();
    let mut answered: HashSet<&str> = HashSet::new();
    let mut programs: Vec<&str> = Vec::new();
    for (index, item) in items.iter().enumerate() {
        let kind = item["type"].as_str().unwrap_or("message");
        let own_id = if kind == "local_shell_call_output" { &item["id"] } else { &Value::Null };
        match (kind, item["call_id"].as_str()) {
            ("program", Some(id)) => programs.push(id),
            ("program_output", Some(id)) if programs.contains(&id) => programs.retain(|open| *open != id),
            ("program_output", _) => violations.at(index, "the output has no program before it"),
            _ => {}
        }
        if item["caller"]["caller_id"].as_str().is_some_and(|id| !programs.contains(&id)) {
            violations.at(index, "the program that makes a call is missing");
        }
        if let Some(id) = item["call_id"].as_str().or(own_id.as_str()) {
            let is_call = kind.ends_with("_call");
            if is_call && calls.insert(id, index).is_some() && !answered.remove(id) {
                violations.at(index, format!("two calls have the id {id}"));
            }
            let is_result = kind.ends_with("_call_output") || kind == "tool_search_output";
            if is_result && (!calls.contains_key(id) || !answered.insert(id)) {
                violations.at(index, format!("the result {id} does not follow its call"));
            }
        }
        if kind == "message" && item["content"].as_array().is_some_and(Vec::is_empty) {
            violations.at(index, "the message has no content");
        }
        if kind == "reasoning" && !items.get(index + 1).is_some_and(is_of_model) {
            violations.at(index, "the reasoning is not followed by its item");
        }
    }
    for id in programs {
        violations.at(items.len(), format!("the program {id} has no output"));
    }
    let mut open: Vec<(usize, &str)> =
        calls.into_iter().filter(|(id, _)| !answered.contains(id)).map(|(id, index)| (index, id)).collect();
    open.sort_unstable();
    for (index, id) in open {
        violations.at(index, format!("the call {id} has no result"));
    }
}

/// Returns whether the model made an item.
fn is_of_model(item: &Value) -> bool {
    match item["type"].as_str().unwrap_or("message") {
        "message" => item["role"] == "assistant",
        kind => !kind.ends_with("_output"),
    }
}
