//! What the inside of a string stands for.

use std::borrow::Cow;

use crate::text::lossy;

/// The text between the quotes of a string or a key without its escapes. Half a
/// surrogate pair, which no text can hold, and bytes that are not UTF-8 become
/// U+FFFD. The scanner has seen that the escapes are sound.
pub fn unescape(inside: &[u8]) -> Cow<'_, str> {
    let Some(mut at) = memchr::memchr(b'\\', inside) else {
        return lossy(inside);
    };
    let (mut rest, mut text) = (inside, String::with_capacity(inside.len()));
    loop {
        text += &lossy(&rest[..at]);
        let (character, length) = escape(&rest[at..]);
        text.push(character);
        rest = &rest[at + length..];
        match memchr::memchr(b'\\', rest) {
            Some(next) => at = next,
            None => {
                text += &lossy(rest);
                return Cow::Owned(text);
            }
        }
    }
}

/// The character of an escape at the start of `bytes`, and the escape's length.
/// The scanner has seen that it is one.
fn escape(bytes: &[u8]) -> (char, usize) {
    let unit = |at: usize| {
        let digits = bytes.get(at..at + 6)?.strip_prefix(b"\\u")?;
        u32::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()
    };
    match bytes.get(1) {
        Some(b'b') => ('\u{8}', 2),
        Some(b'f') => ('\u{C}', 2),
        Some(b'n') => ('\n', 2),
        Some(b'r') => ('\r', 2),
        Some(b't') => ('\t', 2),
        Some(b'u') => match (unit(0), unit(6)) {
            (Some(high @ 0xD800..0xDC00), Some(low @ 0xDC00..0xE000)) => {
                let code = 0x10000 + ((high - 0xD800) << 10) + (low - 0xDC00);
                (char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER), 12)
            }
            (code, _) => (code.and_then(char::from_u32).unwrap_or(char::REPLACEMENT_CHARACTER), 6),
        },
        Some(&other) => (char::from(other), 2),
        None => (char::REPLACEMENT_CHARACTER, 1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_are_what_they_stand_for() {
        assert_eq!(unescape(br#"a\u0062\n\"\\\/"#), "ab\n\"\\/");
        assert_eq!(unescape(br"\ud83d\ude00 \ud800 \ude00\ud83d"), "\u{1F600} \u{FFFD} \u{FFFD}\u{FFFD}");
        assert_eq!(unescape(b"caf\xE9 \\t\xE9"), "caf\u{FFFD} \t\u{FFFD}");
        assert!(matches!(unescape(b"plain"), Cow::Borrowed("plain")));
    }
}
