//! Formats that are not text: images, audio, video, PDF, archives, programs, databases.
//!
//! ```text
//! bytes ─► FORMATS (how they begin) ─► name, media type ─┬─► details in the header
//!                                                        ├─► files of an archive
//!                                                        └─► words inside
//! ```
//!
//! The formats are a table of our own: a name, a signature and a short function each.
//! Crates that detect formats do not return the size of an image, and those that do
//! read files.

mod archive;
mod bytes;
mod describe;
mod document;
mod image;
mod sound;
mod table;

pub use describe::{archive_of, describe, detect, format_of, is_medium, media_type, name, note};
pub use document::strings;
pub use table::Class;

#[cfg(test)]
mod tests {
    use super::table::FORMATS;
    use super::*;
    use proptest::prelude::*;

    const PNG: &[u8] = b"\x89PNG\r\n\x1A\n\0\0\0\rIHDR\0\0\x02\x80\0\0\x01\xE0\x08\x06\0\0\0";

    #[test]
    fn formats_are_described_by_their_headers() {
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
        ] {
            assert_eq!(describe(bytes).as_deref(), Some(what));
        }
    }

    #[test]
    fn texts_that_begin_as_a_format_are_not_media() {
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

    /// Words that headers are searched for.
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
        fn any_header_is_bounded(
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
            if let Some(format) = format_of(&bytes) {
                let _ = (format.details)(&bytes);
                prop_assert!(media_type(&bytes).is_some());
            }
        }
    }
}
