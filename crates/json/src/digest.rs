//! Compares documents by value, regardless of notation.

use tuckaway_search::hash::{self, mix};

use super::scan::{Scanner, TokenKind};
use super::unescape::unescape;

/// The deepest nesting that is compared.
const MAX_DEPTH: usize = 512;

/// Returns a number that two documents share if they have the same value, regardless of white
/// space, the order of members, escapes and the spelling of numbers. Two different values share it
/// by chance once in 2^64. Returns none if the bytes are not one document, or if the document is
/// nested too deeply.
///
/// The digest has no secret, so the author of both documents can make them collide. The only effect
/// is that one of them is not shown, and the author could have omitted that one anyway.
pub fn digest(bytes: &[u8]) -> Option<u64> {
    /// An open container.
    struct Open {
        /// The digest of its elements or members so far.
        sum: u64,
        /// In an object, the digest of the key whose value is next.
        key: Option<u64>,
    }
    let mut scanner = Scanner::new(bytes);
    let mut open: Vec<Open> = Vec::new();
    let mut whole = None;
    while let Some(token) = scanner.next_token().ok()? {
        let inside = || unescape(token.inside(bytes));
        let value = match token.kind {
            TokenKind::ObjectStart | TokenKind::ArrayStart => {
                if open.len() == MAX_DEPTH {
                    return None;
                }
                open.push(Open { sum: mix(token.kind as u64), key: None });
                continue;
            }
            TokenKind::Key => {
                open.last_mut()?.key = Some(hash(TokenKind::Key, inside().as_bytes()));
                continue;
            }
            TokenKind::ObjectEnd | TokenKind::ArrayEnd => mix(open.pop()?.sum),
            TokenKind::String => hash(TokenKind::String, inside().as_bytes()),
            TokenKind::Integer | TokenKind::Float => number(token.text(bytes)),
            TokenKind::True | TokenKind::False | TokenKind::Null => mix(token.kind as u64),
        };
        match open.last_mut() {
            // The order of elements matters, the order of members does not.
            Some(Open { sum, key: Some(key) }) => *sum = sum.wrapping_add(mix(key.rotate_left(17) ^ value)),
            Some(Open { sum, key: None }) => *sum = mix(sum.rotate_left(5) ^ value),
            None if whole.is_some() => return None,
            None => whole = Some(value),
        }
    }
    whole
}

/// Returns the digest of a number. `5`, `5.0` and `0.5e1` are the same; in long integers each digit
/// counts.
fn number(text: &[u8]) -> u64 {
    let short = text.len() <= 15 || text.contains(&b'.') || text.contains(&b'e') || text.contains(&b'E');
    match std::str::from_utf8(text).ok().and_then(|text| text.parse::<f64>().ok()).filter(|_| short) {
        // Minus zero is zero.
        Some(number) => hash(TokenKind::Float, &(number + 0.0).to_bits().to_le_bytes()),
        None => hash(TokenKind::Integer, text),
    }
}

/// Returns the digest of a scalar or a key.
fn hash(kind: TokenKind, bytes: &[u8]) -> u64 {
    mix(hash::of(bytes) ^ (kind as u64) << 56)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_value_has_the_same_digest() {
        for (a, b) in [
            (r#"{"a": 1, "b": [true, null]}"#, r#" {"b":[true,null],"a":1.0} "#),
            (r#""caf\u00e9 \/""#, "\"café /\""),
            ("[1e2, -0, 0.5]", "[100, 0, 5e-1]"),
            ("12345678901234567890", "12345678901234567890"),
            ("{}", "\u{FEFF}{ }"),
        ] {
            assert!(
                digest(a.as_bytes()).is_some() && digest(a.as_bytes()) == digest(b.as_bytes()),
                "{a} {b}"
            );
        }
    }

    #[test]
    fn different_values_have_different_ones() {
        let values = [
            "{}",
            "[]",
            "null",
            "true",
            "false",
            "0",
            "1",
            "\"\"",
            "\"1\"",
            "[1]",
            "[1,2]",
            "[2,1]",
            "[[1],2]",
            "[[1,2]]",
            r#"{"a":1}"#,
            r#"{"a":"1"}"#,
            r#"{"b":1}"#,
            r#"{"a":1,"b":2}"#,
            r#"{"a":2,"b":1}"#,
            r#"{"a":{"b":1}}"#,
            r#"["a",1]"#,
            "12345678901234567890",
            "12345678901234567891",
            "\"abcdefgh\"",
            "\"abcdefgh\\u0000\"",
        ];
        for (index, a) in values.iter().enumerate() {
            for b in &values[index + 1..] {
                assert_ne!(digest(a.as_bytes()), digest(b.as_bytes()), "{a} {b}");
            }
        }
    }

    #[test]
    fn anything_but_one_document_has_no_digest() {
        for text in ["", " ", "{} {}", "{", "1 2", "text", &"[".repeat(600)] {
            assert_eq!(digest(text.as_bytes()), None, "{text:?}");
        }
        let deep = format!("{}{}", "[".repeat(600), "]".repeat(600));
        assert_eq!(digest(deep.as_bytes()), None);
    }
}
