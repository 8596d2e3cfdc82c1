//! Gemini: the contents begin with the user's, and a content with function calls is followed by one
//! with as many responses, of the same names in the same order.

use serde_json::Value;

use super::Violations;

pub(super) fn check(items: &[Value], violations: &mut Violations) {
    let mut waiting: Vec<String> = Vec::new();
    for (index, item) in items.iter().enumerate() {
        let role = item["role"].as_str().unwrap_or("user");
        if !matches!(role, "user" | "model" | "function") {
            violations.at(index, format!("{role:?} is not a role"));
        }
        if index == 0 && role == "model" {
            violations.at(index, "the first content is not the user's");
        }
        let parts = item["parts"].as_array().map(Vec::as_slice).unwrap_or_default();
        if parts.is_empty() {
            violations.at(index, "the content has no parts");
        }
        let names = |kind: &str| -> Vec<String> {
            let of_kind = parts.iter().filter(|part| part[kind].is_object());
            of_kind.map(|part| part[kind]["name"].as_str().unwrap_or_default().to_owned()).collect()
        };
        let (mut awaited, mut answers) = (std::mem::take(&mut waiting), names("functionResponse"));
        awaited.sort_unstable();
        answers.sort_unstable();
        if awaited != answers {
            violations.at(index, format!("{answers:?} answer the calls {awaited:?}"));
        }
        if role == "model" {
            waiting = names("functionCall");
        }
    }
    if !waiting.is_empty() {
        violations.at(items.len(), format!("the calls {waiting:?} have no responses"));
    }
}
