//! What is no text: pictures, sound, film, PDF, archives, programs, databases.
//!
//! ```text
//! bytes ─► FORMATS (how it begins) ─► name, media type ─┬─► details of its header
//!                                                      ├─► entries of an archive
//!                                                      └─► words that stand in it
//! ```
//!
//! The formats are a table of our own: a name, a sign and a function of some
//! lines each. Crates that tell formats do not say how large a picture is, and
//! those that do read files.

mod archive;
mod bytes;
mod document;
mod image;
mod sound;
mod table;

use crate::kind::Kind;
use crate::outline::{Entry, Outline};
use crate::wording;
use table::{FORMATS, Format};

/// The kind of an output that begins as a format does, whatever else it looks
/// like. Looks at a few bytes.
pub fn detect(bytes: &[u8]) -> Option<Kind> {
    format_of(bytes).map(|format| format.kind)
}

fn format_of(bytes: &[u8]) -> Option<&'static Format> {
    FORMATS.iter().find(|format| format.matches(bytes))
}

/// What a format is called that an output begins as.
pub fn name(bytes: &[u8]) -> Option<&'static str> {
    format_of(bytes).map(|format| format.name)
}

/// What it is in words, as far as its head says: `PNG image: 640 x 480, 8-bit
/// RGBA`. None for what is no format that is known.
pub fn describe(bytes: &[u8]) -> Option<String> {
    let format = format_of(bytes)?;
    Some(match archive_of(format, bytes) {
        Some((name, _, listing)) => format!("{name}: {}", listing.words()),
        None => match (format.details)(bytes) {
            Some(details) => format!("{}: {details}", format.name),
            None => format.name.to_owned(),
        },
    })
}

/// Its media type.
pub fn media_type(bytes: &[u8]) -> Option<&'static str> {
    let format = format_of(bytes)?;
    Some(archive_of(format, bytes).map_or(format.media_type, |(_, media_type, _)| media_type))
}

/// What an archive is by the names in it, and these.
fn archive_of(format: &Format, bytes: &[u8]) -> Option<(&'static str, &'static str, archive::Listing)> {
    let listing = match format.media_type {
        "application/zip" => archive::zip(bytes)?,
        "application/x-tar" => archive::tar(bytes),
        _ => return None,
    };
    let (name, media_type) = archive::zip_kind(&listing).unwrap_or((format.name, format.media_type));
    Some((name, media_type, listing))
}

/// What it is, its size, and what can be named of what is in it.
pub fn outline(bytes: &[u8]) -> Outline {
    let mut entries = Outline::default();
    let what = describe(bytes).unwrap_or_else(|| "binary data".to_owned());
    entries.push("kind", Entry::Text(what));
    entries.push("bytes", Entry::Number(bytes.len() as u64));
    let format = format_of(bytes);
    if let Some((.., listing)) = format.and_then(|format| archive_of(format, bytes)) {
        let more = listing.count - listing.names.len() as u64;
        entries.push_members("files", listing.names, more);
    }
    if format.is_none_or(|format| format.has_strings) {
        entries.push_members("strings_by_offset", document::strings(bytes), 0);
    }
    entries
}

/// What stands for it where it would be shown.
pub fn note(bytes: &[u8]) -> String {
    match describe(bytes) {
        Some(what) => wording::not_shown(&what, bytes.len() as u64),
        None => wording::binary(bytes.len() as u64),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const PNG: &[u8] = b"\x89PNG\r\n\x1A\n\0\0\0\rIHDR\0\0\x02\x80\0\0\x01\xE0\x08\x06\0\0\0";

    #[test]
    fn a_header_says_what_it_is() {
        for (bytes, what) in [
            (PNG, "PNG image: 640 x 480, 8-bit RGBA"),
            (&PNG[..16], "PNG image"),
            (b"GIF89a\x10\0\x08\0\xF7", "GIF image: 16 x 8"),
            (b"\xFF\xD8\xFF\xE0\0\x04ab\xFF\xC0\0\x11\x08\0\x10\0\x20\x03", "JPEG image: 32 x 16"),
            (
                b"%PDF-1.4\n1 0 obj <</Type /Pages>> <</Type/Page>> <</Title (A \\(b\\))>>",
                "PDF document: version 1.4, 1 page, titled \"A (b)\"",
            ),
            (b"\0asm\x0D\0\x01\0", "WebAssembly: component"),
            (b"\xCA\xFE\xBA\xBE\0\0\0\x41", "Java class: for Java 21"),
            (b"\x1F\x8B\x08\x08\0\0\0\0\0\x03log.txt\0", "gzip data: of log.txt"),
            (b"PK\x05\x06\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0", "ZIP archive: 0 files"),
            (b"\xFF\xFEh\0i\0", "UTF-16 text: begins with \"hi\""),
        ] {
            assert_eq!(describe(bytes).as_deref(), Some(what));
        }
    }

    #[test]
    fn a_text_may_begin_as_a_format_does() {
        for text in [
            "GIF89a is the name of a version",
            "BM stands for bitmap, and many a word begins with it",
            "%PDF-1.4 begins a document; an object is written as `1 0 obj`",
            "MZ are the initials of Mark Zbikowski, as everybody knows who has read a program for DOS",
            "ID3 tags stand before the sound",
            "PAR1 and PAR1",
            "RIFF of the week",
            "wOFF",
            "",
        ] {
            assert_eq!(detect(text.as_bytes()), None, "{text}");
        }
    }

    /// What headers are searched for.
    const WORDS: &[&[u8]] = &[
        b"fmt ",
        b"data",
        b"moov",
        b"mvhd",
        b"tkhd",
        b"ispe",
        b"avih",
        b"OggS",
        b"OpusHead",
        b"\x01vorbis",
        b"PK\x01\x02",
        b"PK\x05\x06",
        b"VP8 ",
        b"VP8L",
        b"VP8X",
        b"/Title(",
        b"/Type/Page",
        b"ustar",
        b"\xFF\xC0",
    ];

    proptest! {
        #[test]
        fn no_header_is_too_strange(
            sign in 0..FORMATS.len(),
            rest in proptest::collection::vec(prop_oneof![Just(0u8), Just(0xFF), any::<u8>()], 0..600),
            words in proptest::collection::vec(proptest::sample::select(WORDS), 0..12),
            gap in 0usize..40,
        ) {
            let mut bytes = FORMATS[sign].start();
            for word in words {
                bytes.extend_from_slice(&rest[..gap.min(rest.len())]);
                bytes.extend_from_slice(word);
            }
            bytes.extend_from_slice(&rest);
            let line = note(&bytes);
            prop_assert!(line.len() < 300 && !line.contains('\n'), "{line}");
            let json = outline(&bytes).to_json(512, &crate::outline::Layout::ONE_LINE);
            prop_assert!(json.len() <= 512);
            if let Some(format) = format_of(&bytes) {
                let _ = (format.details)(&bytes);
                prop_assert!(media_type(&bytes).is_some());
            }
        }
    }
}
