//! When output is coloured, and the colours of JSON.

use std::env;
use std::io::{self, IsTerminal};

use clap::ValueEnum;
use memchr::memchr;

/// The values of `--color`.
#[derive(Clone, Copy, Debug, Default, PartialEq, ValueEnum)]
pub enum When {
    /// On a terminal, unless NO_COLOR is set or the terminal has no colours.
    #[default]
    Auto,
    /// In pipes and files as well.
    Always,
    /// Nowhere.
    Never,
}

impl When {
    /// Returns whether standard output is coloured.
    pub fn is_on(self) -> bool {
        match self {
            When::Always => true,
            When::Never => false,
            When::Auto => io::stdout().is_terminal() && !is_refused(),
        }
    }
}

/// Returns whether the environment asks for no colours: <https://no-color.org>.
fn is_refused() -> bool {
    env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty())
        || env::var_os("TERM").is_some_and(|terminal| terminal == "dumb")
}

/// jq's colours, as the numbers of terminal sequences.
const NULL: &str = "1;30";
const NUMBER_OR_BOOLEAN: &str = "0;39";
const STRING: &str = "0;32";
const PUNCTUATION: &str = "1;39";
const KEY: &str = "34;1";

/// Colours JSON, and keeps its layout.
pub fn json(text: &str) -> String {
    let mut colored = String::with_capacity(2 * text.len());
    let mut rest = text;
    while let Some(&first) = rest.as_bytes().first() {
        let (length, color) = match first {
            b'"' => {
                let end = end_of_string(rest.as_bytes()).unwrap_or(rest.len());
                let is_key = rest[end..].trim_start().starts_with(':');
                (end, if is_key { KEY } else { STRING })
            }
            b'[' | b']' | b'{' | b'}' | b',' | b':' => (1, PUNCTUATION),
            b' ' | b'\t' | b'\r' | b'\n' => {
                colored.push(first.into());
                rest = &rest[1..];
                continue;
            }
            _ => {
                let end = rest.find([' ', '\t', '\r', '\n', ',', ':', '[', ']', '{', '}', '"']);
                (end.unwrap_or(rest.len()), if first == b'n' { NULL } else { NUMBER_OR_BOOLEAN })
            }
        };
        let (token, after) = rest.split_at(length);
        colored += &format!("\x1b[{color}m{token}\x1b[0m");
        rest = after;
    }
    colored
}

/// Returns where the string at the beginning ends, after its closing quote.
pub fn end_of_string(bytes: &[u8]) -> Option<usize> {
    let mut at = 1;
    loop {
        let quote = at + memchr(b'"', bytes.get(at..)?)?;
        let escapes = bytes[at..quote].iter().rev().take_while(|byte| **byte == b'\\').count();
        at = quote + 1;
        if escapes % 2 == 0 {
            return Some(at);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_token_has_its_color() {
        let colored = |color: &str, text: &str| format!("\x1b[{color}m{text}\x1b[0m");
        let expected = [
            colored(PUNCTUATION, "{"),
            colored(KEY, r#""a\"""#),
            colored(PUNCTUATION, ":"),
            " ".to_owned(),
            colored(PUNCTUATION, "["),
            colored(STRING, r#""é""#),
            colored(PUNCTUATION, ","),
            colored(NUMBER_OR_BOOLEAN, "1.50"),
            colored(PUNCTUATION, ","),
            colored(NULL, "null"),
            colored(PUNCTUATION, "]"),
            colored(PUNCTUATION, "}"),
        ];
        assert_eq!(json(r#"{"a\"": ["é",1.50,null]}"#), expected.concat());
    }

    #[test]
    fn any_text_is_kept() {
        for text in ["", "\"open", "\"a\\", "é{x", "\n\t "] {
            let plain = regex_lite::Regex::new("\x1b\\[[0-9;]*m").unwrap();
            assert_eq!(plain.replace_all(&json(text), ""), text);
        }
    }
}
