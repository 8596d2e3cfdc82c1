//! Writes strings as JSON, and measures the result.

/// Returns a text as a JSON string, with its quotes.
pub fn quote(text: &str) -> String {
    let mut json = Vec::with_capacity(text.len() + 2);
    push_string(&mut json, text.as_bytes());
    // ASCII was replaced with ASCII, so the result is still UTF-8.
    String::from_utf8(json).unwrap_or_default()
}

/// Appends bytes as a JSON string, with its quotes. Bytes that are not UTF-8 are copied:
/// readers of strings replace them with U+FFFD.
pub fn push_string(json: &mut Vec<u8>, bytes: &[u8]) {
    json.push(b'"');
    let mut from = 0;
    for (at, &byte) in bytes.iter().enumerate() {
        if byte >= b' ' && byte != b'"' && byte != b'\\' {
            continue;
        }
        json.extend_from_slice(&bytes[from..at]);
        from = at + 1;
        match byte {
            b'"' | b'\\' => json.extend_from_slice(&[b'\\', byte]),
            b'\n' => json.extend_from_slice(b"\\n"),
            b'\r' => json.extend_from_slice(b"\\r"),
            b'\t' => json.extend_from_slice(b"\\t"),
            0x08 => json.extend_from_slice(b"\\b"),
            0x0C => json.extend_from_slice(b"\\f"),
            _ => {
                let digit = |value: u8| b"0123456789abcdef"[usize::from(value)];
                json.extend_from_slice(&[b'\\', b'u', b'0', b'0', digit(byte >> 4), digit(byte & 15)]);
            }
        }
    }
    json.extend_from_slice(&bytes[from..]);
    json.push(b'"');
}

/// Returns the length of a text inside a JSON string, with escapes and without quotes.
pub fn escaped_len(text: &str) -> usize {
    text.bytes()
        .map(|byte| match byte {
            b'"' | b'\\' | b'\n' | b'\r' | b'\t' | 0x08 | 0x0C => 2,
            0x00..0x20 => 6,
            _ => 1,
        })
        .sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn strings_are_written_as_serde_json_does(text in any::<String>(), controls in "[\\x00-\\x1f\"\\\\]{0,8}") {
            let text = text + &controls;
            prop_assert_eq!(escaped_len(&text) + 2, quote(&text).len());
            prop_assert_eq!(serde_json::Value::from(&*text).to_string(), quote(&text));
        }
    }
}
