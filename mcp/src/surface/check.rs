//! Mistakes in the arguments of a call by the schema of its tool. Only the outermost object is
//! checked: the server checks the rest, with the same rules as for a direct call.

use serde_json::{Map, Value};

use crate::nearest::nearest;

/// The maximum number of mistakes that are named.
const MAX_MISTAKES: usize = 5;

/// Returns one phrase for each mistake; nothing if the arguments may be valid.
pub fn mistakes(schema: &Value, arguments: &Map<String, Value>) -> Vec<String> {
    let empty = Map::new();
    let properties = schema.get("properties").and_then(Value::as_object).unwrap_or(&empty);
    let required = schema.get("required").and_then(Value::as_array).into_iter().flatten();
    let missing = required
        .filter_map(Value::as_str)
        .filter(|name| !arguments.contains_key(*name))
        .map(|name| format!("{name:?} is missing"));
    let is_closed = schema.get("additionalProperties") == Some(&Value::Bool(false))
        && schema.get("patternProperties").is_none();
    let wrong = arguments.iter().filter_map(|(name, value)| match properties.get(name) {
        Some(property) => misfit(name, property, value),
        None if is_closed => Some(match nearest(name, properties.keys().map(String::as_str)) {
            Some(near) => format!("{name:?} is unknown; did you mean {near:?}?"),
            None => format!("{name:?} is unknown"),
        }),
        None => None,
    });
    missing.chain(wrong).take(MAX_MISTAKES).collect()
}

/// Returns why a value does not fit the type or the values of its schema.
fn misfit(name: &str, schema: &Value, value: &Value) -> Option<String> {
    let types: Vec<&str> = match schema.get("type") {
        Some(Value::String(one)) => vec![one],
        Some(Value::Array(several)) => several.iter().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    };
    // OpenAPI's way to allow null.
    let is_nullable = schema.get("nullable") == Some(&Value::Bool(true));
    if value.is_null() && is_nullable {
        return None;
    }
    if !types.is_empty() && !types.iter().any(|kind| is_of(kind, value)) {
        return Some(format!("{name:?} is {}; it should be {}", kind(value), types.join(" or ")));
    }
    let allowed = schema.get("enum").and_then(Value::as_array)?;
    (!allowed.contains(value)).then(|| {
        let shown: Vec<String> = allowed.iter().take(20).map(Value::to_string).collect();
        format!("{name:?} is none of {}", shown.join(", "))
    })
}

/// Returns whether a value has a type of JSON Schema. A type that is not known fits every value.
fn is_of(kind: &str, value: &Value) -> bool {
    match kind {
        "string" => value.is_string(),
        "number" => value.is_number(),
        "integer" => {
            value.is_i64() || value.is_u64() || value.as_f64().is_some_and(|number| number.fract() == 0.0)
        }
        "boolean" => value.is_boolean(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        "null" => value.is_null(),
        _ => true,
    }
}

/// Returns the type of a value, with an article.
pub fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "an array",
        Value::Object(_) => "an object",
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn found(schema: Value, arguments: Value) -> Vec<String> {
        mistakes(&schema, arguments.as_object().unwrap())
    }

    #[test]
    fn mistakes_are_named() {
        let schema = json!({
            "properties": {
                "path": { "type": "string" }, "max": { "type": "integer" }, "kind": { "enum": ["a", "b"] },
                "rows": { "type": ["array", "null"] }, "any": { "anyOf": [{ "type": "string" }] }
            },
            "required": ["path"], "additionalProperties": false
        });
        assert_eq!(
            found(schema.clone(), json!({ "maxx": 1, "max": "7", "kind": "c", "zzzz": 1 })),
            [
                "\"path\" is missing",
                "\"maxx\" is unknown; did you mean \"max\"?",
                "\"max\" is a string; it should be integer",
                "\"kind\" is none of \"a\", \"b\"",
                "\"zzzz\" is unknown",
            ]
        );
        let right = json!({ "path": "", "max": 2.0, "kind": "a", "rows": null, "any": 1 });
        assert_eq!(found(schema.clone(), right), [""; 0]);
        assert_eq!(found(schema, json!({ "path": "", "rows": {}, "max": 1.5 })).len(), 2);
    }

    #[test]
    fn what_a_schema_allows_passes() {
        for (schema, arguments) in [
            (json!({}), json!({ "a": 1 })),
            (json!(true), json!({ "a": 1 })),
            (json!({ "properties": { "a": {} } }), json!({ "b": 1 })),
            (json!({ "properties": { "a": true } }), json!({ "a": 1 })),
            (json!({ "properties": { "a": { "type": "string", "nullable": true } } }), json!({ "a": null })),
            (json!({ "patternProperties": {}, "additionalProperties": false }), json!({ "b": 1 })),
            (json!({ "required": "a" }), json!({})),
        ] {
            assert_eq!(found(schema.clone(), arguments), [""; 0], "{schema}");
        }
    }
}
