//! Filters on strings.

use std::rc::Rc;

use jaq_core::native::bome;

use super::common::{ValueNative, mismatch, with_args};
use crate::limits::{self, Limit};
use crate::read::{self, ReadError};
use crate::value::{FilterError, Num, Text, Val, ValR, charge, limit_error, split};

pub(super) const STRINGS: &[ValueNative] = &[
    ("utf8bytelength", 0, |cv| bome(text(&cv.1).map(|text| Val::count(text.len())))),
    ("explode", 0, |cv| bome(text(&cv.1).and_then(explode))),
    ("ascii_downcase", 0, |cv| bome(text(&cv.1).map(|text| Val::str(text.to_ascii_lowercase())))),
    ("ascii_upcase", 0, |cv| bome(text(&cv.1).map(|text| Val::str(text.to_ascii_uppercase())))),
    ("startswith", 1, |cv| {
        with_args(cv, |input, [start]| Ok(Val::Bool(text(&input)?.starts_with(text(&start)?))))
    }),
    ("endswith", 1, |cv| with_args(cv, |input, [end]| Ok(Val::Bool(text(&input)?.ends_with(text(&end)?))))),
    ("trim", 0, |cv| bome(text(&cv.1).map(|text| Val::str(text.trim())))),
    ("ltrim", 0, |cv| bome(text(&cv.1).map(|text| Val::str(text.trim_start())))),
    ("rtrim", 0, |cv| bome(text(&cv.1).map(|text| Val::str(text.trim_end())))),
    ("ltrimstr", 1, |cv| with_args(cv, |input, [part]| Ok(trim_part(input, &part, Ends::Start)))),
    ("rtrimstr", 1, |cv| with_args(cv, |input, [part]| Ok(trim_part(input, &part, Ends::End)))),
    ("trimstr", 1, |cv| with_args(cv, |input, [part]| Ok(trim_part(input, &part, Ends::Both)))),
    ("implode", 0, |cv| bome(implode(&cv.1))),
    ("join", 1, |cv| with_args(cv, |input, [separator]| join(&input, &separator))),
    ("split", 1, |cv| {
        with_args(cv, |input, [separator]| match (&input, &separator) {
            (Val::Str(text), Val::Str(separator)) => split(text, separator),
            _ => Err(FilterError::str(format!("cannot split {input} at {separator}: both must be strings"))),
        })
    }),
    ("fromjson", 0, |cv| bome(from_json(&cv.1))),
    ("tonumber", 0, |cv| {
        bome(match cv.1 {
            Val::Num(num) => Ok(Val::Num(num)),
            Val::Str(text) => match charge(text.len() as u64 / 16).map(|()| Num::from_text(&text)) {
                Err(error) => Err(error),
                Ok(Some(num)) => Ok(Val::Num(num)),
                Ok(None) => Err(mismatch(&Val::Str(text), "a number")),
            },
            value => Err(mismatch(&value, "a number")),
        })
    }),
    ("toboolean", 0, |cv| {
        bome(match (&cv.1, cv.1.as_str()) {
            (Val::Bool(bool), _) => Ok(Val::Bool(*bool)),
            (_, Some("true")) => Ok(Val::Bool(true)),
            (_, Some("false")) => Ok(Val::Bool(false)),
            (value, _) => Err(mismatch(value, "a boolean")),
        })
    }),
];

/// Returns the text of a value that must be a string, and charges a pass over it.
fn text(value: &Val) -> Result<&str, FilterError> {
    let text = value.as_str().ok_or_else(|| FilterError::typ(value.clone(), "string"))?;
    charge(1 + text.len() as u64 / 64)?;
    Ok(text)
}

fn explode(text: &str) -> ValR {
    charge(text.len() as u64 / 16)?;
    Ok(text.chars().map(|character| Val::int(u32::from(character).into())).collect())
}

/// The ends of a string that are trimmed.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Ends {
    Start,
    End,
    Both,
}

/// Removes a part from the ends of a string. Values other than strings stay unchanged.
fn trim_part(value: Val, part: &Val, ends: Ends) -> Val {
    let (Some(text), Some(part)) = (value.as_str(), part.as_str()) else { return value };
    limits::charge(1 + part.len() as u64 / 64);
    let rest = text.strip_prefix(part).filter(|_| ends != Ends::End).unwrap_or(text);
    let rest = rest.strip_suffix(part).filter(|_| ends != Ends::Start).unwrap_or(rest);
    if rest.len() == text.len() { value } else { Val::str(rest) }
}

fn implode(value: &Val) -> ValR {
    let Val::Arr(codes) = value else { return Err(mismatch(value, "an array of code points")) };
    let character = |code: &Val| match code {
        // Invalid code points, such as half of a surrogate pair, become U+FFFD. The cast saturates.
        Val::Num(num) if !num.is_nan() => {
            let code = u32::try_from(num.as_f64() as i64).ok().and_then(char::from_u32);
            Ok(code.unwrap_or(char::REPLACEMENT_CHARACTER))
        }
        code => Err(mismatch(code, "a code point")),
    };
    charge(1 + codes.len() as u64 / 2)?;
    codes.iter().map(character).collect::<Result<String, _>>().map(Val::str)
}

/// Joins strings, numbers and booleans as JSON, and nulls as empty strings.
fn join(value: &Val, separator: &Val) -> ValR {
    let Val::Arr(items) = value else { return Err(mismatch(value, "an array")) };
    let Some(separator) = separator.as_str().or(items.is_empty().then_some("")) else {
        return Err(mismatch(separator, "a string to join with"));
    };
    charge(items.len() as u64)?;
    let mut joined = String::new();
    for (index, item) in items.iter().enumerate() {
        let item = match item {
            Val::Null => Rc::new(Text::from(String::new())),
            Val::Arr(_) | Val::Obj(_) => return Err(FilterError::str(format!("cannot join {item}"))),
            item => item.to_text()?,
        };
        let separator = if index > 0 { separator } else { "" };
        if joined.len() + separator.len() + item.len() > limits::max_string_bytes() {
            return Err(limit_error(Limit::String));
        }
        charge((separator.len() + item.len()) as u64 / 64)?;
        joined += separator;
        joined += &item;
    }
    Ok(Val::str(joined))
}

fn from_json(value: &Val) -> ValR {
    let Some(text) = value.as_str() else { return Err(mismatch(value, "a string of JSON")) };
    charge(text.len() as u64)?;
    read::parse(text.as_bytes()).map_err(|error| match error {
        ReadError::Syntax(error) => FilterError::str(format!("{value} is {error}")),
        ReadError::Depth(_) => limit_error(Limit::Depth),
        ReadError::Size(_) | ReadError::Cutoff => limit_error(Limit::Items),
    })
}
