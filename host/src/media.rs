//! Stored images, PDF documents and recordings, for models that can see them.
//!
//! The component answers a call with text. A home whose results may contain more asks here first.

use serde_json::Value;
use tuckaway_contract::{Artifact, is_artifact_id};

use crate::tuckaway::Tuckaway;

/// The maximum size of a file that is returned: 5 MiB as base64, the limit for an image in a request to
/// [Anthropic](https://platform.claude.com/docs/en/build-with-claude/vision). A result that the provider
/// refuses would end the conversation.
pub const MAX_MEDIA_BYTES: u64 = (5 << 20) / 4 * 3;

/// The kinds of files that a model may be able to see or hear.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MediaKind {
    /// PNG, JPEG, GIF or WebP, which all providers accept.
    Image,
    /// A PDF document.
    Pdf,
    /// WAV, MP3, Ogg or FLAC.
    Audio,
}

/// A stored file that a model may be able to see or hear.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredMedia {
    /// The artifact.
    pub artifact: Artifact,
    /// The kind of file.
    pub kind: MediaKind,
    /// The media type, detected from the bytes: providers refuse a file of another type than its
    /// declared one.
    pub media_type: &'static str,
    /// The file; `None` if it is larger than [`MAX_MEDIA_BYTES`].
    pub bytes: Option<Vec<u8>>,
}

impl StoredMedia {
    /// Returns a sentence for the model that says what the artifact is.
    pub fn description(&self) -> String {
        let what = match self.kind {
            MediaKind::Image => "an image",
            MediaKind::Pdf => "a PDF document",
            MediaKind::Audio => "an audio recording",
        };
        format!("The artifact is {what} ({}, {} bytes).", self.media_type, self.artifact.size_bytes)
    }

    /// Returns the text that accompanies the file, or stands in its place if it is too large.
    pub fn text(&self) -> String {
        let description = self.description();
        match self.bytes {
            Some(_) => description,
            None => format!(
                "{description} It is not shown, because a reply has files of at most {MAX_MEDIA_BYTES} bytes."
            ),
        }
    }
}

impl Tuckaway {
    /// Returns the file that a model asks for, if a tool that reads names an image, a PDF document or a
    /// recording, and no bytes or characters of it. `None` for every other call, malformed ones included:
    /// [`call_tool`](Self::call_tool) answers those.
    pub async fn media_of_call(&self, name: &str, arguments: &str) -> Option<StoredMedia> {
        let parameter = parameter_of(name)?;
        let arguments: Value = serde_json::from_str(arguments).ok()?;
        if PARTS.iter().any(|part| arguments.get(part).is_some_and(is_given)) {
            return None;
        }
        self.stored_media(arguments.get(parameter)?.as_str()?.trim()).await
    }

    /// Returns an artifact that is an image, a PDF document or a recording. `None` if it is anything else,
    /// or if the store cannot read it.
    pub async fn stored_media(&self, id: &str) -> Option<StoredMedia> {
        if !is_artifact_id(id) {
            return None;
        }
        tokio::time::timeout(self.pool.limits().deadline, self.read_media(id)).await.ok()?
    }

    async fn read_media(&self, id: &str) -> Option<StoredMedia> {
        let store = self.pool.store();
        let artifact = store.stat(id).await.ok()?;
        if !may_be_media(&artifact.media_type) {
            return None;
        }
        let is_shown = artifact.size_bytes <= MAX_MEDIA_BYTES;
        let length = if is_shown { artifact.size_bytes as u32 } else { HEAD_BYTES };
        let bytes = store.read(id, 0, length).await.ok().filter(|bytes| bytes.len() == length as usize)?;
        let (kind, media_type) = detect(&bytes)?;
        Some(StoredMedia { artifact, kind, media_type, bytes: is_shown.then_some(bytes) })
    }
}

/// The bytes that show what a file is.
const HEAD_BYTES: u32 = 12;

/// The tools that read, one of each dialect, and the parameter of each that names the artifact.
const READING: [(&str, &str); 4] = [
    ("artifact_read", "artifact_id"),
    ("tool_output_cache", "ref_id"),
    ("tool_output", "handle"),
    ("read_large_output", "filename"),
];

/// The arguments that ask for a part of an artifact's bytes or characters. An image has no lines, so a
/// range of lines asks for all of it.
const PARTS: [&str; 4] = ["start_byte", "end_byte", "start", "cursor"];

/// Models pass 0 or an empty text for an argument that they do not want to set.
fn is_given(value: &Value) -> bool {
    !value.is_null() && value.as_u64() != Some(0) && value.as_str() != Some("")
}

/// Returns the parameter that names the artifact, if a tool reads it.
fn parameter_of(name: &str) -> Option<&'static str> {
    READING.iter().find(|(tool, _)| *tool == name).map(|(_, parameter)| *parameter)
}

fn may_be_media(media_type: &str) -> bool {
    media_type.starts_with("image/") || media_type.starts_with("audio/") || media_type == "application/pdf"
}

/// Detects the type of a file from its first bytes.
fn detect(bytes: &[u8]) -> Option<(MediaKind, &'static str)> {
    let starts = |start: &[u8]| bytes.starts_with(start);
    let riff = |form: &[u8]| starts(b"RIFF") && bytes.get(8..12) == Some(form);
    Some(match () {
        () if starts(b"\x89PNG\r\n\x1a\n") => (MediaKind::Image, "image/png"),
        () if starts(b"\xff\xd8\xff") => (MediaKind::Image, "image/jpeg"),
        () if starts(b"GIF87a") || starts(b"GIF89a") => (MediaKind::Image, "image/gif"),
        () if riff(b"WEBP") => (MediaKind::Image, "image/webp"),
        () if starts(b"%PDF-") => (MediaKind::Pdf, "application/pdf"),
        () if riff(b"WAVE") => (MediaKind::Audio, "audio/wav"),
        () if starts(b"ID3") || starts(b"\xff\xfb") => (MediaKind::Audio, "audio/mpeg"),
        () if starts(b"OggS") => (MediaKind::Audio, "audio/ogg"),
        () if starts(b"fLaC") => (MediaKind::Audio, "audio/flac"),
        () => return None,
    })
}

#[cfg(test)]
mod tests {
    use tuckaway_contract::{ArtifactTool, Dialect};

    use super::*;

    #[test]
    fn files_are_detected_from_their_first_bytes() {
        let types = |bytes: &[u8]| detect(bytes).map(|(_, media_type)| media_type);
        assert_eq!(types(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR"), Some("image/png"));
        assert_eq!(types(b"\xff\xd8\xff\xe0"), Some("image/jpeg"));
        assert_eq!(types(b"GIF89a"), Some("image/gif"));
        assert_eq!(types(b"RIFF\x10\0\0\0WEBPVP8 "), Some("image/webp"));
        assert_eq!(types(b"RIFF\x10\0\0\0WAVEfmt "), Some("audio/wav"));
        assert_eq!(types(b"%PDF-1.7"), Some("application/pdf"));
        // What a history only refers to is stored as its reference.
        assert_eq!(types(b"https://example.org/a.png"), None);
        assert_eq!(types(b"<svg xmlns="), None);
        assert_eq!(types(b"RIFF"), None);
        assert_eq!(types(b""), None);
    }

    #[test]
    fn the_tool_that_reads_is_known_in_every_dialect() {
        let names: Vec<&str> =
            Dialect::ALL.into_iter().flat_map(|dialect| dialect.tools_of(&[ArtifactTool::Read])).collect();
        assert_eq!(names, READING.map(|(tool, _)| tool));
        assert_eq!(parameter_of("artifact_grep"), None);
    }
}
