//! Detects elements and documents that report an error, which must not be lost when their
//! array is cut.

use std::ops::Range;

use crate::line::level;

use super::children::Child;
use crate::line::error::looks_like_error;
use crate::line::word::explains;
use tuckaway_json::scan::{Scanner, TokenKind};
use tuckaway_search::find;

/// Bytes of an array that are searched.
const SEARCHED_BYTES: usize = 4 << 20;
/// Bytes of a string that are searched.
const STRING_BYTES: usize = 1_024;
/// Keys of levels.
const LEVEL_KEYS: [&[u8]; 6] = [b"level", b"severity", b"lvl", b"levelname", b"log_level", b"loglevel"];

/// Returns the indices of the children in a range that report an error.
pub fn among<'c>(children: &'c [Child<'_>], range: Range<usize>) -> impl Iterator<Item = usize> + 'c {
    let mut left = SEARCHED_BYTES;
    let mut is_searched = move |index: &usize| {
        let bytes = children[*index].text.len();
        let is_searched = bytes <= left;
        left = left.saturating_sub(bytes);
        is_searched
    };
    range.take_while(move |index| is_searched(index)).filter(|&index| reports_error(children[index].text))
}

/// Returns whether a record reports an error: by a string that looks like one, by a level,
/// or by a value that is not empty under a key such as `error`.
fn reports_error(text: &str) -> bool {
    if !text.starts_with('{') {
        return false;
    }
    let mut scanner = Scanner::new(text.as_bytes());
    let mut key: &[u8] = b"";
    let mut opened = false;
    while let Ok(Some(token)) = scanner.next_token() {
        let bytes = &text.as_bytes()[token.start as usize..token.end as usize];
        let inside = || &bytes[1..bytes.len() - 1];
        let of_error = || looks_like_error(key);
        let is_report = match token.kind {
            TokenKind::Key => {
                // The value under `error` has a member, so it is not empty.
                let is_report = opened && of_error();
                key = inside();
                is_report
            }
            TokenKind::String => {
                let text = &inside()[..inside().len().min(STRING_BYTES)];
                let is_level = LEVEL_KEYS.iter().any(|level| key.eq_ignore_ascii_case(level));
                let is_error = || level::of_word(text).is_some_and(|(level, _)| level.is_error());
                // `go test -json` names the result of a test so, and its message by the file.
                let is_failed = || key == b"Action" && matches!(text, b"fail" | b"build-fail");
                let is_message =
                    || key == b"Output" && find::text(b"_test.go:", text).is_some() && explains(text);
                is_level && is_error()
                    || is_failed()
                    || is_message()
                    || looks_like_error(text)
                    || !text.is_empty() && of_error()
            }
            TokenKind::ObjectEnd => {
                key = b"";
                false
            }
            TokenKind::True => of_error(),
            TokenKind::Integer => bytes != b"0" && of_error(),
            _ => false,
        };
        if is_report {
            return true;
        }
        opened = token.kind.opens();
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

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
            assert_eq!(reports_error(record), expected, "{record}");
        }
    }
}
