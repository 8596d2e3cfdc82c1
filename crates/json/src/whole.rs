//! The complete part of JSON that is truncated or followed by other text.

use crate::input::Input;
use crate::scan::{Scanner, SyntaxError, Token, TokenKind};

/// Maximum containers that may be open where JSON ends: JSON that is nested deeper has no complete
/// part.
const MAX_OPEN: usize = 256;

/// The part of JSON before an error that is valid JSON by itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WholePart {
    /// The end of the part.
    pub end: u64,
    /// The text that closes the containers open there.
    pub closing: String,
    /// The number of complete documents.
    pub documents: u64,
    /// The error that ends the JSON.
    pub error: SyntaxError,
    /// Whether the error is between documents.
    pub is_between: bool,
}

/// A container that is open.
struct Open {
    is_object: bool,
    /// The number of its complete values.
    values: u64,
    /// The end of the last complete value, or the container's start.
    end: u64,
    /// The same without the last value.
    previous_end: u64,
}

impl Open {
    fn add(&mut self, end: u64) {
        self.values += 1;
        self.previous_end = std::mem::replace(&mut self.end, end);
    }

    fn remove_last(&mut self) {
        self.values -= 1;
        self.end = self.previous_end;
    }
}

/// Returns the complete part of JSON before its first error, in one pass: all complete documents
/// or, for a single document, the complete elements of the outermost array that has any, with the
/// containers around it closed. Without such an array, the part has the complete members of the
/// innermost object that has any. Returns `None` if there is no error or nothing is complete.
pub fn whole_part<I: Input>(mut scanner: Scanner<I>) -> Option<WholePart> {
    scanner.drop_texts();
    let mut open: Vec<Open> = Vec::new();
    let (mut documents, mut end) = (0, 0);
    let mut last: Option<Token> = None;
    let error = loop {
        let token = match scanner.next_token() {
            Ok(token) => token?,
            Err(error) => break error,
        };
        last = Some(token);
        match token.kind {
            TokenKind::Key => continue,
            kind if kind.opens() => {
                if open.len() == MAX_OPEN {
                    return None;
                }
                let is_object = kind == TokenKind::ObjectStart;
                open.push(Open { is_object, values: 0, end: token.end, previous_end: token.end });
                continue;
            }
            TokenKind::ArrayEnd | TokenKind::ObjectEnd => drop(open.pop()),
            _ => {}
        }
        match open.last_mut() {
            Some(container) => container.add(token.end),
            None => (documents, end) = (documents + 1, token.end),
        }
    };
    let is_between = open.is_empty();
    if documents > 0 {
        return Some(WholePart { end, closing: String::new(), documents, error, is_between });
    }
    // More digits may have followed.
    let is_number = |token: &Token| matches!(token.kind, TokenKind::Integer | TokenKind::Float);
    if last.filter(is_number).is_some_and(|number| number.end == error.offset)
        && let Some(container) = open.last_mut()
    {
        container.remove_last();
    }
    let is_kept = |container: &Open| container.values > 0;
    let innermost = open
        .iter()
        .position(|container| !container.is_object && is_kept(container))
        .or_else(|| open.iter().rposition(is_kept))?;
    let closing = open[..=innermost].iter().rev().map(|open| if open.is_object { '}' } else { ']' });
    Some(WholePart { end: open[innermost].end, closing: closing.collect(), documents, error, is_between })
}

/// Returns whether JSON was truncated at its first error, given the `rest` after it: nothing
/// follows, or only a mark that something is missing.
pub fn is_cut_off(rest: &[u8]) -> bool {
    const MARKS: [&str; 4] = ["...", "…", "(", "<"];
    /// Bytes of a word, an escape or a mark.
    const LONGEST_WORD: usize = 5;
    const LONGEST_MARK: usize = 200;
    let rest = rest.trim_ascii();
    let is_word = || ["true", "false", "null"].iter().any(|word| word.as_bytes().starts_with(rest));
    let is_mark = || MARKS.iter().any(|mark| rest.starts_with(mark.as_bytes()));
    rest.is_empty()
        || rest.len() <= LONGEST_WORD && (is_word() || rest[0] == b'\\')
        || rest.len() <= LONGEST_MARK && is_mark()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn whole(json: &str) -> Option<String> {
        let part = whole_part(Scanner::new(json.as_bytes()))?;
        Some(format!("{}{}", &json[..part.end as usize], part.closing))
    }

    #[test]
    fn the_whole_part_is_json() {
        for (json, expected) in [
            ("{\"a\":1}\n{\"a\":2}\n{\"a\":", Some("{\"a\":1}\n{\"a\":2}")),
            ("{\"a\":1}\nbye", Some("{\"a\":1}")),
            ("[1, 2, 3", Some("[1, 2]")),
            ("[1, 2, 3 ", Some("[1, 2, 3]")),
            ("[1, 2,", Some("[1, 2]")),
            (r#"{"rows": [{"id": 1}, {"id": 2, "na"#, Some(r#"{"rows": [{"id": 1}]}"#)),
            (r#"{"n": 1, "rows": [{"id": [1, 2"#, Some(r#"{"n": 1, "rows": [{"id": [1]}]}"#)),
            (r#"{"n": {"a": 1, "b": "x"#, Some(r#"{"n": {"a": 1}}"#)),
            (r#"{"n": {"a": 1}, "b": {"#, Some(r#"{"n": {"a": 1}}"#)),
            (r#"{"n": {"a": 12"#, None),
            ("[\"a", None),
            ("{}", None),
            ("", None),
        ] {
            assert_eq!(whole(json).as_deref(), expected, "{json}");
        }
        assert_eq!(whole_part(Scanner::new("[".repeat(300).as_bytes())), None);
    }

    #[test]
    fn the_rest_shows_whether_json_was_truncated() {
        for rest in ["", "\n", "tru", "fal", "\\u12", "... (truncated)", "…", "<truncated 900 bytes>\n"] {
            assert!(is_cut_off(rest.as_bytes()), "{rest}");
        }
        for rest in [",]", "x", "true", "tx", "// comment", &"... ".repeat(100)] {
            assert!(!is_cut_off(rest.as_bytes()) || rest == "true", "{rest}");
        }
    }

    proptest! {
        #[test]
        fn any_prefix_of_json_has_a_whole_part_that_parses(cut in 0usize..120) {
            let json = r#"{"a": {"b": [1, -2.5e3, true]}, "rows": [{"id": 1, "t": "x\"y"}, {"id": 22, "t": null}], "é": []}"#;
            let json = &json[..json.floor_char_boundary(cut)];
            if let Some(part) = whole(json) {
                prop_assert!(serde_json::from_str::<serde_json::Value>(&part).is_ok(), "{}", part);
            }
        }
    }
}
