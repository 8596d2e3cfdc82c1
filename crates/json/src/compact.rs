//! JSON without the white space between its tokens.

use crate::blocks::{plain_blocks, space_run};

/// Copies JSON that is known to be valid without the white space between its tokens. Several
/// documents are separated by a line feed. `replaced` is called for each string value of at least
/// `long` bytes with its quotes, and returns a replacement, if any. If the copy exceeds `max`
/// bytes, only a part of it is returned, which also exceeds `max`.
///
/// ```
/// use tuckaway_json::compact::compact;
///
/// let text = compact("{\"a\" : 1}\n\n[ ]{}", usize::MAX, usize::MAX, |_| None);
/// assert_eq!(text, "{\"a\":1}\n[]\n{}");
/// ```
pub fn compact(text: &str, max: usize, long: usize, replaced: impl FnMut(&str) -> Option<String>) -> String {
    let text = text.strip_prefix('\u{FEFF}').unwrap_or(text);
    let compact = String::with_capacity(text.len().min(max));
    Copying { text, compact, from: 0, at: 0, depth: 0, document_ended: false }.run(max, long, replaced)
}

/// A text to copy.
struct Copying<'t> {
    text: &'t str,
    compact: String,
    /// Bytes from here to `at` are copied together.
    from: usize,
    at: usize,
    /// The number of open containers.
    depth: usize,
    document_ended: bool,
}

impl Copying<'_> {
    fn run(mut self, max: usize, long: usize, mut replaced: impl FnMut(&str) -> Option<String>) -> String {
        let bytes = self.text.as_bytes();
        while let Some(&byte) = bytes.get(self.at) {
            // Only whole characters are copied.
            if byte.is_ascii() && self.compact.len() + (self.at - self.from) > max {
                break;
            }
            if is_space(byte) {
                self.skip_space();
                continue;
            }
            if self.document_ended {
                self.begin_document();
            }
            let mut end = self.at + 1;
            match byte {
                b'"' => {
                    end = string_end(bytes, self.at);
                    if end - self.at >= long
                        && !is_key(&bytes[end..])
                        && let Some(instead) = replaced(&self.text[self.at..end])
                    {
                        self.copy();
                        self.compact.push_str(&instead);
                        self.from = end;
                    }
                    self.document_ended = self.depth == 0;
                }
                b'{' | b'[' => self.depth += 1,
                b'}' | b']' => {
                    self.depth = self.depth.saturating_sub(1);
                    self.document_ended = self.depth == 0;
                }
                _ => {}
            }
            self.at = end;
        }
        self.copy();
        self.compact
    }

    fn copy(&mut self) {
        self.compact.push_str(&self.text[self.from..self.at]);
        self.from = self.at;
    }

    fn skip_space(&mut self) {
        self.copy();
        self.at += 1;
        let rest = &self.text.as_bytes()[self.at..];
        if rest.first().copied().is_some_and(is_space) {
            self.at += space_run(rest);
        }
        self.from = self.at;
        // The end of a string also ends a bare value.
        self.document_ended |= self.depth == 0;
    }

    fn begin_document(&mut self) {
        self.copy();
        if !self.compact.is_empty() {
            self.compact.push('\n');
        }
        self.document_ended = false;
    }
}

fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\n' | b'\r' | b'\t')
}

/// Returns the offset after the string that begins at `at`.
fn string_end(bytes: &[u8], at: usize) -> usize {
    let mut end = at + 1;
    loop {
        end += plain_blocks(&bytes[end..]);
        match bytes.get(end) {
            Some(b'"') => return end + 1,
            Some(b'\\') => end = (end + 2).min(bytes.len()),
            Some(_) => end += 1,
            None => return bytes.len(),
        }
    }
}

/// Returns whether a string is a key, given the bytes after it.
fn is_key(behind: &[u8]) -> bool {
    behind.iter().find(|&&byte| !is_space(byte)) == Some(&b':')
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::Value;

    use super::*;

    #[test]
    fn long_values_are_replaced_and_keys_are_not() {
        let text = r#"{"long key" : ["long value", "short"], "b": "long value"}"#;
        let replaced = compact(text, usize::MAX, 8, |raw| (raw == "\"long value\"").then(|| "0".to_owned()));
        assert_eq!(replaced, r#"{"long key":[0,"short"],"b":0}"#);
    }

    #[test]
    fn documents_are_separated_by_a_line_feed() {
        for (text, expected) in [
            ("\u{FEFF} {} ", "{}"),
            ("{}{}", "{}\n{}"),
            ("[1] 2 \"3\"\n\n[ 4 ]", "[1]\n2\n\"3\"\n[4]"),
            ("\"a\"\"b\"", "\"a\"\n\"b\""),
            ("", ""),
            (" \n", ""),
        ] {
            assert_eq!(compact(text, usize::MAX, usize::MAX, |_| None), expected, "{text:?}");
        }
    }

    fn value() -> impl Strategy<Value = Value> {
        let scalar = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::from),
            any::<i64>().prop_map(Value::from),
            "[a-z \\\\\"\n\té{}:,]{0,40}".prop_map(Value::from),
        ];
        scalar.prop_recursive(4, 40, 6, |inner| {
            prop_oneof![
                proptest::collection::vec(inner.clone(), 0..6).prop_map(Value::from),
                proptest::collection::vec(("[a-z\" ]{0,30}", inner), 0..6)
                    .prop_map(|members| Value::Object(members.into_iter().collect())),
            ]
        })
    }

    proptest! {
        #[test]
        fn it_is_what_serde_json_writes(values in proptest::collection::vec(value(), 1..4)) {
            let pretty: Vec<_> = values.iter().map(|value| serde_json::to_string_pretty(value).unwrap()).collect();
            let expected: Vec<_> = values.iter().map(Value::to_string).collect();
            prop_assert_eq!(compact(&pretty.join("\n"), usize::MAX, usize::MAX, |_| None), expected.join("\n"));
        }

        #[test]
        fn a_part_is_longer_than_what_it_is_limited_to(value in value(), max in 0usize..80) {
            let text = serde_json::to_string_pretty(&value).unwrap();
            let (part, whole) = (compact(&text, max, usize::MAX, |_| None), value.to_string());
            prop_assert!(whole.starts_with(&part) && (part.len() > max || part == whole));
        }

        #[test]
        fn any_text_is_copied_without_a_panic(text in "[\\[\\]{}\"\\\\ :,a1é\n]{0,60}", max in 0usize..80) {
            let compact = compact(&text, max, 3, |_| None);
            prop_assert!(compact.len() <= 2 * text.len());
        }
    }
}
