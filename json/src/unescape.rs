//! What the inside of a string stands for.

use std::borrow::Cow;

/// The text between the quotes of a string or a key without its escapes. Half a
/// surrogate pair, which no text can hold, and bytes that are not UTF-8 become
/// U+FFFD. The scanner has seen that the escapes are sound.
pub fn unescape(inside: &[u8]) -> Cow<'_, str> {
    if memchr::memchr(b'\\', inside).is_none() {
        return String::from_utf8_lossy(inside);
    }
    let mut text = String::with_capacity(inside.len());
    each_run(inside, |plain, code| {
        text += &String::from_utf8_lossy(plain);
        text.extend(code.map(|code| char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER)));
    });
    Cow::Owned(text)
}

/// As [`unescape`], with nothing lost: bytes that are not UTF-8 are as they were,
/// and half a surrogate pair becomes the three bytes that WTF-8 gives it.
pub fn unescape_bytes(inside: &[u8]) -> Cow<'_, [u8]> {
    if memchr::memchr(b'\\', inside).is_none() {
        return Cow::Borrowed(inside);
    }
    let mut bytes = Vec::with_capacity(inside.len());
    each_run(inside, |plain, code| {
        bytes.extend_from_slice(plain);
        match code.map(|code| (char::from_u32(code), code)) {
            Some((Some(character), _)) => {
                bytes.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes())
            }
            Some((None, code)) => bytes
                .extend([0xE0 | code >> 12, 0x80 | code >> 6 & 0x3F, 0x80 | code & 0x3F].map(|b| b as u8)),
            None => {}
        }
    });
    Cow::Owned(bytes)
}

/// Gives what is plain before each escape, and what the escape stands for; at the
/// end the plain rest.
fn each_run(mut rest: &[u8], mut take: impl FnMut(&[u8], Option<u32>)) {
    while let Some(at) = memchr::memchr(b'\\', rest) {
        let (code, length) = escape(&rest[at..]);
        take(&rest[..at], Some(code));
        rest = &rest[at + length..];
    }
    take(rest, None);
}

/// The code point of an escape at the start of `bytes`, which may be half a
/// surrogate pair, and the escape's length. The scanner has seen that it is one.
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
    use super::*;

    #[test]
    fn escapes_are_what_they_stand_for() {
        assert_eq!(unescape(br#"a\u0062\n\"\\\/"#), "ab\n\"\\/");
        assert_eq!(unescape(br"\ud83d\ude00 \ud800 \ude00\ud83d"), "\u{1F600} \u{FFFD} \u{FFFD}\u{FFFD}");
        assert_eq!(unescape(b"caf\xE9 \\t\xE9"), "caf\u{FFFD} \t\u{FFFD}");
        assert!(matches!(unescape(b"plain"), Cow::Borrowed("plain")));
    }

    #[test]
    fn nothing_is_lost_in_bytes() {
        assert_eq!(*unescape_bytes(br"\ud83d\ude00 \ud800\n"), *b"\xF0\x9F\x98\x80 \xED\xA0\x80\n");
        assert_eq!(*unescape_bytes(b"caf\xE9 \\t\xE9"), *b"caf\xE9 \t\xE9");
        assert!(matches!(unescape_bytes(b"plain"), Cow::Borrowed(b"plain")));
    }
}
