//! Answers in the notation of expectations, and whether the two agree.

use serde_json::{Map, Value};
use sha2::{Digest, Sha256};

use crate::content;

/// Longer texts are written as length and hash, with their first and last characters.
const MAX_WRITTEN_BYTES: usize = 4_096;
/// An output of at most this length is repeated in the answer instead of referred to.
const MAX_REPEATED_BYTES: usize = 120;
/// The number of characters shown of either end.
const END_CHARS: usize = 60;
/// Greater integers are written as strings: some languages cannot represent them.
const MAX_SAFE_INTEGER: u64 = (1 << 53) - 1;

/// Converts an answer to the notation of expectations: absent values are omitted, texts
/// of several lines are lists of lines, long texts and bytes are digests.
pub fn canonical(value: &Value) -> Value {
    match value {
        Value::String(text) => canonical_text(text),
        Value::Array(values) => values.iter().map(canonical).collect(),
        Value::Object(members) => match encoded(members) {
            Some(bytes) if bytes.len() > MAX_WRITTEN_BYTES => digest(&bytes),
            Some(_) => value.clone(),
            None => members
                .iter()
                .filter(|(_, value)| !value.is_null())
                .map(|(name, value)| (name.clone(), canonical(value)))
                .collect(),
        },
        Value::Number(number) => match (number.as_u64(), number.as_i64()) {
            (Some(n), _) if n > MAX_SAFE_INTEGER => Value::from(n.to_string()),
            (None, Some(n)) if n.unsigned_abs() > MAX_SAFE_INTEGER => Value::from(n.to_string()),
            _ => value.clone(),
        },
        _ => value.clone(),
    }
}

fn canonical_text(text: &str) -> Value {
    if text.len() > MAX_WRITTEN_BYTES {
        return digest(text.as_bytes());
    }
    match text.contains('\n') {
        true => text.split('\n').map(Value::from).collect(),
        false => Value::from(text),
    }
}

fn digest(bytes: &[u8]) -> Value {
    let text = String::from_utf8_lossy(bytes);
    let start: String = text.chars().take(END_CHARS).collect();
    let end: Vec<char> = text.chars().rev().take(END_CHARS).collect();
    let hash: String = Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect();
    let members = [
        ("bytes", Value::from(bytes.len())),
        ("sha256", Value::from(hash)),
        ("starts", Value::from(start)),
        ("ends", Value::from(end.into_iter().rev().collect::<String>())),
    ];
    members.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
}

/// Replaces texts of an answer that equal an output by `{"output": index}`, which says
/// more to a reader than the text or its hash.
pub fn point_to(outputs: &[Vec<u8>], answer: &mut Value) {
    let bytes = bytes_of(answer).filter(|bytes| bytes.len() > MAX_REPEATED_BYTES);
    if let Some(index) = bytes.and_then(|bytes| outputs.iter().position(|output| *output == bytes)) {
        *answer = Value::Object(Map::from_iter([("output".to_owned(), Value::from(index))]));
        return;
    }
    match answer {
        Value::Array(values) => values.iter_mut().for_each(|value| point_to(outputs, value)),
        Value::Object(members) => members.values_mut().for_each(|value| point_to(outputs, value)),
        _ => {}
    }
}

/// Returns the bytes of an answer that is base64, because it is not text.
fn encoded(members: &Map<String, Value>) -> Option<Vec<u8>> {
    match members.len() {
        1 if members.contains_key("base64") => content::bytes(&Value::Object(members.clone())).ok(),
        _ => None,
    }
}

fn bytes_of(actual: &Value) -> Option<Vec<u8>> {
    match actual {
        Value::String(text) => Some(text.clone().into_bytes()),
        Value::Object(members) => encoded(members),
        _ => None,
    }
}

/// Returns whether an answer is the expected one, byte for byte.
pub fn agree(expected: &Value, actual: &Value) -> bool {
    if *expected == canonical(actual) {
        return true;
    }
    if let Some(actual) = bytes_of(actual) {
        return content::is_recipe(expected) && content::bytes(expected).is_ok_and(|bytes| bytes == actual);
    }
    match (expected, actual) {
        (Value::Array(expected), Value::Array(actual)) => {
            expected.len() == actual.len() && expected.iter().zip(actual).all(|(e, a)| agree(e, a))
        }
        (Value::Object(expected), Value::Object(actual)) => {
            let present = |members: &Map<String, Value>| members.values().filter(|v| !v.is_null()).count();
            present(expected) == present(actual)
                && expected.iter().all(|(name, e)| actual.get(name).is_some_and(|a| agree(e, a)))
        }
        _ => false,
    }
}

/// Returns the expectation for an answer. Keeps the parts of the old expectation that
/// still agree, so that recipes written by people stay.
pub fn bless(expected: Option<&Value>, actual: &Value) -> Value {
    match (expected, actual) {
        (Some(expected), actual) if agree(expected, actual) => expected.clone(),
        (Some(Value::Object(old)), Value::Object(new)) if encoded(new).is_none() => new
            .iter()
            .filter(|(_, value)| !value.is_null())
            .map(|(name, value)| (name.clone(), bless(old.get(name), value)))
            .collect(),
        _ => canonical(actual),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn texts_agree_in_any_notation() {
        let actual = json!({"text": "a\na\na\n", "next": null, "n": 1});
        for text in [json!(["a", "a", "a", ""]), json!({"repeat": "a\n", "times": 3}), json!("a\na\na\n")] {
            let expected = json!({"text": text, "n": 1});
            assert!(agree(&expected, &actual));
            assert_eq!(bless(Some(&expected), &actual), expected);
        }
        for expected in [json!({"text": "a\na\na", "n": 1}), json!({"text": "a\na\na\n"}), json!("a\na\na\n")]
        {
            assert!(!agree(&expected, &actual));
        }
        assert_eq!(bless(None, &actual), json!({"text": ["a", "a", "a", ""], "n": 1}));
    }

    #[test]
    fn values_that_some_languages_cannot_represent_are_encoded() {
        assert_eq!(canonical(&json!(u64::MAX)), json!("18446744073709551615"));
        let long = canonical(&json!("x".repeat(5_000)));
        assert_eq!((&long["bytes"], long["starts"].as_str().map(str::len)), (&json!(5_000), Some(60)));
        assert!(agree(&json!({"repeat": "x", "times": 5000}), &json!("x".repeat(5_000))));
        assert!(!agree(&long, &json!("y".repeat(5_000))));
        let bytes = content::encoded(b"\xFF");
        assert!(agree(&json!({"hex": "ff"}), &bytes) && agree(&bytes, &bytes));
    }
}
