//! The JSON Schema of a tool's arguments.

use super::parameters::{self, Parameter};
use super::wording;
use crate::model::ArtifactTool;
use serde_json::{Map, Value, json};

/// Returns the JSON Schema of a tool's arguments.
pub(super) fn of(tool: ArtifactTool) -> String {
    let property = |parameter: &Parameter| {
        let description = wording::parameter(tool, parameter.name);
        let schema = json!({ "type": parameter.value_type.schema_type(), "description": description });
        (parameter.name.to_owned(), schema)
    };
    let parameters = parameters::of(tool);
    let properties: Map<String, Value> = parameters.iter().map(property).collect();
    let required: Vec<&str> = parameters.iter().filter(|p| p.required).map(|p| p.name).collect();
    json!({ "type": "object", "properties": properties, "required": required, "additionalProperties": false })
        .to_string()
}
