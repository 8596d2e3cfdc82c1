//! Detects a format by the first bytes, and describes it.

use super::archive;
use super::table::{Class, FORMATS, Format};
use crate::wording;

/// Detects the class of an output by the format of its first bytes. Reads a few bytes.
pub fn detect(bytes: &[u8]) -> Option<Class> {
    format_of(bytes).map(|format| format.class)
}

/// Returns the format of an output's first bytes.
pub fn format_of(bytes: &[u8]) -> Option<&'static Format> {
    FORMATS.iter().find(|format| format.matches(bytes))
}

/// Returns the name of the format of an output's first bytes.
pub fn name(bytes: &[u8]) -> Option<&'static str> {
    format_of(bytes).map(|format| format.name)
}

/// Describes an output in words, as far as its head says: `PNG image: 640 x 480, 8-bit
/// RGBA`. None if the format is unknown.
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

/// Returns the media type of the format of an output's first bytes.
pub fn media_type(bytes: &[u8]) -> Option<&'static str> {
    let format = format_of(bytes)?;
    Some(archive_of(format, bytes).map_or(format.media_type, |(_, media_type, _)| media_type))
}

/// Returns the name and the media type of an archive by the files in it, and those files.
/// None if it is not an archive that can be listed.
pub fn archive_of(format: &Format, bytes: &[u8]) -> Option<(&'static str, &'static str, archive::Listing)> {
    let listing = match format.media_type {
        "application/zip" => archive::zip(bytes)?,
        "application/x-tar" => archive::tar(bytes),
        _ => return None,
    };
    let (name, media_type) = archive::zip_kind(&listing).unwrap_or((format.name, format.media_type));
    Some((name, media_type, listing))
}

/// Returns whether a media type is that of an image, audio or a video.
pub fn is_medium(media_type: &str) -> bool {
    ["image/", "audio/", "video/"].iter().any(|class| media_type.starts_with(class))
}

/// Returns the line that is shown instead of an output.
pub fn note(bytes: &[u8]) -> String {
    match describe(bytes) {
        Some(what) => wording::not_shown(&what, bytes.len() as u64),
        None => wording::binary(bytes.len() as u64),
    }
}
