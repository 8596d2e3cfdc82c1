//! The tool call that a call of `call_tool` requests.

use serde_json::{Map, Value};

use super::check::{self, mistakes};
use super::own::{ARGUMENTS, CALL, NAME, SCHEMA};
use crate::reduce::FILTER_ARGUMENT;

/// The maximum size of a schema in an error.
const MAX_SCHEMA_BYTES: usize = 4 << 10;

/// A call of a tool, as the model asked for it.
#[derive(Debug, PartialEq)]
pub struct Request {
    /// The tool, by the name that the client knows.
    pub tool: String,
    arguments: Map<String, Value>,
    /// The filter next to the arguments.
    filter: Option<Value>,
}

impl Request {
    /// Reads the arguments of `call_tool`. Arguments that are a string with an object in JSON count as
    /// the object. The error is for the model.
    pub fn read(mut given: Value) -> Result<Self, String> {
        let usage = format!("Pass {NAME} and {ARGUMENTS}, an object. Nothing was called.");
        let Some(members) = given.as_object_mut() else {
            return Err(format!("The arguments of {CALL} are {}. {usage}", check::kind(&given)));
        };
        let tool = match members.remove(NAME) {
            Some(Value::String(tool)) => tool,
            _ => return Err(format!("{NAME} is missing or not a string. {usage}")),
        };
        if tool == CALL || tool == SCHEMA {
            return Err(format!("{tool} cannot be called through {CALL}: call it directly."));
        }
        let arguments = match members.remove(ARGUMENTS) {
            None | Some(Value::Null) => Map::new(),
            Some(Value::Object(arguments)) => arguments,
            Some(Value::String(text)) if text.trim().is_empty() => Map::new(),
            Some(Value::String(text)) => serde_json::from_str(&text)
                .map_err(|_| format!("{ARGUMENTS} is a string that is not an object in JSON. {usage}"))?,
            Some(other) => return Err(format!("{ARGUMENTS} is {}. {usage}", check::kind(&other))),
        };
        let filter = members.remove(FILTER_ARGUMENT).filter(|filter| !filter.is_null());
        // A model that writes the tool's arguments next to its name would lose them.
        match members.keys().next() {
            Some(stray) => {
                Err(format!("{stray:?} is not an argument of {CALL}: put it into {ARGUMENTS}. {usage}"))
            }
            None => Ok(Request { tool, arguments, filter }),
        }
    }

    /// Returns the arguments for the tool with this schema, with the filter among them if the tool
    /// takes one. The error is for the model.
    pub fn arguments(self, schema: &Value, takes_filter: bool) -> Result<Value, String> {
        let Request { tool, mut arguments, filter } = self;
        if let Some(filter) = filter {
            if !takes_filter {
                return Err(format!(
                    "The tool {tool} takes no filter {FILTER_ARGUMENT}. The tool was not called."
                ));
            }
            arguments.entry(FILTER_ARGUMENT).or_insert(filter);
        }
        let wrong = mistakes(schema, &arguments);
        if wrong.is_empty() {
            return Ok(Value::Object(arguments));
        }
        let shown = schema.to_string();
        let help = match shown.len() <= MAX_SCHEMA_BYTES {
            true => format!("Its input schema: {shown}"),
            false => format!("Call {SCHEMA} for its input schema."),
        };
        Err(format!(
            "The arguments do not fit the tool {tool}: {}. The tool was not called. {help}",
            wrong.join("; ")
        ))
    }

    /// Returns the arguments for a tool of the proxy itself, which checks them.
    pub fn unchecked(self) -> Value {
        Value::Object(self.arguments)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn arguments(given: Value) -> Result<Value, String> {
        let schema = json!({ "properties": { "path": { "type": "string" } }, "required": ["path"] });
        Request::read(given)?.arguments(&schema, true)
    }

    #[test]
    fn arguments_are_an_object_or_its_json() {
        for given in [
            json!({ "tool_name": "t", "arguments": { "path": "a" } }),
            json!({ "tool_name": "t", "arguments": "{\"path\": \"a\"}" }),
        ] {
            assert_eq!(arguments(given), Ok(json!({ "path": "a" })));
        }
        for none in [json!(null), json!(""), json!({})] {
            let request = Request::read(json!({ "tool_name": "t", "arguments": none })).unwrap();
            assert_eq!(request.unchecked(), json!({}));
        }
    }

    #[test]
    fn a_filter_is_beside_the_arguments_or_among_them() {
        let beside = json!({ "tool_name": "t", "arguments": { "path": "a" }, "_jq": ".b" });
        let among = json!({ "tool_name": "t", "arguments": { "path": "a", "_jq": ".b" } });
        for given in [beside.clone(), among] {
            assert_eq!(arguments(given), Ok(json!({ "path": "a", "_jq": ".b" })));
        }
        assert_eq!(
            Request::read(beside).unwrap().arguments(&json!({}), false).unwrap_err(),
            "The tool t takes no filter _jq. The tool was not called."
        );
    }

    #[test]
    fn mistakes_say_what_to_do() {
        for (given, message) in [
            (
                json!([]),
                "The arguments of call_tool are an array. Pass tool_name and arguments, an object. Nothing was called.",
            ),
            (
                json!({}),
                "tool_name is missing or not a string. Pass tool_name and arguments, an object. Nothing was called.",
            ),
            (
                json!({ "tool_name": "call_tool" }),
                "call_tool cannot be called through call_tool: call it directly.",
            ),
            (
                json!({ "tool_name": "t", "path": "a" }),
                "\"path\" is not an argument of call_tool: put it into arguments. Pass tool_name and arguments, an object. Nothing was called.",
            ),
            (
                json!({ "tool_name": "t", "arguments": [1] }),
                "arguments is an array. Pass tool_name and arguments, an object. Nothing was called.",
            ),
            (
                json!({ "tool_name": "t", "arguments": "a" }),
                "arguments is a string that is not an object in JSON. Pass tool_name and arguments, an object. Nothing was called.",
            ),
            (
                json!({ "tool_name": "t" }),
                "The arguments do not fit the tool t: \"path\" is missing. The tool was not called. Its input schema: {\"properties\":{\"path\":{\"type\":\"string\"}},\"required\":[\"path\"]}",
            ),
        ] {
            assert_eq!(arguments(given), Err(message.to_owned()));
        }
        let long = json!({ "properties": { "x": { "description": "x".repeat(5_000) } }, "required": ["x"] });
        let request = Request::read(json!({ "tool_name": "t" })).unwrap();
        let error = request.arguments(&long, false).unwrap_err();
        assert!(error.ends_with("Call get_tool_schema for its input schema."), "{error}");
    }
}
