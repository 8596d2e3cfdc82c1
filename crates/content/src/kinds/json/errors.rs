//! Detects elements, documents and members that report an error, which must not be lost
//! when their container is cut.

use std::ops::Range;

use crate::line::level;

use super::children::Container;
use super::document::Document;
use crate::line::error::looks_like_error;
use crate::runs;
use tuckaway_json::scan::{Scanner, TokenKind};
use tuckaway_json::spans::{Child, Span};
use tuckaway_search::find;

/// Bytes of an array that are searched.
const SEARCHED_BYTES: usize = 4 << 20;
/// Bytes of a string that are searched.
const STRING_BYTES: usize = 1_024;
/// Keys of levels; each has one of the words that records are searched for first.
const LEVEL_KEYS: [&[u8]; 6] = [b"level", b"severity", b"lvl", b"levelname", b"log_level", b"loglevel"];

/// Keys of members that state a result.
const RESULT_KEYS: [&[u8]; 4] = [b"status", b"state", b"conclusion", b"exit_code"];
/// Parts of keys of errors, such as `failure_code` and `lastError`.
const ERROR_KEYS: [&[u8]; 3] = [b"error", b"fail", b"exception"];

/// Returns the indices of the children in a range that report an error.
pub fn among<'c>(container: &'c Container<'_>, range: Range<usize>) -> impl Iterator<Item = usize> + 'c {
    let (document, children) = (container.document, &container.children[..range.end]);
    let start = children.get(range.start).map_or(0, |child| child.value.start);
    let mut next = range.start;
    let reports = |index: usize| match children[index] {
        Child { key: Some(key), value } => member_reports(document, key, value),
        Child { key: None, value } => reports_error(document, value),
    };
    std::iter::from_fn(move || {
        loop {
            let index = match children.get(next)?.key {
                Some(_) => next,
                // Most records report none, and are not inspected.
                None => document.next_that_may_report(children, next)?,
            };
            if children[index].value.end - start > SEARCHED_BYTES {
                return None;
            }
            next = index + 1;
            if reports(index) {
                return Some(index);
            }
        }
    })
}

/// Returns whether a member of an object has a result, or an error: by its key, or by a
/// string that looks like an error.
fn member_reports(document: &Document<'_>, key: Span, value: Span) -> bool {
    let bytes = document.text.as_bytes();
    let value_bytes = &bytes[value.range()];
    if matches!(value_bytes, b"null" | b"false" | b"0" | b"\"\"" | b"[]" | b"{}") {
        return false;
    }
    let name = bytes[key.start + 1..key.end - 1].to_ascii_lowercase();
    let is_string = value_bytes[0] == b'"' && value_bytes.len() <= STRING_BYTES;
    RESULT_KEYS.contains(&&*name)
        || LEVEL_KEYS.contains(&&*name)
        || ERROR_KEYS.iter().any(|part| find::text(part, &name).is_some())
        || is_string && is_of_error(document, value)
}

/// Returns whether a record reports an error: by a string that looks like one, by a level,
/// or by a value that is not empty under a key such as `error`.
fn reports_error(document: &Document<'_>, record: Span) -> bool {
    let text = &document.text[record.range()];
    if !text.starts_with('{') {
        return false;
    }
    let mut scanner = Scanner::new(text.as_bytes());
    let mut key = Span { start: 0, end: 0 };
    let mut opened = false;
    while let Ok(Some(token)) = scanner.next_token() {
        let of_error = || is_of_error(document, key);
        let inside = || Span {
            start: record.start + token.start as usize + 1,
            end: record.start + token.end as usize - 1,
        };
        let is_report = match token.kind {
            TokenKind::Key => {
                // The value under `error` has a member, so it is not empty.
                let is_report = opened && of_error();
                key = inside();
                is_report
            }
            TokenKind::String => {
                let string = inside();
                let head = Span { end: string.end.min(string.start + STRING_BYTES), ..string };
                is_error_level(document, key, head)
                    || is_failure(document, key, head)
                    || is_of_error(document, head)
                    || string.len() > 0 && of_error()
            }
            TokenKind::ObjectEnd => {
                key = Span { start: 0, end: 0 };
                false
            }
            TokenKind::True => of_error(),
            TokenKind::Integer => {
                &text.as_bytes()[token.start as usize..token.end as usize] != b"0" && of_error()
            }
            _ => false,
        };
        if is_report {
            return true;
        }
        opened = token.kind.opens();
    }
    false
}

/// Returns whether a key or a string looks like an error.
fn is_of_error(document: &Document<'_>, part: Span) -> bool {
    document.may_report_error(part) && looks_like_error(&document.text.as_bytes()[part.range()])
}

/// Returns whether a key is that of levels, and its value the level of an error.
fn is_error_level(document: &Document<'_>, key: Span, value: Span) -> bool {
    let bytes = document.text.as_bytes();
    let is_level = || LEVEL_KEYS.iter().any(|level| bytes[key.range()].eq_ignore_ascii_case(level));
    document.may_report_error(key)
        && is_level()
        && level::of_word(&bytes[value.range()]).is_some_and(|(level, _)| level.is_error())
}

/// Returns whether a member reports that a test failed, or the reason, in the form of a
/// tool's report.
fn is_failure(document: &Document<'_>, key: Span, value: Span) -> bool {
    let bytes = document.text.as_bytes();
    let quoted = Span { start: value.start - 1, end: value.end + 1 };
    document.may_report_error(quoted) && runs::is_failure(&bytes[key.range()], &bytes[value.range()])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::inspect::Table;
    use crate::truncate::lines::Values;
    use tuckaway_json::spans::Spans;

    #[test]
    fn records_report_errors_by_level_text_or_key() {
        for (record, expected) in [
            (r#"{"level": "ERROR", "msg": "x"}"#, true),
            (r#"{"severity": "fatal", "msg": "x"}"#, true),
            (r#"{"msg": "payment failed", "n": 1}"#, true),
            (r#"{"id": 1, "error": {"kind": "timeout"}}"#, true),
            (r#"{"id": 1, "error": "timeout"}"#, true),
            (r#"{"failed": true}"#, true),
            (r#"{"errors": 3}"#, true),
            (r#"{"level": "info", "msg": "x"}"#, false),
            (r#"{"id": 1, "error": null, "errors": [], "failed": false, "error_count": 0}"#, false),
            (r#"{"id": 1, "error": "", "error_info": {}}"#, false),
            (r#"{"id": 1, "name": "mirror"}"#, false),
            (r#"{"rows": [{"error": null}, "x"]}"#, false),
            (r#""error""#, false),
            ("[1]", false),
        ] {
            let values = Values::at(Spans::of(record, 1));
            let document = Document { text: record, values: &values, nested: &Table };
            let value = values.spans.documents()[0].value;
            let reports = document.may_report_error(value) && reports_error(&document, value);
            assert_eq!(reports, expected, "{record}");
        }
    }
}
