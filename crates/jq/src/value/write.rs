//! Writes values as JSON, to a writer that may refuse more.

use std::fmt;

use super::Val;
use crate::limits;

/// How values are written.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Layout {
    OneLine,
    /// Indented by two spaces, as in jq.
    Indented,
}

/// Writes a value. Fails as soon as `out` does, or the steps run out. Recursion is as deep as the
/// value.
pub(crate) fn value(value: &Val, layout: Layout, out: &mut dyn fmt::Write) -> fmt::Result {
    indented(value, (layout == Layout::Indented).then_some(0), out)
}

/// Writes a value that is indented by this many levels, or not at all.
fn indented(value: &Val, level: Option<usize>, out: &mut dyn fmt::Write) -> fmt::Result {
    charge(match value {
        Val::Num(num) => num.steps_to_write(),
        Val::Str(text) => 1 + text.len() as u64 / 4,
        _ => 1,
    })?;
    match value {
        Val::Null => out.write_str("null"),
        Val::Bool(true) => out.write_str("true"),
        Val::Bool(false) => out.write_str("false"),
        Val::Num(num) => num.write(out),
        Val::Str(text) => string(text, out),
        Val::Arr(arr) if arr.is_empty() => out.write_str("[]"),
        Val::Arr(arr) => {
            let inner = level.map(|level| level + 1);
            out.write_str("[")?;
            for (index, item) in arr.iter().enumerate() {
                out.write_str(if index > 0 { "," } else { "" })?;
                new_line(inner, out)?;
                indented(item, inner, out)?;
            }
            new_line(level, out)?;
            out.write_str("]")
        }
        Val::Obj(obj) if obj.is_empty() => out.write_str("{}"),
        Val::Obj(obj) => {
            let inner = level.map(|level| level + 1);
            out.write_str("{")?;
            for (index, (key, item)) in obj.iter().enumerate() {
                out.write_str(if index > 0 { "," } else { "" })?;
                new_line(inner, out)?;
                charge(1 + key.len() as u64 / 4)?;
                string(key, out)?;
                out.write_str(if level.is_some() { ": " } else { ":" })?;
                indented(item, inner, out)?;
            }
            new_line(level, out)?;
            out.write_str("}")
        }
    }
}

/// Charges steps, and fails if they run out.
fn charge(steps: u64) -> fmt::Result {
    if limits::charge(steps) { Ok(()) } else { Err(fmt::Error) }
}

/// Starts a line, if the value is indented.
fn new_line(level: Option<usize>, out: &mut dyn fmt::Write) -> fmt::Result {
    let Some(level) = level else { return Ok(()) };
    out.write_str("\n")?;
    charge(level as u64 / 8)?;
    (0..level).try_for_each(|_| out.write_str("  "))
}

/// Writes a string with quotes and escapes. Charges no steps.
pub(crate) fn string(text: &str, out: &mut dyn fmt::Write) -> fmt::Result {
    out.write_str("\"")?;
    let mut plain = 0;
    for (at, byte) in text.bytes().enumerate() {
        let escape = match byte {
            b'"' => "\\\"",
            b'\\' => "\\\\",
            b'\n' => "\\n",
            b'\r' => "\\r",
            b'\t' => "\\t",
            0x08 => "\\b",
            0x0C => "\\f",
            0x00..0x20 | 0x7F => "",
            _ => continue,
        };
        if plain < at {
            out.write_str(&text[plain..at])?;
        }
        match escape {
            "" => {
                const DIGITS: &[u8; 16] = b"0123456789abcdef";
                let digit = |half: u8| DIGITS[usize::from(half)];
                let code = [b'\\', b'u', b'0', b'0', digit(byte >> 4), digit(byte & 15)];
                out.write_str(str::from_utf8(&code).unwrap_or_default())?;
            }
            _ => out.write_str(escape)?,
        }
        plain = at + 1;
    }
    out.write_str(&text[plain..])?;
    out.write_str("\"")
}

/// A string of bounded length. Writing more fills it and fails.
pub(crate) struct Bounded {
    pub(crate) text: String,
    max_bytes: usize,
}

impl Bounded {
    /// Creates an empty string of at most this many bytes.
    pub(crate) fn up_to(max_bytes: usize) -> Self {
        Bounded { text: String::new(), max_bytes }
    }
}

impl fmt::Write for Bounded {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        let head = &text[..text.floor_char_boundary(self.max_bytes - self.text.len())];
        self.text.push_str(head);
        if head.len() == text.len() { Ok(()) } else { Err(fmt::Error) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read;

    fn written(json: &str, layout: Layout) -> String {
        let mut text = Bounded::up_to(1_000);
        value(&read::parse(json.as_bytes()).unwrap(), layout, &mut text).unwrap();
        text.text
    }

    #[test]
    fn values_are_written_as_in_jq() {
        let json = r#"{"a":[1,2.50,{}],"b":{"c":[],"d":"x\"\n\u0001\u007f/é"}}"#;
        assert_eq!(written(json, Layout::OneLine), json);
        assert_eq!(
            written(json, Layout::Indented),
            "{\n  \"a\": [\n    1,\n    2.50,\n    {}\n  ],\n  \"b\": {\n    \"c\": [],\n    \"d\": \"x\\\"\\n\\u0001\\u007f/é\"\n  }\n}"
        );
    }
}
