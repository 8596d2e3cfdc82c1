//! The table of formats, with their signatures.

use super::bytes::{at, be16, find_within, le32};
use super::{archive, document, image, sound};
/// The class of a format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// An image.
    Image,
    /// Audio.
    Audio,
    /// Video.
    Video,
    /// A PDF document.
    Pdf,
    /// An archive, a program, a database, a font.
    Other,
}

/// A format that is detected by its first bytes.
pub struct Format {
    /// Its name in words, without an article.
    pub name: &'static str,
    /// Its class.
    pub class: Class,
    /// The media type.
    pub media_type: &'static str,
    /// The offset of the signature, and its bytes.
    signature: (usize, &'static [u8]),
    /// A further condition, if other content may begin with the signature.
    holds: fn(&[u8]) -> bool,
    /// Describes its header in words.
    pub details: fn(&[u8]) -> Option<String>,
    /// It contains words that are not compressed.
    pub has_strings: bool,
    /// Models may be able to see or hear it: an image that all providers accept, common audio, a PDF.
    pub is_for_models: bool,
}

impl Format {
    /// Returns whether an output begins like this format.
    pub fn matches(&self, bytes: &[u8]) -> bool {
        let (offset, signature) = self.signature;
        bytes.get(offset..).is_some_and(|rest| rest.starts_with(signature)) && (self.holds)(bytes)
    }

    /// Returns the minimum bytes that have its signature.
    #[cfg(test)]
    pub fn start(&self) -> Vec<u8> {
        let (offset, signature) = self.signature;
        let mut bytes = if offset == 8 { b"RIFF\x20\0\0\0".to_vec() } else { vec![0; offset] };
        bytes.extend_from_slice(signature);
        bytes
    }

    const fn holds(self, holds: fn(&[u8]) -> bool) -> Self {
        Format { holds, ..self }
    }

    const fn details(self, details: fn(&[u8]) -> Option<String>) -> Self {
        Format { details, ..self }
    }

    const fn with_strings(self) -> Self {
        Format { has_strings: true, ..self }
    }

    const fn for_models(self) -> Self {
        Format { is_for_models: true, ..self }
    }
}

const fn format(
    class: Class,
    name: &'static str,
    media_type: &'static str,
    signature: (usize, &'static [u8]),
) -> Format {
    Format {
        name,
        class,
        media_type,
        signature,
        holds: |_| true,
        details: |_| None,
        has_strings: false,
        is_for_models: false,
    }
}

/// Returns whether there is a control character, or a byte that UTF-8 does not have, near
/// the start. Signatures that are words need this, as a text may begin with them.
fn is_not_text(bytes: &[u8]) -> bool {
    bytes.iter().take(64).any(|&byte| byte < b'\t' || (0x0E..0x1B).contains(&byte) || byte >= 0xF8)
}

fn is_riff(bytes: &[u8]) -> bool {
    bytes.starts_with(b"RIFF")
}

fn has_brand(bytes: &[u8], brands: &[&[u8; 4]]) -> bool {
    at::<4>(bytes, 8).is_some_and(|brand| brands.contains(&&brand)) && at::<2>(bytes, 0) == Some([0, 0])
}

const BINARY: &str = "application/octet-stream";

/// Every format. Among those with the same signature, the more certain one comes first.
pub static FORMATS: &[Format] = &[
    format(Class::Image, "PNG image", "image/png", (0, b"\x89PNG\r\n\x1A\n"))
        .details(image::png)
        .for_models(),
    format(Class::Image, "JPEG image", "image/jpeg", (0, b"\xFF\xD8\xFF")).details(image::jpeg).for_models(),
    format(Class::Image, "GIF image", "image/gif", (0, b"GIF87a"))
        .holds(is_not_text)
        .details(image::gif)
        .for_models(),
    format(Class::Image, "GIF image", "image/gif", (0, b"GIF89a"))
        .holds(is_not_text)
        .details(image::gif)
        .for_models(),
    format(Class::Image, "WebP image", "image/webp", (8, b"WEBP"))
        .holds(is_riff)
        .details(image::webp)
        .for_models(),
    format(Class::Image, "BMP image", "image/bmp", (0, b"BM"))
        .holds(|bytes| {
            le32(bytes, 6) == Some(0) && le32(bytes, 14).is_some_and(|size| matches!(size, 12 | 40..=124))
        })
        .details(image::bmp),
    format(Class::Image, "TIFF image", "image/tiff", (0, b"II*\0")).details(image::tiff),
    format(Class::Image, "TIFF image", "image/tiff", (0, b"MM\0*")).details(image::tiff),
    format(Class::Image, "AVIF image", "image/avif", (4, b"ftyp"))
        .holds(|bytes| has_brand(bytes, &[b"avif", b"avis"]))
        .details(image::heif),
    format(Class::Image, "HEIC image", "image/heic", (4, b"ftyp"))
        .holds(|bytes| has_brand(bytes, &[b"heic", b"heix", b"mif1", b"msf1"]))
        .details(image::heif),
    format(Class::Image, "icon", "image/x-icon", (0, b"\0\0\x01\0"))
        .holds(|bytes| {
            at::<6>(bytes, 4).is_some_and(|[count, high, .., end]| count > 0 && high == 0 && end == 0)
        })
        .details(image::icon),
    format(Class::Image, "Photoshop image", "image/vnd.adobe.photoshop", (0, b"8BPS\0"))
        .details(image::photoshop),
    format(Class::Audio, "WAV audio", "audio/wav", (8, b"WAVE"))
        .holds(is_riff)
        .details(sound::wav)
        .for_models(),
    format(Class::Audio, "FLAC audio", "audio/flac", (0, b"fLaC\0")).details(sound::flac).for_models(),
    format(Class::Audio, "Ogg audio", "audio/ogg", (0, b"OggS\0")).details(sound::ogg).for_models(),
    format(Class::Audio, "MP3 audio", "audio/mpeg", (0, b"ID3"))
        .holds(is_not_text)
        .details(sound::mp3)
        .for_models(),
    format(Class::Audio, "MP3 audio", "audio/mpeg", (0, b"\xFF"))
        .holds(sound::is_mp3)
        .details(sound::mp3)
        .for_models(),
    format(Class::Audio, "AAC audio", "audio/aac", (0, b"\xFF\xF1")),
    format(Class::Audio, "M4A audio", "audio/mp4", (4, b"ftypM4A")).details(sound::m4a),
    format(Class::Audio, "MIDI file", "audio/midi", (0, b"MThd\0\0\0\x06")).details(sound::midi),
    format(Class::Video, "QuickTime video", "video/quicktime", (4, b"ftypqt  ")).details(image::mp4),
    format(Class::Video, "MP4 video", "video/mp4", (4, b"ftyp")).holds(is_not_text).details(image::mp4),
    format(Class::Video, "WebM video", "video/webm", (0, b"\x1A\x45\xDF\xA3"))
        .holds(|bytes| find_within(bytes, b"webm", 64).is_some()),
    format(Class::Video, "Matroska video", "video/x-matroska", (0, b"\x1A\x45\xDF\xA3")),
    format(Class::Video, "AVI video", "video/x-msvideo", (8, b"AVI ")).holds(is_riff).details(image::avi),
    format(Class::Pdf, "PDF document", "application/pdf", (0, b"%PDF-"))
        .holds(document::is_pdf)
        .details(document::pdf)
        .for_models(),
    format(Class::Other, "ZIP archive", "application/zip", (0, b"PK\x03\x04")),
    format(Class::Other, "ZIP archive", "application/zip", (0, b"PK\x05\x06")),
    format(Class::Other, "tar archive", "application/x-tar", (257, b"ustar")),
    format(Class::Other, "gzip data", "application/gzip", (0, b"\x1F\x8B\x08")).details(archive::gzip),
    format(Class::Other, "zstd data", "application/zstd", (0, b"\x28\xB5\x2F\xFD")),
    format(Class::Other, "xz data", "application/x-xz", (0, b"\xFD7zXZ\0")),
    format(Class::Other, "bzip2 data", "application/x-bzip2", (4, b"1AY&SY"))
        .holds(|bytes| bytes.starts_with(b"BZh")),
    format(Class::Other, "7-Zip archive", "application/x-7z-compressed", (0, b"7z\xBC\xAF\x27\x1C")),
    format(Class::Other, "RAR archive", "application/vnd.rar", (0, b"Rar!\x1A\x07")),
    format(Class::Other, "SQLite database", "application/vnd.sqlite3", (0, b"SQLite format 3\0"))
        .details(document::sqlite)
        .with_strings(),
    format(Class::Other, "WebAssembly", "application/wasm", (0, b"\0asm"))
        .details(document::wasm)
        .with_strings(),
    format(Class::Other, "ELF", "application/x-elf", (0, b"\x7FELF")).details(document::elf).with_strings(),
    format(Class::Other, "Windows program", "application/vnd.microsoft.portable-executable", (0, b"MZ"))
        .holds(document::is_windows_program)
        .with_strings(),
    format(Class::Other, "Mach-O program", "application/x-mach-binary", (0, b"\xCF\xFA\xED\xFE"))
        .with_strings(),
    format(Class::Other, "Java class", "application/java-vm", (0, b"\xCA\xFE\xBA\xBE"))
        .holds(|bytes| be16(bytes, 6).is_some_and(|version| version >= 45))
        .details(archive::class)
        .with_strings(),
    format(Class::Other, "Mach-O program", "application/x-mach-binary", (0, b"\xCA\xFE\xBA\xBE")),
    format(Class::Other, "WOFF font", "font/woff", (0, b"wOFF")).holds(is_not_text),
    format(Class::Other, "WOFF2 font", "font/woff2", (0, b"wOF2")).holds(is_not_text),
    format(Class::Other, "OpenType font", "font/otf", (0, b"OTTO\0")),
    format(Class::Other, "TrueType font", "font/ttf", (0, b"\0\x01\0\0\0"))
        .holds(|bytes| matches!(at(bytes, 5), Some([4..=64]))),
    format(Class::Other, "Parquet file", "application/vnd.apache.parquet", (0, b"PAR1"))
        .holds(|bytes| bytes.ends_with(b"PAR1") && is_not_text(bytes)),
    format(Class::Other, "Arrow file", "application/vnd.apache.arrow.file", (0, b"ARROW1\0\0"))
        .with_strings(),
    format(Class::Other, "Avro file", "application/vnd.apache.avro", (0, b"Obj\x01")).with_strings(),
    format(Class::Other, "HDF5 file", "application/x-hdf5", (0, b"\x89HDF\r\n\x1A\n")).with_strings(),
    format(Class::Other, "NumPy array", BINARY, (0, b"\x93NUMPY")).with_strings(),
    format(Class::Other, "Python pickle", BINARY, (0, b"\x80"))
        .holds(|bytes| matches!(at(bytes, 1), Some([2..=5])) && bytes.ends_with(b"."))
        .with_strings(),
    format(
        Class::Other,
        "old Office document",
        "application/x-ole-storage",
        (0, b"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1"),
    ),
    format(Class::Other, "git pack", BINARY, (0, b"PACK\0\0\0")),
];
