//! Parses the arguments of a call from the JSON that a model wrote.
//!
//! Strict if a guess could be wrong, lenient about common mistakes whose meaning is
//! certain: an integer as `"12"` or `12.0`, a flag as `"true"`, a number as a pattern,
//! null or an empty string for an optional argument, the empty text for no arguments,
//! an object that is quoted as a whole.
//!
//! The scanner parses, not `serde_json`: error messages give the byte and what the
//! grammar expects there, which `serde_json` does not expose.

use std::collections::BTreeMap;

use super::parameters::{self, Parameter, ParameterType};
use super::wording;
use crate::error::Error;
use crate::model::ArtifactTool;
use tuckaway_json::scan::{Scanner, SyntaxError, Token, TokenKind};
use tuckaway_json::unescape::unescape_bytes;

/// The arguments that were passed, each of its parameter's type.
pub(super) struct Arguments {
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
    pub(super) fn parse(tool: ArtifactTool, json: &str) -> Result<Self, Error> {
        let parameters = parameters::of(tool);
        let mut given = Vec::new();
        for (name, member) in object(tool, json)? {
            let Some(parameter) = parameters.iter().find(|parameter| parameter.name == name) else {
                return Err(Error::invalid(wording::unknown_argument(
                    tool,
                    tuckaway_text::cut::head(&name, 80),
                )));
            };
            if let Some(argument) = argument(parameter, &member)? {
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

    /// Returns a number of lines counted from the end.
    pub(super) fn lines_from_end(&self, name: &str) -> Option<u64> {
        match self.get(name) {
            Some(Argument::FromEnd(count)) => Some(*count),
            _ => None,
        }
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
type Members = BTreeMap<String, Member>;

/// The value of a member, and its source text.
struct Member {
    value: Value,
    text: String,
}

/// A JSON value, as far as arguments need it.
enum Value {
    Null,
    Bool(bool),
    /// The source text has its digits.
    Number,
    String(String),
    Array,
    Object(Members),
}

/// Parses the arguments' object, which may be quoted as a whole.
fn object(tool: ArtifactTool, json: &str) -> Result<Members, Error> {
    if json.trim().is_empty() {
        return Ok(Members::new());
    }
    let malformed = |error: SyntaxError| {
        let why = format!("at byte {}, expected {}", error.offset, error.expected);
        Error::invalid(wording::invalid_json(tool, &why))
    };
    match document(json).map_err(malformed)? {
        Value::Object(members) => Ok(members),
        Value::Null => Ok(Members::new()),
        Value::String(quoted) => match document(&quoted) {
            Ok(Value::Object(members)) => Ok(members),
            _ => Err(Error::invalid(wording::not_an_object(tool))),
        },
        _ => Err(Error::invalid(wording::not_an_object(tool))),
    }
}

/// Parses a text that is one JSON document.
fn document(json: &str) -> Result<Value, SyntaxError> {
    let mut scanner = Scanner::at_value(json.as_bytes());
    let ends = |scanner: &Scanner<&[u8]>, expected| SyntaxError { offset: scanner.offset(), expected };
    let first = scanner.next_token()?.ok_or(ends(&scanner, "a value"))?;
    let mut members = Members::new();
    if first.kind == TokenKind::ObjectStart {
        while let Some(key) = scanner.next_token()?.filter(|token| token.kind == TokenKind::Key) {
            let name = unescaped(key, json)?;
            let token = scanner.next_token()?.ok_or(ends(&scanner, "a value"))?;
            let end = if token.kind.opens() { scanner.skip_container()?.end } else { token.end };
            let text = json[token.start as usize..end as usize].to_owned();
            members.insert(name, Member { value: value(token, json)?, text });
        }
    } else if first.kind.opens() {
        scanner.skip_container()?;
    }
    match scanner.next_token()? {
        None if first.kind == TokenKind::ObjectStart => Ok(Value::Object(members)),
        None => value(first, json),
        Some(token) => Err(SyntaxError { offset: token.start, expected: "the end" }),
    }
}

/// Returns the value that begins with this token; an object without its members.
fn value(token: Token, json: &str) -> Result<Value, SyntaxError> {
    Ok(match token.kind {
        TokenKind::Null => Value::Null,
        TokenKind::True => Value::Bool(true),
        TokenKind::False => Value::Bool(false),
        TokenKind::Integer | TokenKind::Float => Value::Number,
        TokenKind::String => Value::String(unescaped(token, json)?),
        TokenKind::ObjectStart => Value::Object(Members::new()),
        _ => Value::Array,
    })
}

/// Returns a string or a key without its escapes.
fn unescaped(token: Token, json: &str) -> Result<String, SyntaxError> {
    String::from_utf8(unescape_bytes(token.inside(json.as_bytes())).into_owned())
        .map_err(|_| SyntaxError { offset: token.start, expected: "a string without half a surrogate pair" })
}

/// Converts a member to an argument; none if it is as good as omitted.
fn argument(parameter: &Parameter, member: &Member) -> Result<Option<Argument>, Error> {
    let Member { value, text: source } = member;
    let wrong = || {
        let shown = tuckaway_text::cut::head(source, 80);
        Error::invalid(wording::wrong_type(parameter.name, parameter.value_type, shown))
    };
    Ok(match (parameter.value_type, value) {
        (_, Value::Null) => None,
        (_, Value::String(text)) if text.is_empty() && parameter.name != "pattern" => None,
        (ParameterType::Text, Value::String(text)) => Some(Argument::Text(text.clone())),
        (ParameterType::Text, Value::Number) => Some(Argument::Text(source.clone())),
        (ParameterType::Integer(least), value) => {
            let integer = digits(member).and_then(|digits| integer(value, digits));
            Some(Argument::Integer(integer.filter(|integer| *integer >= least).ok_or_else(wrong)?))
        }
        (ParameterType::Line, value) => {
            let digits = digits(member).ok_or_else(wrong)?;
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

/// Returns the digits of a number, which may be quoted.
fn digits(member: &Member) -> Option<&str> {
    match &member.value {
        Value::Number => Some(&member.text),
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
