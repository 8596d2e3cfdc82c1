//! Content inside of content: JSON has logs in its strings, base64 has pictures.

use std::borrow::Cow;

use crate::kind::Kind;
use crate::truncate::select::Middle;

/// What a kind asks about content that lies inside of its own. The table answers, so
/// that no kind knows the others.
pub trait Nested {
    /// Detects the kind of any bytes.
    fn detect(&self, bytes: &[u8]) -> Kind;

    /// Detects the kind of a text that is not JSON.
    fn detect_text(&self, text: &str) -> Kind;

    /// Returns the media type of a kind.
    fn media_type(&self, kind: Kind) -> &'static str;

    /// Returns the line that stands for base64; none for anything else.
    fn base64_note(&self, text: &[u8]) -> Option<String>;

    /// Removes from a text what nobody reads: control characters, escape sequences and
    /// the data of data URLs.
    fn clean<'t>(&self, text: &'t str, kind: Kind) -> Cow<'t, str>;

    /// Truncates a text to `max` bytes.
    fn truncate(&self, text: &str, kind: Kind, max: usize, middle: &mut Middle) -> String;
}
