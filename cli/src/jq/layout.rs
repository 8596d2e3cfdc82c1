//! The layouts of jq that the engine does not write itself: colours, indents, sorted keys, ASCII. The
//! engine prints each output as one compact line, and these lines are laid out here.

use std::io::{self, Write};

use crate::color;

/// How values are laid out.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Layout {
    /// The text of one level of indentation; `None` for one line.
    pub indent: Option<String>,
    /// Sorts the keys of objects.
    pub sort_keys: bool,
    /// Escapes all characters that are not ASCII.
    pub ascii: bool,
    /// Colours the values.
    pub color: bool,
    /// Prints strings without quotes.
    pub raw: bool,
    /// Prints nothing between outputs.
    pub join: bool,
}

impl Layout {
    /// Writes one output, which is compact JSON.
    pub fn write(&self, json: &str, out: &mut impl Write) -> io::Result<()> {
        let text = match self.raw && json.starts_with('"') {
            true => serde_json::from_str::<String>(json).ok(),
            false => None,
        };
        let text = match text {
            Some(text) => text,
            None => {
                let value = Value::parse(json).ok_or_else(|| io::Error::other("the output is not JSON"))?;
                let mut text = String::with_capacity(json.len());
                self.value(&value, 0, &mut text);
                if self.color { color::json(&text) } else { text }
            }
        };
        match self.ascii {
            true => out.write_all(ascii(&text).as_bytes())?,
            false => out.write_all(text.as_bytes())?,
        }
        match self.join {
            true => Ok(()),
            false => out.write_all(b"\n"),
        }
    }

    fn value(&self, value: &Value, level: usize, text: &mut String) {
        match value {
            Value::Scalar(scalar) => text.push_str(scalar),
            Value::Array(elements) => {
                let members = elements.iter().map(|element| (None, element));
                self.container(['[', ']'], members, level, text);
            }
            Value::Object(members) => {
                let mut members: Vec<_> = members.iter().map(|(key, value)| (Some(*key), value)).collect();
                if self.sort_keys {
                    // As in jq, by code points: the order of bytes in UTF-8.
                    members.sort_by_cached_key(|(key, _)| {
                        key.and_then(|key| serde_json::from_str::<String>(key).ok())
                    });
                }
                self.container(['{', '}'], members.into_iter(), level, text);
            }
        }
    }

    fn container<'v>(
        &self,
        [open, close]: [char; 2],
        members: impl ExactSizeIterator<Item = (Option<&'v str>, &'v Value<'v>)>,
        level: usize,
        text: &mut String,
    ) {
        let is_empty = members.len() == 0;
        text.push(open);
        for (index, (key, value)) in members.enumerate() {
            if index > 0 {
                text.push(',');
            }
            self.line_break(level + 1, text);
            if let Some(key) = key {
                text.push_str(key);
                text.push_str(if self.indent.is_some() { ": " } else { ":" });
            }
            self.value(value, level + 1, text);
        }
        if !is_empty {
            self.line_break(level, text);
        }
        text.push(close);
    }

    fn line_break(&self, level: usize, text: &mut String) {
        if let Some(indent) = &self.indent {
            text.push('\n');
            (0..level).for_each(|_| text.push_str(indent));
        }
    }
}

/// Escapes non-ASCII characters as UTF-16 code units, as JSON does.
fn ascii(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    let mut units = [0; 2];
    for c in text.chars() {
        match c.is_ascii() {
            true => escaped.push(c),
            false => c.encode_utf16(&mut units).iter().for_each(|unit| escaped += &format!("\\u{unit:04x}")),
        }
    }
    escaped
}

/// A value of compact JSON, whose scalars and keys are written unchanged. Unlike the values of
/// serde_json, it keeps the digits of numbers.
enum Value<'t> {
    Scalar(&'t str),
    Array(Vec<Value<'t>>),
    Object(Vec<(&'t str, Value<'t>)>),
}

impl<'t> Value<'t> {
    fn parse(json: &'t str) -> Option<Self> {
        let mut rest = json;
        let value = Value::next(&mut rest)?;
        rest.is_empty().then_some(value)
    }

    /// Takes a value from the beginning. The engine bounds how deep values nest.
    fn next(rest: &mut &'t str) -> Option<Self> {
        match rest.as_bytes().first()? {
            b'[' => {
                let mut elements = Vec::new();
                while take_separator(rest, &elements, ']')? {
                    elements.push(Value::next(rest)?);
                }
                Some(Value::Array(elements))
            }
            b'{' => {
                let mut members = Vec::new();
                while take_separator(rest, &members, '}')? {
                    let key = take_scalar(rest)?;
                    *rest = rest.strip_prefix(':')?;
                    members.push((key, Value::next(rest)?));
                }
                Some(Value::Object(members))
            }
            _ => Some(Value::Scalar(take_scalar(rest)?)),
        }
    }
}

/// Takes what precedes the next member, and returns whether there is one.
fn take_separator<T>(rest: &mut &str, members: &[T], close: char) -> Option<bool> {
    let is_first = members.is_empty();
    if is_first {
        *rest = rest.get(1..)?;
    }
    match rest.strip_prefix(close) {
        Some(after) => {
            *rest = after;
            Some(false)
        }
        None if is_first => Some(true),
        None => {
            *rest = rest.strip_prefix(',')?;
            Some(true)
        }
    }
}

/// Takes a string, a number or a literal.
fn take_scalar<'t>(rest: &mut &'t str) -> Option<&'t str> {
    let bytes = rest.as_bytes();
    let end = match bytes.first()? {
        b'"' => color::end_of_string(bytes)?,
        _ => bytes.iter().position(|byte| b",:]}".contains(byte)).unwrap_or(bytes.len()),
    };
    let (scalar, after) = rest.split_at_checked(end).filter(|(scalar, _)| !scalar.is_empty())?;
    *rest = after;
    Some(scalar)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn laid_out(layout: &Layout, json: &str) -> String {
        let mut out = Vec::new();
        layout.write(json, &mut out).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn values_are_indented_and_sorted() {
        let json = r#"{"b":[1.50,{}],"a\"":"x\\","A":[]}"#;
        let indented = Layout { indent: Some("\t".to_owned()), sort_keys: true, ..Layout::default() };
        let expected = "{\n\t\"A\": [],\n\t\"a\\\"\": \"x\\\\\",\n\t\"b\": [\n\t\t1.50,\n\t\t{}\n\t]\n}\n";
        assert_eq!(laid_out(&indented, json), expected);
        assert_eq!(laid_out(&Layout::default(), json), format!("{json}\n"));
    }

    #[test]
    fn strings_are_raw_ascii_or_joined() {
        let layout = |raw, ascii, join| Layout { raw, ascii, join, ..Layout::default() };
        assert_eq!(laid_out(&layout(true, false, false), r#""a\nb""#), "a\nb\n");
        assert_eq!(laid_out(&layout(true, true, true), "\"é\""), "\\u00e9");
        assert_eq!(laid_out(&layout(false, true, false), "[\"😀\"]"), "[\"\\ud83d\\ude00\"]\n");
    }

    #[test]
    fn raw_strings_have_no_colors() {
        let layout = Layout { color: true, raw: true, ..Layout::default() };
        assert_eq!(laid_out(&layout, "null"), "\u{1b}[1;30mnull\u{1b}[0m\n");
        assert_eq!(laid_out(&layout, "\"a\""), "a\n");
    }

    #[test]
    fn what_is_not_compact_json_is_an_error() {
        for text in ["", "[", "[1", "{\"a\"}", "[1]x", "\"a", "{\"a\":}", "[,1]"] {
            assert!(Layout::default().write(text, &mut Vec::new()).is_err(), "{text}");
        }
    }
}
