//! The two reductions on their own: a text's outline, and a text truncated.
//! Nothing is stored.

use tuckaway_content::{self as content, DEFAULT_OUTLINE_BYTES, Layout, MIN_OUTLINE_BYTES, MIN_VIEW_BYTES};
use tuckaway_text::count_lines;

use crate::error::Error;
use crate::model::Shape;

/// Describes what a text contains in at most `max_bytes`, [`DEFAULT_OUTLINE_BYTES`] if
/// `None`.
///
/// Errors: `invalid-input` for fewer than [`MIN_OUTLINE_BYTES`].
pub fn infer_shape(text: &str, max_bytes: Option<u32>) -> Result<Shape, Error> {
    let max_bytes = max_bytes.map_or(DEFAULT_OUTLINE_BYTES, |bytes| bytes as usize);
    if max_bytes < MIN_OUTLINE_BYTES {
        return Err(Error::invalid(format!(
            "max-bytes is {max_bytes}; a shape takes at least {MIN_OUTLINE_BYTES}; omit it for the default of {DEFAULT_OUTLINE_BYTES}."
        )));
    }
    let inspected = content::inspect(text.as_bytes(), None, count_lines(text.as_bytes()));
    Ok(Shape {
        media_type: content::media_type(inspected.kind, text.as_bytes()).to_owned(),
        json: inspected.to_json(max_bytes, &Layout::ONE_LINE),
    })
}

/// Cuts a text to at most `max_bytes`; one that fits is returned unchanged.
///
/// Errors: `invalid-input` for fewer than [`MIN_VIEW_BYTES`].
pub fn truncate(text: &str, max_bytes: u64) -> Result<String, Error> {
    let max_bytes = usize::try_from(max_bytes).unwrap_or(usize::MAX);
    if max_bytes < MIN_VIEW_BYTES {
        return Err(Error::invalid(format!(
            "max-bytes is {max_bytes}; a truncation takes at least {MIN_VIEW_BYTES}."
        )));
    }
    if text.len() <= max_bytes {
        return Ok(text.to_owned());
    }
    let kind = content::detect(text.as_bytes(), None);
    let note = content::note(kind, text.as_bytes());
    Ok(note.unwrap_or_else(|| content::truncate(&content::clean(text, kind), kind, max_bytes)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_has_a_shape_too() {
        assert_eq!(infer_shape("", None).unwrap().json, r#"{"lines": 0, "longest_line_bytes": 0}"#);
        assert_eq!(
            infer_shape("ab\nabc\n", Some(256)).unwrap().json,
            r#"{"lines": 2, "longest_line_bytes": 3}"#
        );
        let broken = format!("[{}", "1, ".repeat(100));
        assert_eq!(
            infer_shape(&broken, None).unwrap().json,
            r#"{"lines": 1, "longest_line_bytes": 301, "json": "cut off, whole up to byte 299: array(100) of integer"}"#
        );
    }

    #[test]
    fn rejects_limits_that_are_too_small() {
        for few in [0, 255] {
            assert_eq!(
                infer_shape("{}", Some(few)).unwrap_err().message,
                format!("max-bytes is {few}; a shape takes at least 256; omit it for the default of 2048.")
            );
        }
    }

    #[test]
    fn returns_a_text_that_fits_unchanged() {
        assert_eq!(truncate("short", 512).unwrap(), "short");
        assert_eq!(
            truncate("short", 511).unwrap_err().message,
            "max-bytes is 511; a truncation takes at least 512."
        );
    }

    #[test]
    fn replaces_control_characters_by_a_note() {
        assert_eq!(truncate(&"\u{3}".repeat(1_000), 512).unwrap(), "[control characters, 1 KB, not shown]");
    }
}
