//! Elements and documents that tell of an error: what must not be lost when their
//! row is cut.

use std::ops::Range;

use crate::line::level;

use super::children::Child;
use crate::line::error::looks_like_error;
use tuckaway_json::scan::{Scanner, TokenKind};

/// So much of a row is looked at.
const LOOKED_BYTES: usize = 4 << 20;
/// Of a string, so much.
const STRING_BYTES: usize = 1_024;
/// Keys of what says how bad it is.
const LEVEL_KEYS: [&[u8]; 6] = [b"level", b"severity", b"lvl", b"levelname", b"log_level", b"loglevel"];

/// Which of these children tell of an error.
pub fn among<'c>(children: &'c [Child<'_>], range: Range<usize>) -> impl Iterator<Item = usize> + 'c {
    let mut left = LOOKED_BYTES;
    let mut is_near = move |index: &usize| {
        let bytes = children[*index].text.len();
        let near = bytes <= left;
        left = left.saturating_sub(bytes);
        near
    };
    range.take_while(move |index| is_near(index)).filter(|&index| tells_of_error(children[index].text))
}

/// Whether a value says that something went wrong: a string that looks like it, a level,
/// or anything but nothing under a key such as `error`. Only records say so.
fn tells_of_error(text: &str) -> bool {
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
        let tells = match token.kind {
            TokenKind::Key => {
                // What is under `error` is not empty.
                let tells = opened && of_error();
                key = inside();
                tells
            }
            TokenKind::String => {
                let said = &inside()[..inside().len().min(STRING_BYTES)];
                let is_level = LEVEL_KEYS.iter().any(|level| key.eq_ignore_ascii_case(level));
                let is_grave = || level::of_word(said).is_some_and(|(level, _)| level.is_error());
                is_level && is_grave() || looks_like_error(said) || !said.is_empty() && of_error()
            }
            TokenKind::ObjectEnd => {
                key = b"";
                false
            }
            TokenKind::True => of_error(),
            TokenKind::Integer => bytes != b"0" && of_error(),
            _ => false,
        };
        if tells {
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
    fn records_tell_of_errors_by_what_they_say() {
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
            assert_eq!(tells_of_error(record), expected, "{record}");
        }
    }
}
