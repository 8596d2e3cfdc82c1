//! The outline of media: what they are, and the files or words inside.

use super::describe::{archive_of, describe, format_of};
use super::document;
use crate::outline::{Entry, Outline};

/// Returns the description, the size, and the files or words inside.
pub fn outline(bytes: &[u8]) -> Outline {
    let mut outline = Outline::default();
    let what = describe(bytes).unwrap_or_else(|| "binary data".to_owned());
    outline.push("kind", Entry::Text(what));
    outline.push("bytes", Entry::Number(bytes.len() as u64));
    let format = format_of(bytes);
    if let Some((.., listing)) = format.and_then(|format| archive_of(format, bytes)) {
        let more = listing.count - listing.names.len() as u64;
        outline.push_members("files", listing.names, more);
    }
    if format.is_none_or(|format| format.has_strings) {
        outline.push_members("strings_by_offset", document::strings(bytes), 0);
    }
    outline
}
