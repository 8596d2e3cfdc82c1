//! Content that does not conform to MCP, as items.

use serde_json::{Value, json};

/// Returns the items that content in another form represents: a text, an item outside a list, or
/// items without a type. Clients show them to the model in some form, so they count like others.
pub fn as_items(content: &Value) -> Vec<Value> {
    match content {
        Value::Null => Vec::new(),
        Value::Array(items) => items.iter().map(as_item).collect(),
        item => vec![as_item(item)],
    }
}

fn as_item(value: &Value) -> Value {
    match value {
        Value::String(text) => json!({ "type": "text", "text": text }),
        item if item.get("type").is_some_and(Value::is_string) => item.clone(),
        other => match other.get("text").and_then(Value::as_str) {
            Some(text) => json!({ "type": "text", "text": text }),
            None => json!({ "type": "text", "text": other.to_string() }),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_content_stands_for_items() {
        let text = |text: &str| json!({ "type": "text", "text": text });
        for (content, items) in [
            (Value::Null, vec![]),
            (json!("a"), vec![text("a")]),
            (json!(["a", { "text": "b" }, { "x": 1 }]), vec![text("a"), text("b"), text("{\"x\":1}")]),
            (json!({ "type": "image", "data": "" }), vec![json!({ "type": "image", "data": "" })]),
            (json!([{ "type": 1, "text": "c" }]), vec![text("c")]),
            (json!(5), vec![text("5")]),
        ] {
            assert_eq!(as_items(&content), items, "{content}");
        }
    }
}
