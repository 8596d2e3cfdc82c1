//! The text of a string without its escapes.

use std::borrow::Cow;

use crate::blocks::copy_to_backslash;

/// What becomes of lone surrogates, which no text can contain.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Surrogates {
    /// They become their three bytes of WTF-8.
    Keep,
    /// They become U+FFFD.
    Replace,
}

/// Returns the text of a string or a key, given the text `inside` its quotes. Lone surrogates,
/// which no text can contain, and bytes that are not UTF-8 become U+FFFD. The scanner has checked
/// the escapes.
pub fn unescape(inside: &[u8]) -> Cow<'_, str> {
    if memchr::memchr(b'\\', inside).is_none() {
        return String::from_utf8_lossy(inside);
    }
    let text = String::from_utf8(expanded(inside, Surrogates::Replace));
    Cow::Owned(text.unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned()))
}

/// Works like [`unescape`] without loss: bytes that are not UTF-8 are kept, and lone surrogates
/// become their three bytes of WTF-8.
pub fn unescape_bytes(inside: &[u8]) -> Cow<'_, [u8]> {
    match memchr::memchr(b'\\', inside) {
        None => Cow::Borrowed(inside),
        Some(_) => Cow::Owned(expanded(inside, Surrogates::Keep)),
    }
}

/// Works like [`unescape`] with a reused buffer, but keeps bytes that are not UTF-8.
pub(crate) fn unescape_into<'b>(inside: &[u8], buffer: &'b mut Vec<u8>) -> &'b [u8] {
    let length = expand(inside, Surrogates::Replace, buffer);
    &buffer[..length]
}

#[inline(never)]
fn expanded(inside: &[u8], surrogates: Surrogates) -> Vec<u8> {
    let mut bytes = Vec::new();
    let length = expand(inside, surrogates, &mut bytes);
    bytes.truncate(length);
    bytes
}

/// Writes the text of a string to the start of `bytes`, which grows if it is too short.
/// Returns the length of the text.
fn expand(inside: &[u8], surrogates: Surrogates, bytes: &mut Vec<u8>) -> usize {
    // No escape is shorter than its text, except an incomplete one at the end.
    if bytes.len() < inside.len() + 3 {
        bytes.resize(inside.len() + 3, 0);
    }
    let (mut at, mut to) = (0, 0);
    loop {
        let run = copy_to_backslash(&inside[at..], &mut bytes[to..]);
        (at, to) = (at + run, to + run);
        if at == inside.len() {
            return to;
        }
        let (code, length) = escape(&inside[at..]);
        at += length;
        to += match u8::try_from(code) {
            Ok(byte @ 0..0x80) => {
                bytes[to] = byte;
                1
            }
            _ => encode(code, surrogates, &mut bytes[to..]),
        };
    }
}

/// Writes a code point that is not ASCII. Returns its length in bytes.
#[cold]
fn encode(code: u32, surrogates: Surrogates, to: &mut [u8]) -> usize {
    let mut bytes = [0; 4];
    let length = match char::from_u32(code) {
        None if surrogates == Surrogates::Keep => {
            bytes =
                [0xE0 | code >> 12, 0x80 | code >> 6 & 0x3F, 0x80 | code & 0x3F, 0].map(|byte| byte as u8);
            3
        }
        character => character.unwrap_or(char::REPLACEMENT_CHARACTER).encode_utf8(&mut bytes).len(),
    };
    to[..length].copy_from_slice(&bytes[..length]);
    length
}

/// Returns the code point of the escape at the start of `bytes`, which may be a lone
/// surrogate, and the length of the escape. The scanner has checked that it is one.
#[inline]
fn escape(bytes: &[u8]) -> (u32, usize) {
    let unit = |at: usize| {
        let digits = bytes.get(at..at + 6)?.strip_prefix(b"\\u")?;
        u32::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()
    };
    match bytes.get(1) {
        Some(b'b') => (0x08, 2),
        Some(b'f') => (0x0C, 2),
        Some(b'n') => (0x0A, 2),
        Some(b'r') => (0x0D, 2),
        Some(b't') => (0x09, 2),
        Some(b'u') => match (unit(0), unit(6)) {
            (Some(high @ 0xD800..0xDC00), Some(low @ 0xDC00..0xE000)) => {
                (0x10000 + ((high - 0xD800) << 10) + (low - 0xDC00), 12)
            }
            (code, _) => (code.unwrap_or(char::REPLACEMENT_CHARACTER.into()), 6),
        },
        Some(&other) => (other.into(), 2),
        None => (char::REPLACEMENT_CHARACTER.into(), 1),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn escapes_are_replaced_with_their_characters() {
        assert_eq!(unescape(br#"a\u0062\n\"\\\/"#), "ab\n\"\\/");
        assert_eq!(unescape(br"\ud83d\ude00 \ud800 \ude00\ud83d"), "\u{1F600} \u{FFFD} \u{FFFD}\u{FFFD}");
        assert_eq!(unescape(b"caf\xE9 \\t\xE9"), "caf\u{FFFD} \t\u{FFFD}");
        assert!(matches!(unescape(b"plain"), Cow::Borrowed("plain")));
    }

    #[test]
    fn bytes_are_unescaped_without_loss() {
        assert_eq!(*unescape_bytes(br"\ud83d\ude00 \ud800\n"), *b"\xF0\x9F\x98\x80 \xED\xA0\x80\n");
        assert_eq!(*unescape_bytes(b"caf\xE9 \\t\xE9"), *b"caf\xE9 \t\xE9");
        assert!(matches!(unescape_bytes(b"plain"), Cow::Borrowed(b"plain")));
    }

    proptest! {
        #[test]
        fn escapes_of_serde_json_are_decoded(texts in proptest::collection::vec("[a\"\\\\\n\u{1}é\u{1F600}]{0,40}[a-z]{0,30}", 1..4)) {
            let mut buffer = Vec::new();
            for text in texts {
                let json = serde_json::to_string(&text).unwrap();
                let inside = &json.as_bytes()[1..json.len() - 1];
                prop_assert_eq!(unescape(inside), &*text);
                prop_assert_eq!(&*unescape_bytes(inside), text.as_bytes());
                prop_assert_eq!(unescape_into(inside, &mut buffer), text.as_bytes());
            }
        }

        #[test]
        fn invalid_utf8_is_replaced_between_escapes(bytes: [Vec<u8>; 3]) {
            let plain = bytes.map(|mut bytes| {
                bytes.retain(|&byte| byte != b'\\');
                bytes
            });
            let expected: Vec<_> = plain.iter().map(|bytes| String::from_utf8_lossy(bytes)).collect();
            for (escape, character) in [(&b"\\u00e9"[..], "é"), (b"\\\\", "\\")] {
                let inside = plain.join(escape);
                prop_assert_eq!(&*unescape(&inside), expected.join(character));
            }
        }
    }
}
