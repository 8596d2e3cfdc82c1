//! The JSON Schema of a tool's arguments.

use super::parameters::{self, Parameter};
use super::wording;
use crate::model::ArtifactTool;
use tuckaway_json::write::quote;

/// Returns the JSON Schema of a tool's arguments.
pub(super) fn of(tool: ArtifactTool) -> String {
    let property = |parameter: &Parameter| {
        format!(
            "{}:{{\"type\":\"{}\",\"description\":{}}}",
            quote(parameter.name),
            parameter.value_type.schema_type(),
            quote(wording::parameter(tool, parameter.name))
        )
    };
    let parameters = parameters::of(tool);
    let properties: Vec<String> = parameters.iter().map(property).collect();
    let required: Vec<String> = parameters.iter().filter(|p| p.required).map(|p| quote(p.name)).collect();
    format!(
        "{{\"type\":\"object\",\"properties\":{{{}}},\"required\":[{}],\"additionalProperties\":false}}",
        properties.join(","),
        required.join(",")
    )
}
