//! Filters on strings.

use std::rc::Rc;

use jaq_core::native::bome;

use super::{Native, unfit, with};
use crate::limits::{self, Limit, MAX_STRING_BYTES};
use crate::read::{self, ReadError};
use crate::value::{Error, Num, Text, Val, ValR, beyond, spend, split};

pub(super) const STRINGS: &[Native] = &[
    ("utf8bytelength", 0, |cv| bome(text(&cv.1).map(|text| Val::count(text.len())))),
    ("explode", 0, |cv| bome(text(&cv.1).and_then(explode))),
    ("ascii_downcase", 0, |cv| bome(text(&cv.1).map(|text| Val::str(text.to_ascii_lowercase())))),
    ("ascii_upcase", 0, |cv| bome(text(&cv.1).map(|text| Val::str(text.to_ascii_uppercase())))),
    ("startswith", 1, |cv| {
        with(cv, |input, [start]| Ok(Val::Bool(text(&input)?.starts_with(text(&start)?))))
    }),
    ("endswith", 1, |cv| with(cv, |input, [end]| Ok(Val::Bool(text(&input)?.ends_with(text(&end)?))))),
    ("trim", 0, |cv| bome(text(&cv.1).map(|text| Val::str(text.trim())))),
    ("ltrim", 0, |cv| bome(text(&cv.1).map(|text| Val::str(text.trim_start())))),
    ("rtrim", 0, |cv| bome(text(&cv.1).map(|text| Val::str(text.trim_end())))),
    ("ltrimstr", 1, |cv| with(cv, |input, [part]| Ok(trimmed(input, &part, true, false)))),
    ("rtrimstr", 1, |cv| with(cv, |input, [part]| Ok(trimmed(input, &part, false, true)))),
    ("trimstr", 1, |cv| with(cv, |input, [part]| Ok(trimmed(input, &part, true, true)))),
    ("implode", 0, |cv| bome(implode(&cv.1))),
    ("join", 1, |cv| with(cv, |input, [separator]| join(&input, &separator))),
    ("split", 1, |cv| {
        with(cv, |input, [separator]| match (&input, &separator) {
            (Val::Str(text), Val::Str(separator)) => split(text, separator),
            _ => Err(Error::str(format!("cannot split {input} at {separator}: both have to be strings"))),
        })
    }),
    ("tonumber", 0, |cv| {
        bome(match cv.1 {
            Val::Num(num) => Ok(Val::Num(num)),
            Val::Str(text) => match spend(text.len() as u64 / 16).map(|()| Num::from_text(&text)) {
                Err(error) => Err(error),
                Ok(Some(num)) => Ok(Val::Num(num)),
                Ok(None) => Err(unfit(&Val::Str(text), "a number")),
            },
            value => Err(unfit(&value, "a number")),
        })
    }),
    ("toboolean", 0, |cv| {
        bome(match (&cv.1, cv.1.as_str()) {
            (Val::Bool(bool), _) => Ok(Val::Bool(*bool)),
            (_, Some("true")) => Ok(Val::Bool(true)),
            (_, Some("false")) => Ok(Val::Bool(false)),
            (value, _) => Err(unfit(value, "a boolean")),
        })
    }),
];

/// What has to be a string, and is looked at as a whole.
fn text(value: &Val) -> Result<&str, Error> {
    let text = value.as_str().ok_or_else(|| Error::typ(value.clone(), "string"))?;
    spend(1 + text.len() as u64 / 64)?;
    Ok(text)
}

fn explode(text: &str) -> ValR {
    spend(text.len() as u64 / 16)?;
    Ok(text.chars().map(|character| Val::int(u32::from(character).into())).collect())
}

/// Without a prefix, a suffix; what is no string stays as it is.
fn trimmed(value: Val, part: &Val, start: bool, end: bool) -> Val {
    let (Some(text), Some(part)) = (value.as_str(), part.as_str()) else { return value };
    limits::take(1 + part.len() as u64 / 64);
    let rest = text.strip_prefix(part).filter(|_| start).unwrap_or(text);
    let rest = rest.strip_suffix(part).filter(|_| end).unwrap_or(rest);
    if rest.len() == text.len() { value } else { Val::str(rest) }
}

fn implode(value: &Val) -> ValR {
    let Val::Arr(codes) = value else { return Err(unfit(value, "an array of code points")) };
    let character = |code: &Val| match code {
        // What is none, such as half of a surrogate pair, is shown as such. The cast saturates.
        Val::Num(num) if !num.is_nan() => {
            let code = u32::try_from(num.as_f64() as i64).ok().and_then(char::from_u32);
            Ok(code.unwrap_or(char::REPLACEMENT_CHARACTER))
        }
        code => Err(unfit(code, "a code point")),
    };
    spend(codes.len() as u64)?;
    codes.iter().map(character).collect::<Result<String, _>>().map(Val::str)
}

/// Numbers and booleans as they are written, nulls as nothing.
fn join(value: &Val, separator: &Val) -> ValR {
    let Val::Arr(items) = value else { return Err(unfit(value, "an array")) };
    let Some(separator) = separator.as_str().or(items.is_empty().then_some("")) else {
        return Err(unfit(separator, "a string to join with"));
    };
    spend(items.len() as u64)?;
    let mut joined = String::new();
    for (index, item) in items.iter().enumerate() {
        let item = match item {
            Val::Null => Rc::new(Text::from(String::new())),
            Val::Arr(_) | Val::Obj(_) => return Err(Error::str(format!("cannot join {item}"))),
            item => item.to_text()?,
        };
        let separator = if index > 0 { separator } else { "" };
        if joined.len() + separator.len() + item.len() > MAX_STRING_BYTES {
            return Err(beyond(Limit::String));
        }
        spend((separator.len() + item.len()) as u64 / 64)?;
        joined += separator;
        joined += &item;
    }
    Ok(Val::str(joined))
}

pub(super) fn from_json(value: &Val) -> ValR {
    let Some(text) = value.as_str() else { return Err(unfit(value, "a string of JSON")) };
    spend(text.len() as u64)?;
    read::one(text.as_bytes()).map_err(|error| match error {
        ReadError::Syntax(error) => Error::str(format!("{value} is {error}")),
        ReadError::Depth(_) => beyond(Limit::Depth),
        ReadError::Size(_) | ReadError::Long => beyond(Limit::Items),
    })
}
