//! A call's arguments, read off the JSON that a model wrote.
//!
//! Strict where a guess could be wrong, lenient where models slip and nobody
//! could mean anything else: an integer as `"12"` or `12.0`, a flag as `"true"`,
//! a number for a pattern, null or an empty text for what is optional, no
//! arguments at all for none, an object that is quoted as a whole.

use super::parameters::{self, Kind, Parameter};
use super::wording;
use crate::error::Error;
use crate::model::ArtifactTool;
use tuckaway_json::scan::{Scanner, SyntaxError, Token, TokenKind};
use tuckaway_json::unescape::unescape_bytes;

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
        for (name, value, spelling) in object(tool, json)? {
            let Some(parameter) = parameters.iter().find(|parameter| parameter.name == name) else {
                return Err(Error::invalid(wording::unknown_argument(
                    tool,
                    tuckaway_text::cut::head(&name, 80),
                )));
            };
            if let Some(argument) = argument(parameter, &value, &spelling)? {
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

/// A member of the object: its name, its value, and how that is spelled.
type Member = (String, Value, String);

/// A value, as far as arguments go into it.
enum Value {
    Null,
    Bool(bool),
    /// By its spelling.
    Number,
    String(String),
    Array,
    Object(Vec<Member>),
}

/// The members in the order of their names, of equal ones the last: which mistake
/// is named first is the same however they are written.
fn object(tool: ArtifactTool, json: &str) -> Result<Vec<Member>, Error> {
    if json.trim().is_empty() {
        return Ok(Vec::new());
    }
    let not_json = |error: SyntaxError| {
        let why = format!("at byte {}, expected {}", error.offset, error.expected);
        Error::invalid(wording::no_json(tool, &why))
    };
    match document(json).map_err(not_json)? {
        Value::Object(members) => Ok(members),
        Value::Null => Ok(Vec::new()),
        Value::String(quoted) => match document(&quoted) {
            Ok(Value::Object(members)) => Ok(members),
            _ => Err(Error::invalid(wording::no_object(tool))),
        },
        _ => Err(Error::invalid(wording::no_object(tool))),
    }
}

/// The value of a text that is one document.
fn document(json: &str) -> Result<Value, SyntaxError> {
    let mut scanner = Scanner::within(json.as_bytes());
    let ends = |scanner: &Scanner<&[u8]>, expected| SyntaxError { offset: scanner.offset(), expected };
    let first = scanner.next_token()?.ok_or(ends(&scanner, "a value"))?;
    let mut members = Vec::new();
    if first.kind == TokenKind::ObjectStart {
        while let Some(key) = scanner.next_token()?.filter(|token| token.kind == TokenKind::Key) {
            let name = text(key, json)?;
            let token = scanner.next_token()?.ok_or(ends(&scanner, "a value"))?;
            let end = if token.kind.opens() { scanner.skip_container()?.end } else { token.end };
            let spelling = &json[token.start as usize..end as usize];
            members.push((name, value(token, json)?, spelling.to_owned()));
        }
        members.sort_by(|l, r| l.0.cmp(&r.0));
        // The last of equal names comes first where the order is turned.
        members.reverse();
        members.dedup_by(|later, first| later.0 == first.0);
        members.reverse();
    } else if first.kind.opens() {
        scanner.skip_container()?;
    }
    match scanner.next_token()? {
        None if first.kind == TokenKind::ObjectStart => Ok(Value::Object(members)),
        None => value(first, json),
        Some(token) => Err(SyntaxError { offset: token.start, expected: "the end" }),
    }
}

/// The value that begins with this token; of an object without its members.
fn value(token: Token, json: &str) -> Result<Value, SyntaxError> {
    Ok(match token.kind {
        TokenKind::Null => Value::Null,
        TokenKind::True => Value::Bool(true),
        TokenKind::False => Value::Bool(false),
        TokenKind::Integer | TokenKind::Float => Value::Number,
        TokenKind::String => Value::String(text(token, json)?),
        TokenKind::ObjectStart => Value::Object(Vec::new()),
        _ => Value::Array,
    })
}

fn text(token: Token, json: &str) -> Result<String, SyntaxError> {
    String::from_utf8(unescape_bytes(token.inside(json.as_bytes())).into_owned())
        .map_err(|_| SyntaxError { offset: token.start, expected: "a string without half a surrogate pair" })
}

/// The argument, or none if it is as good as left out.
fn argument(parameter: &Parameter, value: &Value, spelling: &str) -> Result<Option<Argument>, Error> {
    let wrong = || {
        let shown = tuckaway_text::cut::head(spelling, 80);
        Error::invalid(wording::wrong_kind(parameter.name, parameter.kind, shown))
    };
    Ok(match (parameter.kind, value) {
        (_, Value::Null) => None,
        (_, Value::String(text)) if text.is_empty() && parameter.name != "pattern" => None,
        (Kind::Text, Value::String(text)) => Some(Argument::Text(text.clone())),
        (Kind::Text, Value::Number) => Some(Argument::Text(spelling.to_owned())),
        (Kind::Integer(least), value) => {
            let integer = digits(value, spelling).and_then(|digits| integer(value, digits));
            Some(Argument::Integer(integer.filter(|integer| *integer >= least).ok_or_else(wrong)?))
        }
        (Kind::Line, value) => {
            let digits = digits(value, spelling).ok_or_else(wrong)?;
            let from_end = || integer(value, digits.strip_prefix('-')?).filter(|&count| count > 0);
            Some(match integer(value, digits) {
                Some(line) if line > 0 => Argument::Integer(line),
                _ => Argument::FromEnd(from_end().ok_or_else(wrong)?),
            })
        }
        (Kind::Flag, Value::Bool(flag)) => Some(Argument::Flag(*flag)),
        (Kind::Flag, Value::String(text)) => match text.trim() {
            "true" => Some(Argument::Flag(true)),
            "false" => Some(Argument::Flag(false)),
            _ => return Err(wrong()),
        },
        _ => return Err(wrong()),
    })
}

/// A number's spelling, also where it is quoted.
fn digits<'a>(value: &'a Value, spelling: &'a str) -> Option<&'a str> {
    match value {
        Value::Number => Some(spelling),
        Value::String(text) => Some(text.trim()),
        _ => None,
    }
}

/// A whole number, that of JSON also with a fraction of zeros or an exponent.
fn integer(value: &Value, digits: &str) -> Option<u64> {
    digits.parse().ok().or_else(|| {
        let Value::Number = value else { return None };
        // Up to here floats tell integers apart.
        let float: f64 = digits.parse().ok()?;
        let exact = (0.0..=9_007_199_254_740_992.0).contains(&float) && float.fract() == 0.0;
        exact.then_some(float as u64)
    })
}
