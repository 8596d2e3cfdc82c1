//! The two reductions by themselves: the outline of bytes, and bytes as truncated text. Nothing is
//! stored.

use std::borrow::Cow;

use tuckaway_content::{
    self as content, DEFAULT_OUTLINE_BYTES, Facts, Layout, MIN_OUTLINE_BYTES, MIN_VIEW_BYTES,
};
use tuckaway_text::encoding::Encoding;
use tuckaway_text::{count_lines, lossy};

use tuckaway_contract::{Error, Shape};

/// Describes bytes in at most `max_bytes`, or [`DEFAULT_OUTLINE_BYTES`] if `None`.
///
/// Errors: `invalid-input` for fewer than [`MIN_OUTLINE_BYTES`].
pub fn infer_shape(bytes: &[u8], max_bytes: Option<u32>) -> Result<Shape, Error> {
    let max_bytes = max_bytes.map_or(DEFAULT_OUTLINE_BYTES, |bytes| bytes as usize);
    if max_bytes < MIN_OUTLINE_BYTES {
        return Err(Error::invalid(format!(
            "max_bytes is {max_bytes}, but a shape needs at least {MIN_OUTLINE_BYTES} bytes; omit it for the default of {DEFAULT_OUTLINE_BYTES}."
        ))
        .about(&["max_bytes"]));
    }
    let encoding = Encoding::of(bytes);
    let decoded = encoding.map(|encoding| encoding.decode(bytes));
    let bytes = decoded.as_ref().map_or(bytes, |text| text.as_bytes());
    let facts = Facts { line_count: count_lines(bytes), ..Facts::default() };
    let mut inspected = content::inspect(bytes, &facts);
    let mut media_type = content::media_type(inspected.kind, bytes).to_owned();
    if let Some(encoding) = encoding {
        inspected.set_encoding(encoding.name());
        media_type += &format!("; charset={}", encoding.charset());
    }
    Ok(Shape { media_type, json: inspected.to_json(max_bytes, &Layout::ONE_LINE) })
}

/// Returns bytes as text of at most `max_bytes`: unchanged if they are a text that fits, or a note
/// if they are not text.
///
/// Errors: `invalid-input` for fewer than [`MIN_VIEW_BYTES`].
pub fn truncate(bytes: &[u8], max_bytes: u64) -> Result<String, Error> {
    let max_bytes = usize::try_from(max_bytes).unwrap_or(usize::MAX);
    if max_bytes < MIN_VIEW_BYTES {
        return Err(Error::invalid(format!(
            "max_bytes is {max_bytes}; it must be at least {MIN_VIEW_BYTES}."
        ))
        .about(&["max_bytes"]));
    }
    let decoded = Encoding::of(bytes).map(|encoding| encoding.decode(bytes));
    let bytes = decoded.as_ref().map_or(bytes, |text| text.as_bytes());
    Ok(truncated(bytes, max_bytes))
}

/// Truncates a text that is already UTF-8 like [`truncate`], with any limit.
pub(crate) fn truncated(bytes: &[u8], max_bytes: usize) -> String {
    let text = lossy(bytes);
    let fits = text.len() <= max_bytes;
    if fits && matches!(text, Cow::Borrowed(_)) {
        return text.into_owned();
    }
    let kind = content::detect(bytes, None);
    match content::note(kind, bytes) {
        Some(note) if note.len() <= bytes.len() => note,
        _ if fits => text.into_owned(),
        _ => content::truncate(&content::clean(&text, kind), kind, max_bytes),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_has_a_shape_too() {
        assert_eq!(infer_shape(b"", None).unwrap().json, r#"{"lines": 0, "longest_line_bytes": 0}"#);
        assert_eq!(
            infer_shape(b"ab\nabc\n", Some(256)).unwrap().json,
            r#"{"lines": 2, "longest_line_bytes": 3}"#
        );
        let broken = format!("[{}", "1, ".repeat(100));
        assert_eq!(
            infer_shape(broken.as_bytes(), None).unwrap().json,
            r#"{"lines": 1, "longest_line_bytes": 301, "json": "cut off, whole up to byte 299: array(100) of integer"}"#
        );
    }

    #[test]
    fn rejects_limits_that_are_too_small() {
        for few in [0, 255] {
            assert_eq!(
                infer_shape(b"{}", Some(few)).unwrap_err().message,
                format!(
                    "max_bytes is {few}, but a shape needs at least 256 bytes; omit it for the default of 2048."
                )
            );
        }
    }

    #[test]
    fn returns_a_text_that_fits_unchanged() {
        assert_eq!(truncate(b"short", 512).unwrap(), "short");
        assert_eq!(
            truncate(b"short", 511).unwrap_err().message,
            "max_bytes is 511; it must be at least 512."
        );
    }

    #[test]
    fn replaces_control_characters_by_a_note() {
        assert_eq!(truncate(&[3; 1_000], 512).unwrap(), "[control characters, 1 KB, not shown]");
    }

    #[test]
    fn bytes_that_are_not_text_stay_bytes() {
        let gzip = [&b"\x1F\x8B\x08\0\0\0\0\0\0\x03"[..], &[0x9D; 600]].concat();
        assert_eq!(infer_shape(&gzip, None).unwrap().media_type, "application/gzip");
        assert_eq!(truncate(&gzip, 512).unwrap(), "[gzip data, 610 bytes, not shown]");
        assert_eq!(truncate(&gzip[..14], 512).unwrap().chars().next(), Some('\u{1F}'));
        assert_eq!(truncate(b"caf\xE9", 512).unwrap(), "caf\u{FFFD}");
    }
}
