//! Content inside content: logs in the strings of JSON, images in base64.

use std::borrow::Cow;

use crate::kind::Kind;
use crate::truncate::lines::Middle;

/// Inspects content inside other content. The table implements it, so that no kind
/// names another.
pub trait Nested {
    /// Detects the kind of a text that is not JSON.
    fn detect_text(&self, text: &str) -> Kind;

    /// Returns the media type of bytes; none if they cannot be shown as text.
    fn text_type(&self, bytes: &[u8]) -> Option<&'static str>;

    /// Removes control characters, escape sequences and the data of data URLs.
    fn clean<'t>(&self, text: &'t str, kind: Kind) -> Cow<'t, str>;

    /// Truncates a text to `max` bytes.
    fn truncate(&self, text: &str, kind: Kind, max: usize, middle: &mut Middle) -> String;
}
