//! Parses the arguments of a call from the JSON that a model wrote.
//!
//! It is strict if a guess could be wrong, and lenient about common mistakes whose meaning is
//! certain: an integer as `"12"` or `12.0`, a flag as `"true"`, a number as a pattern, null or an
//! empty string for an optional argument, the empty text for no arguments, an object that is quoted
//! as a whole.
//!
//! `serde_json` parses. The scanner of `tuckaway-json` only explains what is malformed: it returns
//! the byte and the token that the grammar expects there.

use std::collections::BTreeMap;

use tuckaway_contract::Error;

use super::parameters::{Parameter, ParameterType, Signature};
use super::wording;
use serde_json::value::RawValue;
use tuckaway_json::scan::{Scanner, SyntaxError, TokenKind};

/// The passed arguments, each with the type of its parameter.
pub(crate) struct Arguments {
    given: Vec<(&'static str, Argument)>,
}

enum Argument {
    Text(String),
    Integer(u64),
    /// Lines counted from the end.
    FromEnd(u64),
    Flag(bool),
}

impl Arguments {
    /// Parses and validates arguments.
    ///
    /// Errors: `invalid-input` for JSON that is malformed or not an object, and for an
    /// argument that is unknown, missing or of the wrong type.
    pub(super) fn parse(tool: &Signature, json: &str) -> Result<Self, Error> {
        let parameters = tool.parameters;
        let mut given = Vec::new();
        for (name, member) in object(tool, json)? {
            let Some(parameter) = parameters.iter().find(|parameter| parameter.name == name) else {
                return Err(Error::invalid(wording::unknown_argument(
                    tool,
                    tuckaway_text::cut::head(&name, 80),
                )));
            };
            let value = Value::of(member.get()).map_err(|error| invalid_json(tool, json, &error))?;
            if let Some(argument) = argument(parameter, &value, member.get())? {
                given.push((parameter.name, argument));
            }
        }
        let missing = |parameter: &&Parameter| {
            parameter.required && !given.iter().any(|(name, _)| *name == parameter.name)
        };
        match parameters.iter().find(missing) {
            Some(parameter) => Err(Error::invalid(wording::missing_argument(tool, parameter))),
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

    /// Returns a number of lines counted from the end.
    pub(super) fn lines_from_end(&self, name: &str) -> Option<u64> {
        match self.get(name) {
            Some(Argument::FromEnd(count)) => Some(*count),
            _ => None,
        }
    }

    /// Returns the cursor, without the spaces around it.
    pub(super) fn cursor(&self) -> Option<String> {
        self.text("cursor").map(|cursor| cursor.trim().to_owned())
    }

    /// Returns a flag; false if it is missing.
    pub(super) fn flag(&self, name: &str) -> bool {
        matches!(self.get(name), Some(Argument::Flag(true)))
    }

    fn get(&self, name: &str) -> Option<&Argument> {
        self.given.iter().find(|(given, _)| *given == name).map(|(_, argument)| argument)
    }
}

/// The members of an object by name: the last of equal names is kept, and the order of
/// the names decides which of several mistakes is reported.
type Members = BTreeMap<String, Box<RawValue>>;

/// Parses the arguments' object, which may be quoted as a whole.
fn object(tool: &Signature, json: &str) -> Result<Members, Error> {
    let malformed = |error| invalid_json(tool, json, &error);
    let not_an_object = || Error::invalid(wording::not_an_object(tool));
    match json.trim_start().bytes().next() {
        None => Ok(Members::new()),
        Some(b'{') => serde_json::from_str(json).map_err(malformed),
        Some(b'"') => {
            let quoted: String = serde_json::from_str(json).map_err(malformed)?;
            serde_json::from_str(&quoted).map_err(|_| not_an_object())
        }
        Some(_) => match serde_json::from_str::<Box<RawValue>>(json).map_err(malformed)?.get() {
            "null" => Ok(Members::new()),
            _ => Err(not_an_object()),
        },
    }
}

/// Explains why a text is not JSON.
fn invalid_json(tool: &Signature, json: &str, error: &serde_json::Error) -> Error {
    let why = match first_mistake(json) {
        Some(mistake) => format!("at byte {}, expected {}", mistake.offset, mistake.expected),
        None => error.to_string(),
    };
    Error::invalid(wording::invalid_json(tool, &why))
}

/// Finds the first mistake in a text that is meant to be one JSON document.
fn first_mistake(json: &str) -> Option<SyntaxError> {
    let mut scanner = Scanner::at_value(json.as_bytes());
    let mut is_complete = false;
    loop {
        let token = match scanner.next_token() {
            Ok(Some(token)) => token,
            Ok(None) => return None,
            Err(error) => return Some(error),
        };
        let mistake = |expected| Some(SyntaxError { offset: token.start, expected });
        if is_complete {
            return mistake("the end");
        }
        // The scanner allows half a surrogate pair.
        let is_string = matches!(token.kind, TokenKind::Key | TokenKind::String);
        let source = &json[token.start as usize..token.end as usize];
        if is_string && serde_json::from_str::<String>(source).is_err() {
            return mistake("a string without half a surrogate pair");
        }
        is_complete = scanner.depth() == 0;
    }
}

/// A JSON value, reduced to the distinctions that arguments need.
enum Value {
    Null,
    Bool(bool),
    /// The source text has its digits.
    Number,
    String(String),
    /// An array or an object
    Container,
}

impl Value {
    /// Parses a member's value. Numbers are not converted: the digits matter.
    fn of(source: &str) -> Result<Self, serde_json::Error> {
        Ok(match source.as_bytes()[0] {
            b'n' => Value::Null,
            b't' | b'f' => Value::Bool(source == "true"),
            b'"' => Value::String(serde_json::from_str(source)?),
            b'[' | b'{' => Value::Container,
            _ => Value::Number,
        })
    }
}

/// Converts a value, whose text is `source`, to an argument; none if it counts as omitted.
fn argument(parameter: &Parameter, value: &Value, source: &str) -> Result<Option<Argument>, Error> {
    let wrong = || {
        let shown = tuckaway_text::cut::head(source, 80);
        Error::invalid(wording::wrong_type(parameter.name, parameter.value_type, shown))
    };
    Ok(match (parameter.value_type, value) {
        (_, Value::Null) => None,
        (_, Value::String(text)) if text.is_empty() && parameter.name != "pattern" => None,
        (ParameterType::NonEmpty, Value::String(text)) if text.trim().is_empty() => None,
        (ParameterType::Text | ParameterType::NonEmpty | ParameterType::Bindings, Value::String(text)) => {
            Some(Argument::Text(text.clone()))
        }
        (ParameterType::Text | ParameterType::NonEmpty, Value::Number) => {
            Some(Argument::Text(source.to_owned()))
        }
        (ParameterType::Bindings, Value::Container) => {
            Some(Argument::Text(bindings(source).ok_or_else(wrong)?))
        }
        (ParameterType::Choice(choices), Value::String(text)) => {
            let choice = choices.iter().find(|choice| choice.eq_ignore_ascii_case(text.trim()));
            Some(Argument::Text((*choice.ok_or_else(wrong)?).to_owned()))
        }
        (ParameterType::Integer(least), value) => {
            let integer = digits(value, source).and_then(|digits| integer(value, digits));
            Some(Argument::Integer(integer.filter(|integer| *integer >= least).ok_or_else(wrong)?))
        }
        (ParameterType::Line, value) => {
            let digits = digits(value, source).ok_or_else(wrong)?;
            let from_end = || integer(value, digits.strip_prefix('-')?).filter(|&count| count > 0);
            Some(match integer(value, digits) {
                Some(line) if line > 0 => Argument::Integer(line),
                _ => Argument::FromEnd(from_end().ok_or_else(wrong)?),
            })
        }
        (ParameterType::Flag, Value::Bool(flag)) => Some(Argument::Flag(*flag)),
        (ParameterType::Flag, Value::String(text)) => match text.trim() {
            "true" => Some(Argument::Flag(true)),
            "false" => Some(Argument::Flag(false)),
            _ => return Err(wrong()),
        },
        _ => return Err(wrong()),
    })
}

/// Converts an object of texts to `name=value name=value`.
fn bindings(source: &str) -> Option<String> {
    let members: Members = serde_json::from_str(source).ok()?;
    let mut text = String::new();
    for (name, member) in members {
        let Value::String(value) = Value::of(member.get()).ok()? else { return None };
        text += &format!("{name}={value} ");
    }
    Some(text)
}

/// Returns the digits of a number, which may be quoted.
fn digits<'a>(value: &'a Value, source: &'a str) -> Option<&'a str> {
    match value {
        Value::Number => Some(source),
        Value::String(text) => Some(text.trim()),
        _ => None,
    }
}

/// Parses a whole number; one that is not quoted may have an exponent or a fraction of
/// zeros.
fn integer(value: &Value, digits: &str) -> Option<u64> {
    digits.parse().ok().or_else(|| {
        let Value::Number = value else { return None };
        // Floats represent integers exactly up to 2^53.
        let float: f64 = digits.parse().ok()?;
        let exact = (0.0..=9_007_199_254_740_992.0).contains(&float) && float.fract() == 0.0;
        exact.then_some(float as u64)
    })
}
