//! YAML: one document, without aliases in the values that are read.

use std::ops::Range;

use granit_parser::{Event, Parser, ScalarStyle, ScanError, Span};

use super::{Malformed, Member, Node, Value};

/// The maximum depth of lists and tables.
const MAX_DEPTH: usize = 100;

/// Reads a text that begins `shift` bytes into its file.
pub fn parse(text: &str, shift: usize) -> Result<Node, Malformed> {
    let mut builder = Builder { text, shift, open: Vec::new(), root: None };
    for event in Parser::new_from_str(text) {
        let (event, span) = event.map_err(|error| malformed(&error))?;
        builder.event(event, span)?;
    }
    match builder.root {
        // A text without any value.
        None => Ok(Node { value: Value::Table(Vec::new()), span: shift..shift }),
        Some(Node { value: Value::Null, span }) => Ok(Node { value: Value::Table(Vec::new()), span }),
        Some(root) => Ok(root),
    }
}

fn malformed(error: &ScanError) -> Malformed {
    Malformed { line: error.marker().line(), message: error.info() }
}

/// A list or a table whose end has not been reached.
struct Open {
    start: usize,
    /// The elements of a list, or the keys and values of a table in turn.
    nodes: Vec<Node>,
}

struct Builder<'a> {
    text: &'a str,
    shift: usize,
    open: Vec<Open>,
    root: Option<Node>,
}

impl Builder<'_> {
    fn event(&mut self, event: Event<'_>, span: Span) -> Result<(), Malformed> {
        let bytes = span.byte_range().unwrap_or_default();
        let line = span.start.line();
        match event {
            Event::DocumentStart(..) if self.root.is_some() => {
                return Err(Malformed { line, message: "the file has more than one document".to_owned() });
            }
            Event::Scalar(text, style, ..) => {
                let span = self.trimmed(bytes);
                self.close(Node { value: scalar(&text, style), span });
            }
            // The value is somewhere else, so it cannot be read or changed here.
            Event::Alias(_) => self.close(Node { value: Value::Null, span: self.trimmed(bytes) }),
            Event::SequenceStart(..) | Event::MappingStart(..) => {
                if self.open.len() == MAX_DEPTH {
                    return Err(Malformed { line, message: "the nesting is too deep".to_owned() });
                }
                self.open.push(Open { start: bytes.start, nodes: Vec::new() });
            }
            Event::SequenceEnd => self.end(bytes, Value::List),
            Event::MappingEnd => {
                self.end(bytes, |nodes| Value::Table(members(nodes)));
            }
            _ => {}
        }
        Ok(())
    }

    /// Ends a list or a table. If it is in brackets, `end` is the closing bracket.
    fn end(&mut self, end: Range<usize>, value: impl FnOnce(Vec<Node>) -> Value) {
        let Some(Open { start, nodes }) = self.open.pop() else { return };
        let is_in_brackets = self.text[start..].starts_with(['{', '[']);
        let span = match (nodes.first(), nodes.last()) {
            (Some(first), Some(last)) if !is_in_brackets => first.span.start..last.span.end,
            _ => start + self.shift..end.end + self.shift,
        };
        self.close(Node { value: value(nodes), span });
    }

    /// Adds a node to the list or table that contains it.
    fn close(&mut self, node: Node) {
        match self.open.last_mut() {
            Some(open) => open.nodes.push(node),
            None => self.root = Some(node),
        }
    }

    /// Returns a range of the file without the white space at its end.
    fn trimmed(&self, bytes: Range<usize>) -> Range<usize> {
        let length = self.text.get(bytes.clone()).map_or(0, |text| text.trim_end().len());
        bytes.start + self.shift..bytes.start + length + self.shift
    }
}

/// Joins the keys and values of a table. Keys that are not scalars are omitted with their values.
fn members(nodes: Vec<Node>) -> Vec<Member> {
    let mut members = Vec::new();
    let mut nodes = nodes.into_iter();
    while let (Some(key), Some(node)) = (nodes.next(), nodes.next()) {
        let name = match key.value {
            Value::Text(text) => text,
            Value::Number(number) => number,
            Value::Bool(bool) => bool.to_string(),
            _ => continue,
        };
        members.push(Member { key: name, key_span: key.span, node });
    }
    members
}

/// Returns the value of a scalar by the core schema of YAML 1.2.
fn scalar(text: &str, style: ScalarStyle) -> Value {
    match text {
        _ if style != ScalarStyle::Plain => Value::Text(text.to_owned()),
        "" | "~" | "null" | "Null" | "NULL" => Value::Null,
        "true" | "True" | "TRUE" => Value::Bool(true),
        "false" | "False" | "FALSE" => Value::Bool(false),
        _ if text.parse::<i64>().is_ok() => Value::Number(text.to_owned()),
        _ if text.starts_with(|c: char| c.is_ascii_digit() || "+-.".contains(c))
            && text.parse::<f64>().is_ok() =>
        {
            Value::Number(text.to_owned())
        }
        _ => Value::Text(text.to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::Format;

    const TEXT: &str = "\u{feff}# größe\nextensions:\n  git: # mine\n    cmd: uvx   # ü\n    args:\n      - -y\n      - \"a: b\"\n    \
        envs: {A: 'x', }\n    timeout: 300\n    enabled: true\n    note: |\n      one\n      two\n\n  # next\n  'a b': {}\nlast: [1, ~]\n";

    #[test]
    fn ranges_are_those_of_the_tokens() {
        let root = Format::Yaml.parse(TEXT).unwrap();
        let extensions = &root.member("extensions").unwrap().node;
        let git = extensions.member("git").unwrap();
        let raw = |node: &Node| &TEXT[node.span.clone()];
        let at = |key: &str| raw(&git.node.member(key).unwrap().node);
        assert_eq!(&TEXT[git.key_span.clone()], "git");
        assert_eq!((at("cmd"), at("envs"), at("timeout")), ("uvx", "{A: 'x', }", "300"));
        assert_eq!(at("note"), "one\n      two");
        let args = &git.node.member("args").unwrap().node;
        assert_eq!(raw(args), "-y\n      - \"a: b\"");
        assert_eq!(args.list().unwrap().iter().map(raw).collect::<Vec<_>>(), ["-y", "\"a: b\""]);
        assert!(raw(&git.node).starts_with("cmd: uvx") && raw(&git.node).ends_with("two"));
        assert_eq!(&TEXT[extensions.member("a b").unwrap().key_span.clone()], "'a b'");
        assert_eq!(raw(&root.member("last").unwrap().node), "[1, ~]");
    }

    #[test]
    fn values_have_the_types_of_the_core_schema() {
        let root = Format::Yaml
            .parse("a: 1\nb: -1.5\nc: yes\nd: 'true'\ne: true\nf: null\ng:\nh: inf\n1: x\n")
            .unwrap();
        let expected = serde_json::json!({"a": 1, "b": -1.5, "c": "yes", "d": "true", "e": true, "f": null, "g": null, "h": "inf", "1": "x"});
        assert_eq!(root.to_json(), expected);
    }

    #[test]
    fn hostile_texts_are_errors_or_values() {
        let error = |text: &str| Format::Yaml.parse(text).unwrap_err().to_string();
        assert!(error("a: 1\nb: [1").starts_with("line "));
        assert!(error("a: *b\n").starts_with("line 1: "));
        assert_eq!(error("a: 1\n---\nb: 2\n"), "line 2: the file has more than one document");
        assert!(error(&"[".repeat(100_000)).starts_with("line 1: "));
        assert!(error(&"- ".repeat(100_000)).starts_with("line 1: "));
        for text in ["", "# c\n", "---\n", "~"] {
            assert_eq!(Format::Yaml.parse(text).unwrap().table(), Some(&[][..]), "{text}");
        }
        let alias = Format::Yaml.parse("a: &x uvx\nb: *x\n? [k]\n: v\n").unwrap();
        assert_eq!(alias.to_json(), serde_json::json!({"a": "uvx", "b": null}));
    }
}
