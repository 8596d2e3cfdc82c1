//! Base64 in the variants of tools and protocols.

use ::base64::Engine;
use ::base64::engine::general_purpose::STANDARD_NO_PAD;

/// Returns whether a byte is a digit of base64, of the standard or the URL-safe alphabet.
pub const fn is_digit(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'-' | b'_')
}

/// Decodes base64 of the standard alphabet, with or without its padding. White space is
/// skipped. Returns `None` for any other byte, and for incomplete input.
pub fn decode(text: &[u8]) -> Option<Vec<u8>> {
    let is_space = |byte: &u8| matches!(byte, b' ' | b'\t' | b'\r' | b'\n');
    let text: Vec<u8> = text.iter().copied().filter(|byte| !is_space(byte)).collect();
    let padding = text.iter().rev().take_while(|&&byte| byte == b'=').count();
    let digits = &text[..text.len() - padding];
    let is_padded = padding == 0 || padding == digits.len().next_multiple_of(4) - digits.len();
    STANDARD_NO_PAD.decode(digits).ok().filter(|_| is_padded)
}

/// Decodes the first `digits` digits of base64 of either alphabet. Everything else is
/// skipped; bits of an incomplete byte are dropped.
pub fn decode_head(text: &[u8], digits: usize) -> Vec<u8> {
    let standard = |byte: &u8| match *byte {
        b'-' => Some(b'+'),
        b'_' => Some(b'/'),
        byte => is_digit(byte).then_some(byte),
    };
    let mut digits: Vec<u8> = text.iter().filter_map(standard).take(digits).collect();
    let whole_bytes = digits.len() / 4 * 3 + digits.len() % 4 * 3 / 4;
    // Groups of four are accepted by every decoder.
    digits.resize(digits.len().next_multiple_of(4), b'A');
    let mut bytes = STANDARD_NO_PAD.decode(&digits).unwrap_or_default();
    bytes.truncate(whole_bytes);
    bytes
}

#[cfg(test)]
mod tests {
    use ::base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn padding_is_optional_and_anything_else_is_refused() {
        for (text, bytes) in [
            ("", Some(&b""[..])),
            ("Zg==", Some(b"f")),
            ("Zg", Some(b"f")),
            ("Zm8=", Some(b"fo")),
            ("Zm9v", Some(b"foo")),
            ("Zm9v\r\nYmFy", Some(b"foobar")),
            (" Z g\t=\n= ", Some(b"f")),
            ("=", None),
            ("/+8A", Some(b"\xFF\xEF\0")),
            ("Z", None),
            ("Zg=", None),
            ("Zh==", None),
            ("Zm9=", None),
            ("Zm9v====", None),
            ("Zg==Zg==", None),
            ("Zm9v-_", None),
            ("Zm9v!", None),
        ] {
            assert_eq!(decode(text.as_bytes()).as_deref(), bytes, "{text:?}");
        }
    }

    #[test]
    fn an_incomplete_head_is_decoded() {
        for (text, digits, bytes) in [
            ("Zm9vYmFy", 100, &b"foobar"[..]),
            ("Zm9vYmFy", 4, b"foo"),
            ("Zm9vYm", 100, b"foob"),
            ("Zm9vY", 100, b"foo"),
            ("Zm9vYmE=\r\n", 7, b"fooba"),
            ("Zm 9v!", 100, b"foo"),
            ("/-8_+_", 100, b"\xFF\xEF\x3F\xFB"),
            ("", 100, b""),
        ] {
            assert_eq!(decode_head(text.as_bytes(), digits), bytes, "{text:?}");
        }
    }

    proptest! {
        #[test]
        fn encoded_bytes_are_decoded(bytes: Vec<u8>) {
            let text = STANDARD.encode(&bytes);
            let decoded = decode(text.as_bytes());
            prop_assert_eq!(decoded.as_ref(), Some(&bytes));
            prop_assert_eq!(decode_head(text.as_bytes(), usize::MAX), &*bytes);
            let text = URL_SAFE_NO_PAD.encode(&bytes);
            prop_assert_eq!(decode_head(text.as_bytes(), usize::MAX), bytes);
        }
    }
}
