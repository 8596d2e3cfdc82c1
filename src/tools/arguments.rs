//! A call's arguments, read off the JSON that a model wrote.
//!
//! Strict where a guess could be wrong, lenient where models slip and nobody
//! could mean anything else: an integer as `"12"` or `12.0`, a flag as `"true"`,
//! a number for a pattern, null or an empty text for what is optional, no
//! arguments at all for none, an object that is quoted as a whole.

use serde_json::{Map, Value};

use super::parameters::{self, Kind, Parameter};
use super::wording;
use crate::error::Error;
use crate::model::ArtifactTool;

/// Arguments that are of their kinds; what is not there is not in here.
pub(super) struct Arguments {
    given: Vec<(&'static str, Argument)>,
}

enum Argument {
    Text(String),
    Integer(u64),
    /// So many from the end.
    FromEnd(u64),
    Flag(bool),
}

impl Arguments {
    /// `invalid-input` for what is no object, for an argument that the tool does
    /// not have, that is missing, or of another kind.
    pub(super) fn parse(tool: ArtifactTool, json: &str) -> Result<Self, Error> {
        let parameters = parameters::of(tool);
        let mut given = Vec::new();
        for (name, value) in object(tool, json)? {
            let Some(parameter) = parameters.iter().find(|parameter| parameter.name == name) else {
                return Err(Error::invalid(wording::unknown_argument(
                    tool,
                    crate::text::cut::head(&name, 80),
                )));
            };
            if let Some(argument) = argument(parameter, &value)? {
                given.push((parameter.name, argument));
            }
        }
        let missing = |parameter: &&Parameter| {
            parameter.required && !given.iter().any(|(name, _)| *name == parameter.name)
        };
        match parameters.iter().find(missing) {
            Some(parameter) => Err(Error::invalid(wording::missing_argument(tool, parameter.name))),
            None => Ok(Arguments { given }),
        }
    }

    pub(super) fn text(&self, name: &str) -> Option<&str> {
        match self.get(name) {
            Some(Argument::Text(text)) => Some(text),
            _ => None,
        }
    }

    pub(super) fn integer(&self, name: &str) -> Option<u64> {
        match self.get(name) {
            Some(Argument::Integer(integer)) => Some(*integer),
            _ => None,
        }
    }

    /// A line that is counted from the end.
    pub(super) fn line_from_end(&self, name: &str) -> Option<u64> {
        match self.get(name) {
            Some(Argument::FromEnd(count)) => Some(*count),
            _ => None,
        }
    }

    /// False if it is not there.
    pub(super) fn flag(&self, name: &str) -> bool {
        matches!(self.get(name), Some(Argument::Flag(true)))
    }

    fn get(&self, name: &str) -> Option<&Argument> {
        self.given.iter().find(|(given, _)| *given == name).map(|(_, argument)| argument)
    }
}

fn object(tool: ArtifactTool, json: &str) -> Result<Map<String, Value>, Error> {
    if json.trim().is_empty() {
        return Ok(Map::new());
    }
    let not_json = |error: serde_json::Error| Error::invalid(wording::no_json(tool, &error.to_string()));
    let sorted = |mut value: Value| {
        // Whether serde_json keeps the order of keys depends on what else is in
        // the build; which mistake is named first must not.
        value.sort_all_objects();
        value
    };
    match serde_json::from_str(json).map(sorted).map_err(not_json)? {
        Value::Object(object) => Ok(object),
        Value::Null => Ok(Map::new()),
        Value::String(quoted) => match serde_json::from_str(&quoted).map(sorted) {
            Ok(Value::Object(object)) => Ok(object),
            _ => Err(Error::invalid(wording::no_object(tool))),
        },
        _ => Err(Error::invalid(wording::no_object(tool))),
    }
}

/// The argument, or none if it is as good as left out.
fn argument(parameter: &Parameter, value: &Value) -> Result<Option<Argument>, Error> {
    let wrong = || {
        let shown = value.to_string();
        Error::invalid(wording::wrong_kind(
            parameter.name,
            parameter.kind,
            crate::text::cut::head(&shown, 80),
        ))
    };
    Ok(match (parameter.kind, value) {
        (_, Value::Null) => None,
        (_, Value::String(text)) if text.is_empty() && parameter.name != "pattern" => None,
        (Kind::Text, Value::String(text)) => Some(Argument::Text(text.clone())),
        (Kind::Text, Value::Number(number)) => Some(Argument::Text(number.to_string())),
        (Kind::Integer(least), value) => {
            Some(Argument::Integer(integer(value).filter(|integer| *integer >= least).ok_or_else(wrong)?))
        }
        (Kind::Line, value) => Some(match (integer(value), negative(value)) {
            (Some(line), _) if line > 0 => Argument::Integer(line),
            (_, Some(count)) => Argument::FromEnd(count),
            _ => return Err(wrong()),
        }),
        (Kind::Flag, Value::Bool(flag)) => Some(Argument::Flag(*flag)),
        (Kind::Flag, Value::String(text)) => match text.trim() {
            "true" => Some(Argument::Flag(true)),
            "false" => Some(Argument::Flag(false)),
            _ => return Err(wrong()),
        },
        _ => return Err(wrong()),
    })
}

/// How far below 0 an integer is.
fn negative(value: &Value) -> Option<u64> {
    let positive = match value {
        Value::Number(number) => match number.as_i64() {
            Some(number) => Value::from(number.checked_neg()?),
            None => Value::from(-number.as_f64()?),
        },
        Value::String(text) => Value::from(text.trim().strip_prefix('-')?),
        _ => return None,
    };
    integer(&positive).filter(|&count| count > 0)
}

fn integer(value: &Value) -> Option<u64> {
    match value {
        Value::Number(number) => number.as_u64().or_else(|| {
            // Up to here floats tell integers apart.
            let float = number.as_f64()?;
            let exact = (0.0..=9_007_199_254_740_992.0).contains(&float) && float.fract() == 0.0;
            exact.then_some(float as u64)
        }),
        Value::String(text) => text.trim().parse().ok(),
        _ => None,
    }
}
