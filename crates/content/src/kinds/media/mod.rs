//! Content that is not text: its description, and the files or words inside.

use crate::formats::{archive_of, describe, format_of, strings};
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
        outline.push_members("strings_by_offset", strings(bytes), 0);
    }
    outline
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::outline::Layout;
    use proptest::prelude::*;

    const STARTS: &[&[u8]] = &[b"PK\x05\x06", b"\0asm", b"%PDF-1.4 1 0 obj", b"\x7FELF", b""];

    proptest! {
        #[test]
        fn any_bytes_are_bounded(
            start in proptest::sample::select(STARTS),
            rest in proptest::collection::vec(prop_oneof![Just(0u8), Just(0xFF), any::<u8>()], 0..600),
        ) {
            let json = outline(&[start, &rest].concat()).to_json(512, &Layout::ONE_LINE);
            prop_assert!(json.len() <= 512 && json.starts_with("{\"kind\": "), "{json}");
        }
    }
}
