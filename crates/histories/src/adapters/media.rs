//! Images, recordings and other files, in the blocks of any provider: their label, their size, and
//! their bytes.

use base64::prelude::*;
use serde_json::Value;
use tuckaway_content::formats;
use tuckaway_contract::Medium;
use tuckaway_conversation::cache::sides;

use super::ImageTokens;

/// The tokens of audio, a document, or an image whose size is unknown: about the maximum that
/// Claude counts for an image.
const MEDIA_TOKENS: u64 = 1_600;
/// The tokens of a low-detail image, as OpenAI counts them.
const LOW_DETAIL_TOKENS: u64 = 85;
/// Bytes of the data that are decoded to detect their format: the size of a JPEG image may come
/// after a preview.
const HEAD_BYTES: usize = 64 << 10;
/// Bytes from which a text of unknown content is data rather than an id.
const LEAST_DATA_BYTES: usize = 256;
/// The members that name a media type.
const MEDIA_TYPES: [&str; 4] = ["media_type", "mediaType", "mimeType", "mime_type"];

/// Reads the medium of a block. [`count`] counts the tokens of an image.
pub(super) fn medium(block: &Value) -> Medium {
    let data = Data::of(block);
    let what = data.as_ref().and_then(|data| formats::describe(&data.head()));
    let named = || Some(data.as_ref()?.media_type?.to_owned());
    Medium {
        tokens: tokens(block),
        bytes: data.as_ref().map_or(0, |data| data.base64.len() as u64),
        label: what.or_else(named).or_else(|| find_text(block, &["type", "format"]).map(str::to_owned)),
        artifact: None,
    }
}

/// Counts the tokens of an image whose sides are in its label, as a model does.
pub(crate) fn count(medium: &mut Medium, images: ImageTokens) {
    let sides = medium.label.as_deref().filter(|_| medium.tokens == MEDIA_TOKENS).and_then(sides);
    if let Some((width, height)) = sides.filter(|(width, height)| *width > 0.0 && *height > 0.0) {
        medium.tokens = images.count(width, height);
    }
}

/// Returns the media type and the bytes of a block's medium: its data, or the block itself as JSON if it
/// only refers to them.
pub(crate) fn content(block: &Value) -> (String, Vec<u8>) {
    let decoded = Data::of(block).and_then(|data| Some((data.media_type, data.decode()?)));
    let Some((named, bytes)) = decoded else {
        return ("application/json".to_owned(), block.to_string().into_bytes());
    };
    let media_type = formats::media_type(&bytes).or(named).unwrap_or("application/octet-stream");
    (media_type.to_owned(), bytes)
}

/// The data of a medium that is in the history itself.
struct Data<'a> {
    media_type: Option<&'a str>,
    base64: &'a str,
}

impl<'a> Data<'a> {
    /// Finds the data of a block: its longest text, if that is base64 or a data URL of it.
    fn of(block: &'a Value) -> Option<Data<'a>> {
        let text = longest_text(block)?;
        let url = text.strip_prefix("data:").and_then(|url| url.split_once(";base64,"));
        let (media_type, base64) = match url {
            Some((media_type, base64)) => (Some(media_type), base64),
            None => (find_text(block, &MEDIA_TYPES), text),
        };
        let data = Data { media_type: media_type.filter(|named| named.contains('/')), base64 };
        let head = data.head();
        // The id of a file at the provider may be base64, too.
        let is_data = url.is_some() || text.len() >= LEAST_DATA_BYTES || formats::detect(&head).is_some();
        (is_data && !head.is_empty()).then_some(data)
    }

    /// Returns the first bytes; none if it is not base64.
    fn head(&self) -> Vec<u8> {
        let encoded = self.base64.as_bytes();
        // Four characters are three bytes.
        let end = encoded.len().min(HEAD_BYTES / 3 * 4);
        BASE64_STANDARD.decode(&encoded[..end]).unwrap_or_default()
    }

    fn decode(&self) -> Option<Vec<u8>> {
        BASE64_STANDARD.decode(self.base64).ok()
    }
}

/// Returns the longest text in a value. Recursion is as deep as the parser allows.
fn longest_text(value: &Value) -> Option<&str> {
    match value {
        Value::String(text) => Some(text),
        Value::Array(elements) => elements.iter().filter_map(longest_text).max_by_key(|text| text.len()),
        Value::Object(members) => members.values().filter_map(longest_text).max_by_key(|text| text.len()),
        _ => None,
    }
}

/// Returns the first text that a value, or an object in it, has under one of these names.
fn find_text<'a>(value: &'a Value, names: &[&str]) -> Option<&'a str> {
    let members = value.as_object()?;
    let own = names.iter().find_map(|name| members.get(*name)?.as_str());
    own.or_else(|| members.values().find_map(|member| find_text(member, names)))
}

/// Returns the tokens of a medium that do not follow from its data.
fn tokens(block: &Value) -> u64 {
    if block["detail"] == "low" || block["image_url"]["detail"] == "low" {
        return LOW_DETAIL_TOKENS;
    }
    let side = |name: &str| block[name].as_f64().or_else(|| block["source"][name].as_f64());
    match side("width").zip(side("height")) {
        Some((width, height)) if width > 0.0 && height > 0.0 => ImageTokens::CLAUDE.count(width, height),
        _ => MEDIA_TOKENS,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    /// The head of an image of 640 x 480 pixels.
    const PNG: &[u8] = b"\x89PNG\r\n\x1A\n\0\0\0\rIHDR\0\0\x02\x80\0\0\x01\xE0\x08\x06\0\0\0";

    #[test]
    fn the_data_of_every_provider_is_found() {
        let base64 = BASE64_STANDARD.encode(PNG);
        let url = format!("data:image/png;base64,{base64}");
        for block in [
            json!({"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": base64}}),
            json!({"type": "image_url", "image_url": {"url": url}}),
            json!({"type": "input_image", "image_url": url}),
            json!({"type": "file", "file": {"filename": "a.png", "file_data": url}}),
            json!({"inlineData": {"mimeType": "image/png", "data": base64}}),
            json!({"image": {"format": "png", "source": {"bytes": base64}}}),
            json!({"type": "file", "mediaType": "image/png", "data": base64}),
            json!({"type": "file", "mediaType": "image/png", "url": url}),
            json!({"type": "image", "source_type": "base64", "mime_type": "image/png", "data": base64}),
        ] {
            let mut read = medium(&block);
            count(&mut read, ImageTokens::CLAUDE);
            assert_eq!(read.label.as_deref(), Some("PNG image: 640 x 480, 8-bit RGBA"), "{block}");
            assert_eq!((read.tokens, read.bytes), (414, base64.len() as u64), "{block}");
            assert_eq!(content(&block), ("image/png".to_owned(), PNG.to_vec()), "{block}");
        }
    }

    #[test]
    fn a_reference_is_stored_as_it_is() {
        let block = json!({"type": "image_url", "image_url": {"url": "https://example.com/a.png"}});
        let read = medium(&block);
        assert_eq!((read.tokens, read.bytes, read.label.as_deref()), (1_600, 0, Some("image_url")));
        assert_eq!(content(&block), ("application/json".to_owned(), block.to_string().into_bytes()));
    }

    #[test]
    fn long_data_is_recognized_by_its_head() {
        let bytes = [PNG, &vec![7; 200_000]].concat();
        let block = json!({"data": BASE64_STANDARD.encode(&bytes), "mimeType": "image/png"});
        let mut read = medium(&block);
        count(&mut read, ImageTokens::CLAUDE);
        assert_eq!(read.tokens, 414);
        assert_eq!(content(&block).1, bytes);
    }
}
