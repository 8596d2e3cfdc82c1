//! The two reductions on their own: a text's outline, and a text truncated.
//! Nothing is stored.

use tuckaway_content::kind;
use tuckaway_content::shape::{self, DEFAULT_MAX_BYTES, Layout, MIN_MAX_BYTES as MIN_SHAPE_BYTES};
use tuckaway_content::truncate::{self, MIN_MAX_BYTES as MIN_VIEW_BYTES};
use tuckaway_text::count_lines;

use crate::error::Error;
use crate::model::Shape;

/// What is in a text, in at most `max_bytes` (0 for the default of
/// [`DEFAULT_MAX_BYTES`], at least [`MIN_SHAPE_BYTES`], else `InvalidInput`).
pub fn infer_shape(text: &str, max_bytes: u32) -> Result<Shape, Error> {
    let max_bytes = match max_bytes as usize {
        0 => DEFAULT_MAX_BYTES,
        few if few < MIN_SHAPE_BYTES => {
            return Err(Error::invalid(format!(
                "max-bytes is {few}; a shape takes at least {MIN_SHAPE_BYTES}, or 0 for the default of {DEFAULT_MAX_BYTES}."
            )));
        }
        max_bytes => max_bytes,
    };
    let looked = shape::look(text.as_bytes(), None, count_lines(text.as_bytes()));
    Ok(Shape {
        media_type: kind::media_type(looked.kind, text.as_bytes()).to_owned(),
        json: looked.to_json(max_bytes, &Layout::ONE_LINE),
    })
}

/// A text within `max_bytes` (at least [`MIN_VIEW_BYTES`], else `InvalidInput`),
/// as it is if it fits.
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
    let kind = shape::kind_of(text.as_bytes(), None);
    let note = kind::note(kind, text.as_bytes());
    Ok(note.unwrap_or_else(|| truncate::cut(&truncate::cleaned(text, kind), kind, max_bytes)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_has_a_shape_too() {
        assert_eq!(infer_shape("", 0).unwrap().json, r#"{"lines": 0, "longest_line_bytes": 0}"#);
        assert_eq!(infer_shape("ab\nabc\n", 256).unwrap().json, r#"{"lines": 2, "longest_line_bytes": 3}"#);
        let broken = format!("[{}", "1, ".repeat(100));
        assert_eq!(
            infer_shape(&broken, 0).unwrap().json,
            r#"{"lines": 1, "longest_line_bytes": 301, "json": "not JSON at byte 301: expected a value"}"#
        );
    }

    #[test]
    fn too_little_room_is_refused() {
        assert_eq!(
            infer_shape("{}", 255).unwrap_err().message,
            "max-bytes is 255; a shape takes at least 256, or 0 for the default of 2048."
        );
    }

    #[test]
    fn what_fits_is_left_alone() {
        assert_eq!(truncate("short", 512).unwrap(), "short");
        assert_eq!(
            truncate("short", 511).unwrap_err().message,
            "max-bytes is 511; a truncation takes at least 512."
        );
    }

    #[test]
    fn nothing_but_control_characters_is_said_to_be() {
        assert_eq!(truncate(&"\u{3}".repeat(1_000), 512).unwrap(), "[control characters, 1 KB, not shown]");
    }
}
