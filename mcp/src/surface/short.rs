//! A tool with a short description and a schema without texts, which can be called directly.

use serde_json::{Map, Value};

use super::sentence::first_sentence;

/// The members of a schema that a call can do without.
const TEXTS: [&str; 9] = [
    "$comment",
    "$id",
    "$schema",
    "default",
    "deprecated",
    "description",
    "examples",
    "markdownDescription",
    "title",
];

/// The members whose keys are names, not keywords.
const NAMES: [&str; 5] = ["properties", "patternProperties", "$defs", "definitions", "dependentSchemas"];

/// The members whose values are data, not schemas.
const DATA: [&str; 4] = ["const", "enum", "required", "dependentRequired"];

/// The maximum depth of a schema; deeper schemas accept any value.
const MAX_DEPTH: usize = 32;

/// Returns a tool with the first sentence of its description and without the texts of its schema.
/// Results have no schema. Members that concern only the client are kept.
pub fn shortened(mut tool: Value) -> Value {
    let Some(members) = tool.as_object_mut() else { return tool };
    members.shift_remove("outputSchema");
    if let Some(Value::String(description)) = members.get_mut("description") {
        let sentence = first_sentence(description);
        *description = if sentence.ends_with(['…', '?', '!']) { sentence } else { sentence + "." };
    }
    if let Some(schema) = members.get_mut("inputSchema") {
        *schema = without_texts(schema.take(), 0);
    }
    tool
}

fn without_texts(schema: Value, depth: usize) -> Value {
    match schema {
        _ if depth > MAX_DEPTH => Value::Object(Map::new()),
        Value::Array(schemas) => schemas.into_iter().map(|schema| without_texts(schema, depth + 1)).collect(),
        Value::Object(members) => {
            let kept = members.into_iter().filter(|(key, _)| !TEXTS.contains(&&**key));
            kept.map(|(key, value)| {
                let value = match value {
                    value if DATA.contains(&&*key) => value,
                    Value::Object(named) if NAMES.contains(&&*key) => named
                        .into_iter()
                        .map(|(name, schema)| (name, without_texts(schema, depth + 1)))
                        .collect(),
                    schema => without_texts(schema, depth + 1),
                };
                (key, value)
            })
            .collect()
        }
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn texts_are_removed_and_constraints_kept() {
        let tool = json!({
            "name": "find", "title": "Find", "description": "Finds rows. Slowly.",
            "inputSchema": {
                "$schema": "http://json-schema.org/draft-07/schema#", "title": "Args", "type": "object",
                "properties": {
                    "title": { "type": "string", "description": "A title.", "default": "x" },
                    "kind": { "enum": ["title", { "description": "data" }], "description": "The kind." },
                    "rows": { "type": "array", "items": { "type": "object", "properties": {
                        "description": { "type": "string", "title": "D" }
                    } } },
                    "any": { "anyOf": [{ "type": "null", "description": "None." }, { "$ref": "#/$defs/a" }] }
                },
                "$defs": { "a": { "minimum": 1, "description": "A." } },
                "required": ["title"], "additionalProperties": false
            },
            "outputSchema": { "type": "object" }, "annotations": { "readOnlyHint": true }
        });
        assert_eq!(
            shortened(tool),
            json!({
                "name": "find", "title": "Find", "description": "Finds rows.",
                "inputSchema": {
                    "type": "object",
                    "properties": {
                        "title": { "type": "string" },
                        "kind": { "enum": ["title", { "description": "data" }] },
                        "rows": { "type": "array", "items": { "type": "object", "properties": {
                            "description": { "type": "string" }
                        } } },
                        "any": { "anyOf": [{ "type": "null" }, { "$ref": "#/$defs/a" }] }
                    },
                    "$defs": { "a": { "minimum": 1 } },
                    "required": ["title"], "additionalProperties": false
                },
                "annotations": { "readOnlyHint": true }
            })
        );
    }

    #[test]
    fn what_is_no_definition_passes() {
        for other in [json!("text"), json!(null), json!({ "name": "a" }), json!({ "inputSchema": true })] {
            assert_eq!(shortened(other.clone()), other);
        }
    }

    #[test]
    fn a_deep_schema_is_cut() {
        let deep = (0..100).fold(json!({ "type": "string" }), |inner, _| json!({ "items": inner }));
        let short = shortened(json!({ "inputSchema": deep }));
        assert_eq!(short.to_string().matches("items").count(), MAX_DEPTH + 1);
    }
}
