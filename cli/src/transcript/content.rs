//! The content of messages and results: a text, or a list of blocks.

use std::fmt;

use serde::de::{self, Deserialize, Deserializer, Visitor};
use serde_json::value::RawValue;

/// The deepest content of a content that is read. Providers do not nest deeper.
const MAX_DEPTH: u32 = 4;

/// Returns the elements of a list; an empty list for anything else.
pub fn elements(content: &RawValue) -> Vec<&RawValue> {
    serde_json::from_str(content.get()).unwrap_or_default()
}

/// Returns whether a JSON value is a list.
pub fn is_list(content: &RawValue) -> bool {
    content.get().starts_with('[')
}

/// Returns the text of a result: a text, or the texts of its blocks, joined by line feeds.
pub fn text(content: &RawValue) -> String {
    text_within(content, MAX_DEPTH)
}

fn text_within(content: &RawValue, depth: u32) -> String {
    #[derive(serde::Deserialize)]
    struct Block<'a> {
        #[serde(default)]
        text: Option<Text>,
        #[serde(borrow, default)]
        content: Option<&'a RawValue>,
    }
    if let Ok(Text(text)) = serde_json::from_str(content.get()) {
        return text;
    }
    if depth == 0 {
        return String::new();
    }
    if is_list(content) {
        let texts = elements(content).into_iter().map(|each| text_within(each, depth - 1));
        return texts.filter(|text| !text.is_empty()).collect::<Vec<_>>().join("\n");
    }
    match serde_json::from_str(content.get()) {
        Ok(Block { text: Some(Text(text)), .. }) => text,
        Ok(Block { content: Some(content), .. }) => text_within(content, depth - 1),
        _ => String::new(),
    }
}

/// A text in which a lone surrogate, which JavaScript can write, is U+FFFD.
struct Text(String);

impl<'de> Deserialize<'de> for Text {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Bytes;
        impl Visitor<'_> for Bytes {
            type Value = Text;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a text")
            }

            fn visit_bytes<E: de::Error>(self, bytes: &[u8]) -> Result<Text, E> {
                Ok(Text(String::from_utf8_lossy(bytes).into_owned()))
            }
        }
        // As bytes, serde_json accepts half of a character.
        deserializer.deserialize_bytes(Bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(json: &str) -> String {
        text(serde_json::from_str(json).unwrap())
    }

    #[test]
    fn texts_are_found_in_each_form() {
        assert_eq!(of(r#""a\nb""#), "a\nb");
        assert_eq!(of(r#"[{"type":"text","text":"a"},{"type":"image","source":{}},{"text":"b"}]"#), "a\nb");
        assert_eq!(of(r#"{"content":"a","success":true}"#), "a");
        assert_eq!(of(r#"{"content":[{"type":"input_text","text":"a"}]}"#), "a");
        for other in ["null", "5", "{}", "[]", r#"[[[[[["a"]]]]]]"#] {
            assert_eq!(of(other), "", "{other}");
        }
    }

    #[test]
    fn half_of_a_character_is_replaced() {
        assert_eq!(of(r#""a\ud83db""#).replace('\u{fffd}', "?").replace("???", "?"), "a?b");
    }
}
