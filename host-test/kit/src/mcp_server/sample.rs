//! Contents of results.

use serde_json::{Value, json};

/// Returns a text of about `bytes` bytes, with line breaks.
pub fn rows(bytes: usize) -> String {
    (0..bytes / 50).map(|n| format!("row {n:>8} of a report that nobody reads as a whole\n")).collect()
}

/// Returns a result with `count` rows, as text and structured.
pub fn structured(count: u64) -> Value {
    let rows: Vec<Value> =
        (0..count).map(|n| json!({ "id": n, "name": format!("row {n}"), "is_odd": n % 2 == 1 })).collect();
    let structured = json!({ "rows": rows });
    json!({
        "content": [{ "type": "text", "text": structured.to_string() }],
        "structuredContent": structured, "isError": false
    })
}
