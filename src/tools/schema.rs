//! The JSON Schema of a tool's arguments.

use super::parameters::{Parameter, ParameterType};
use serde_json::{Map, Value, json};

/// The order of a schema's members, which has no meaning; every tool uses it except `tool_output`,
/// whose schema is written as in the extraction document.
pub(super) const MEMBERS: [&str; 4] = ["type", "properties", "required", "additionalProperties"];

/// How much a definition says about its tool.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Detail {
    /// Omits parameters that a model seldom needs, and descriptions of those whose names say enough.
    Brief,
    /// Describes every parameter.
    Full,
}

/// Returns the JSON Schema of a tool's arguments, with its members in an order.
pub(super) fn of(parameters: &[Parameter], members: [&str; 4], detail: Detail) -> String {
    let description = |p: &Parameter| match detail {
        Detail::Brief => p.brief,
        Detail::Full => Some(p.description),
    };
    let listed = parameters.iter().filter_map(|p| Some((p, description(p)?)));
    let properties: Map<String, Value> = listed.map(|(p, description)| property(p, description)).collect();
    let required: Vec<&str> = parameters.iter().filter(|p| p.required).map(|p| p.name).collect();
    let member = |name: &str| match name {
        "type" => json!("object"),
        "properties" => Value::Object(properties.clone()),
        "required" => json!(required),
        _ => json!(false),
    };
    let members: Map<String, Value> =
        members.into_iter().map(|name| (name.to_owned(), member(name))).collect();
    Value::Object(members).to_string()
}

fn property(parameter: &Parameter, description: &str) -> (String, Value) {
    let mut schema = Map::new();
    schema.insert("type".to_owned(), json!(parameter.value_type.schema_type()));
    match parameter.value_type {
        ParameterType::NonEmpty => drop(schema.insert("minLength".to_owned(), json!(1))),
        ParameterType::Choice(choices) => drop(schema.insert("enum".to_owned(), json!(choices))),
        _ => {}
    }
    if !description.is_empty() {
        schema.insert("description".to_owned(), json!(description));
    }
    (parameter.name.to_owned(), Value::Object(schema))
}
