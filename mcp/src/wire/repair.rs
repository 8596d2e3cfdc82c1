//! Repairs a line that is not a valid message, or at least finds the request that it answers,
//! so that no call waits forever.

use std::borrow::Cow;

use rmcp::model::RequestId;
use serde_json::Value;

use super::frame::id_of;

/// Replaces two things that servers write although JSON does not allow them: invalid UTF-8,
/// and halves of surrogate pairs in escapes, which `JSON.stringify` writes for a string that
/// was cut in the middle of an emoji. Returns `None` if there is nothing to replace.
pub fn repaired(line: &[u8]) -> Option<Vec<u8>> {
    let text = String::from_utf8_lossy(line);
    let mut repaired = matches!(text, Cow::Owned(_));
    let mut bytes = text.into_owned().into_bytes();
    let mut at = 0;
    while let Some(found) = memchr(&bytes[at..]) {
        let escape = at + found;
        at = match unit(&bytes, escape) {
            Some(0xD800..=0xDBFF) if matches!(unit(&bytes, escape + 6), Some(0xDC00..=0xDFFF)) => escape + 12,
            Some(0xD800..=0xDFFF) => {
                bytes[escape + 2..escape + 6].copy_from_slice(b"fffd");
                repaired = true;
                escape + 6
            }
            // An escaped character may be a backslash.
            _ => escape + 2,
        };
        if at >= bytes.len() {
            break;
        }
    }
    repaired.then_some(bytes)
}

fn memchr(bytes: &[u8]) -> Option<usize> {
    bytes.iter().position(|&byte| byte == b'\\')
}

/// Returns the UTF-16 unit of an escape.
fn unit(bytes: &[u8], at: usize) -> Option<u16> {
    let escape = bytes.get(at..at + 6)?.strip_prefix(b"\\u")?;
    u16::from_str_radix(std::str::from_utf8(escape).ok()?, 16).ok()
}

/// Finds the id of a message in its first and last bytes. The result may precede or follow the
/// id, so both ends are searched, except the bytes that may be part of the result.
pub fn id_near_the_ends(head: &[u8], tail: &[u8]) -> Option<RequestId> {
    id_at_the_beginning(head).or_else(|| id_at_the_end(tail))
}

/// `{"jsonrpc":"2.0","id":7,"result":`
fn id_at_the_beginning(head: &[u8]) -> Option<RequestId> {
    let head = String::from_utf8_lossy(head);
    let end = ["\"result\"", "\"error\"", "\"params\""].iter().filter_map(|name| head.find(name)).min()?;
    id_in(&head[..end])
}

/// `},"id":7,"jsonrpc":"2.0"}`
fn id_at_the_end(tail: &[u8]) -> Option<RequestId> {
    let tail = String::from_utf8_lossy(tail);
    let tail = tail.trim_end().strip_suffix('}')?;
    let start = tail.rfind("\"id\"")?;
    let rest = &tail[start..];
    // Only the version may follow the id.
    (!rest.contains(['{', '}', '[', ']']) && rest.matches("\":").count() <= 2).then(|| id_in(rest)).flatten()
}

fn id_in(text: &str) -> Option<RequestId> {
    let (_, value) = text.split_once("\"id\"")?;
    let value = value.trim_start().strip_prefix(':')?;
    let mut values = serde_json::Deserializer::from_str(value).into_iter::<Value>();
    id_of(&values.next()?.ok()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_of_surrogate_pairs_are_replaced() {
        let repair = |text: &str| repaired(text.as_bytes()).map(|bytes| String::from_utf8(bytes).unwrap());
        assert_eq!(repair(r#"{"a":"\ud83d"}"#).as_deref(), Some(r#"{"a":"\ufffd"}"#));
        assert_eq!(
            repair(r#"{"a":"\ude00x\ud83d\ude00"}"#).as_deref(),
            Some(r#"{"a":"\ufffdx\ud83d\ude00"}"#)
        );
        assert_eq!(repair(r#"{"a":"\ud83d\ude00 \\ud83d"}"#), None);
        assert_eq!(repaired(b"\"\xff\"").as_deref(), Some("\"\u{fffd}\"".as_bytes()));
        assert_eq!(repair("\\"), None);
    }

    #[test]
    fn the_id_of_a_long_message_is_found() {
        let find = |head: &str, tail: &str| id_near_the_ends(head.as_bytes(), tail.as_bytes());
        let number = Some(RequestId::Number(7));
        assert_eq!(find(r#"{"jsonrpc":"2.0","id":7,"result":{"id":9"#, r#"x"}}"#), number);
        assert_eq!(find(r#"{"result":{"id":9"#, r#"x"}]},"jsonrpc":"2.0","id":7}"#), number);
        assert_eq!(find(r#"{"result":{"#, r#"x"}]},"id": 7, "jsonrpc":"2.0"}"#), number);
        assert_eq!(
            find(r#"{"result":{"a":1"#, r#"{"id":7}"#),
            number,
            "a guess, as nothing says how deep it is"
        );
        assert_eq!(find(r#"{"result":{"#, r#"{"id":7},"x":"y"}}"#), None);
        assert_eq!(find("garbage", "garbage"), None);
    }
}
