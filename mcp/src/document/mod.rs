//! Configuration files as values that know their ranges in the text: JSON, with comments and
//! trailing commas, TOML and YAML.
//!
//! Two modules need the ranges: `config` names lines in its errors, and `install` changes some
//! bytes of another program's file and keeps all others.

mod json;
mod toml;
mod yaml;

use std::fmt;
use std::ops::Range;

/// A byte order mark, with which some editors begin a file.
const BYTE_ORDER_MARK: &str = "\u{feff}";

/// The format of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// JSON, in which comments and trailing commas are allowed.
    Json,
    /// TOML.
    Toml,
    /// YAML, one document.
    Yaml,
}

/// A value and its range in the text.
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    /// The value.
    pub value: Value,
    /// The bytes of the value, quotes and brackets included. For a table of TOML that is not
    /// written in braces, some part of its header. For a table or list of YAML that is not in
    /// brackets, the bytes from its first key or element to the end of its last value; for a
    /// block scalar, its lines without the header.
    pub span: Range<usize>,
}

/// A value.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// JSON's null.
    Null,
    /// True or false.
    Bool(bool),
    /// A number, in decimal.
    Number(String),
    /// A string.
    Text(String),
    /// A date or time of TOML.
    Date,
    /// An array.
    List(Vec<Node>),
    /// An object or a table, in the order of the text.
    Table(Vec<Member>),
}

/// A member of a table.
#[derive(Clone, Debug, PartialEq)]
pub struct Member {
    /// The key.
    pub key: String,
    /// The bytes of the key, quotes included. For a dotted key, the bytes of its last part.
    pub key_span: Range<usize>,
    /// The value.
    pub node: Node,
}

/// The reason why a text cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Malformed {
    /// The line, from 1.
    pub line: usize,
    /// The mistake on this line.
    pub message: String,
}

impl fmt::Display for Malformed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.message)
    }
}

impl Format {
    /// Returns the format of a text that is JSON or TOML: JSON begins with a brace or with a
    /// comment in the style of JSON. TOML can begin with neither.
    pub fn of(text: &str) -> Self {
        let start = text.trim_start_matches(BYTE_ORDER_MARK).trim_start();
        match start.starts_with(['{', '/']) {
            true => Format::Json,
            false => Format::Toml,
        }
    }

    /// Reads a text. A text without any value is an empty table.
    pub fn parse(self, text: &str) -> Result<Node, Malformed> {
        let inner = text.strip_prefix(BYTE_ORDER_MARK).unwrap_or(text);
        let shift = text.len() - inner.len();
        match self {
            Format::Json => json::parse(inner, shift),
            Format::Toml => toml::parse(inner, shift),
            Format::Yaml => yaml::parse(inner, shift),
        }
    }
}

/// Returns the line of a byte, from 1.
pub fn line_of(text: &str, at: usize) -> usize {
    1 + text.as_bytes()[..at.min(text.len())].iter().filter(|&&byte| byte == b'\n').count()
}

impl Node {
    /// Returns the text of a string.
    pub fn text(&self) -> Option<&str> {
        match &self.value {
            Value::Text(text) => Some(text),
            _ => None,
        }
    }

    /// Returns the elements of a list.
    pub fn list(&self) -> Option<&[Node]> {
        match &self.value {
            Value::List(elements) => Some(elements),
            _ => None,
        }
    }

    /// Returns the members of a table.
    pub fn table(&self) -> Option<&[Member]> {
        match &self.value {
            Value::Table(members) => Some(members),
            _ => None,
        }
    }

    /// Returns a member of a table.
    pub fn member(&self, key: &str) -> Option<&Member> {
        self.table()?.iter().find(|member| member.key == key)
    }

    /// Returns the value as JSON. Dates, and numbers that JSON cannot represent, become null.
    pub fn to_json(&self) -> serde_json::Value {
        use serde_json::Value as Json;
        match &self.value {
            Value::Null | Value::Date => Json::Null,
            Value::Bool(bool) => Json::Bool(*bool),
            Value::Number(number) => serde_json::from_str(number).unwrap_or(Json::Null),
            Value::Text(text) => Json::String(text.clone()),
            Value::List(elements) => elements.iter().map(Node::to_json).collect(),
            Value::Table(members) => {
                members.iter().map(|member| (member.key.clone(), member.node.to_json())).collect()
            }
        }
    }

    /// Returns the kind of the value with its article, for messages.
    pub fn kind(&self) -> &'static str {
        match &self.value {
            Value::Null => "null",
            Value::Bool(_) => "true or false",
            Value::Number(_) => "a number",
            Value::Text(_) => "a string",
            Value::Date => "a date",
            Value::List(_) => "a list",
            Value::Table(_) => "a table",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Collects the texts of all keys and values that are not tables.
    fn leaves<'a>(text: &'a str, node: &Node, out: &mut Vec<(String, &'a str, &'a str)>) {
        for member in node.table().unwrap_or_default() {
            let key = &text[member.key_span.clone()];
            match member.node.table() {
                Some(_) => leaves(text, &member.node, out),
                None => out.push((member.key.clone(), key, &text[member.node.span.clone()])),
            }
        }
    }

    #[test]
    fn ranges_are_those_of_the_tokens() {
        let json =
            "\u{feff}{ // servers\n \"a\\u0062\": [1, \"é\",], \"c\": { \"d\" : null /* none */ }, }\n";
        let toml = "\u{feff}# servers\r\n[x.\"a b\"]\r\nab = [ 1, 'é', ] # list\r\nc.d = true\r\n";
        let mut found = Vec::new();
        leaves(json, &Format::Json.parse(json).unwrap(), &mut found);
        assert_eq!(
            found,
            [("ab".to_owned(), "\"a\\u0062\"", "[1, \"é\",]"), ("d".to_owned(), "\"d\"", "null")]
        );
        found.clear();
        leaves(toml, &Format::Toml.parse(toml).unwrap(), &mut found);
        assert_eq!(found, [("ab".to_owned(), "ab", "[ 1, 'é', ]"), ("d".to_owned(), "d", "true")]);
    }

    #[test]
    fn formats_are_detected_by_content() {
        for json in ["{}", "\u{feff} \n{\"a\": 1}", "// c\n{}", "/* c */ {}"] {
            assert_eq!(Format::of(json), Format::Json, "{json}");
        }
        for toml in ["", "# c\na = 1", "a = 1", "[servers.x]\n", "[[tools]] # c\n", "[\"a b\".c]"] {
            assert_eq!(Format::of(toml), Format::Toml, "{toml}");
        }
    }

    #[test]
    fn members_are_in_the_order_of_the_text() {
        let toml = "[servers.z]\ncommand = 'a'\n[servers.a]\ncommand = 'b'\n[servers.m]\ncommand = 'c'\n";
        let root = Format::Toml.parse(toml).unwrap();
        let servers = root.member("servers").unwrap().node.table().unwrap();
        assert_eq!(servers.iter().map(|member| &*member.key).collect::<Vec<_>>(), ["z", "a", "m"]);
    }

    #[test]
    fn numbers_are_decimal() {
        let root = Format::Toml.parse("a = 0xff\nb = 1_000\nc = 0.5\nd = inf\ne = 1979-05-27\n").unwrap();
        assert_eq!(root.to_json(), serde_json::json!({"a": 255, "b": 1000, "c": 0.5, "d": null, "e": null}));
    }

    #[test]
    fn errors_name_the_line() {
        let error = |format: Format, text: &str| format.parse(text).unwrap_err().to_string();
        assert_eq!(
            error(Format::Toml, "a = 1\nb = \n"),
            "line 2: string values must be quoted, expected literal string"
        );
        assert!(error(Format::Json, "{\n \"a\": }").starts_with("line 2: "));
        assert!(error(Format::Json, "{\"a\": 1} {").starts_with("line 1: "));
        assert!(error(Format::Json, "{'a': 1}").starts_with("line 1: "));
        assert!(error(Format::Json, &"[".repeat(100_000)).starts_with("line 1: "));
        assert!(error(Format::Toml, &format!("a = {}", "[".repeat(100_000))).starts_with("line 1: "));
    }

    #[test]
    fn a_text_without_a_value_is_an_empty_table() {
        for (format, text) in
            [(Format::Json, ""), (Format::Json, "// c\n"), (Format::Toml, ""), (Format::Toml, "# c")]
        {
            assert_eq!(format.parse(text).unwrap().table(), Some(&[][..]), "{text}");
        }
    }
}
