//! A part of an output: stored as one artifact and shown as one section.

use std::borrow::Cow;
use std::cell::OnceCell;

use tuckaway_content::{self as content, Kind};
use tuckaway_contract::Artifact;
use tuckaway_text::encoding::Encoding;
use tuckaway_text::{count_lines, lossy};

/// Maximum bytes of a media type that is shown to a model; it must also be printable
/// ASCII.
const MAX_MEDIA_TYPE_BYTES: usize = 127;

/// Text or bytes, with their metadata.
pub struct Part<'a> {
    data: Data<'a>,
    /// The media type that the tool declared.
    pub media_type: Option<Cow<'a, str>>,
    /// The first line of its section, which names its origin.
    pub label: Option<String>,
    /// The artifact that already holds it.
    pub stored: Option<&'a Artifact>,
    kind: OnceCell<Kind>,
    line_count: OnceCell<u64>,
    /// Its text in UTF-8, if it is in another encoding.
    decoded: OnceCell<Option<(Encoding, String)>>,
}

enum Data<'a> {
    Text(Cow<'a, str>),
    Bytes(Cow<'a, [u8]>),
}

impl<'a> Part<'a> {
    /// Creates a part that is known to be text.
    pub fn text(text: impl Into<Cow<'a, str>>) -> Self {
        Part::of(Data::Text(text.into()))
    }

    /// Creates a part of any content.
    pub fn bytes(bytes: impl Into<Cow<'a, [u8]>>) -> Self {
        Part::of(Data::Bytes(bytes.into()))
    }

    fn of(data: Data<'a>) -> Self {
        Part {
            data,
            media_type: None,
            label: None,
            stored: None,
            kind: OnceCell::new(),
            line_count: OnceCell::new(),
            decoded: OnceCell::new(),
        }
    }

    /// Sets the declared media type.
    pub fn with_media_type(mut self, media_type: Option<Cow<'a, str>>) -> Self {
        self.media_type = media_type;
        self
    }

    /// Returns the same part, borrowed.
    pub fn borrowed(&self) -> Part<'_> {
        Part {
            data: match &self.data {
                Data::Text(text) => Data::Text(Cow::Borrowed(text)),
                Data::Bytes(bytes) => Data::Bytes(Cow::Borrowed(bytes)),
            },
            media_type: self.media_type.as_deref().map(Cow::Borrowed),
            label: self.label.clone(),
            stored: self.stored,
            kind: self.kind.clone(),
            line_count: self.line_count.clone(),
            decoded: OnceCell::new(),
        }
    }

    /// Joins parts to one text; each part but the last ends in a line feed.
    pub fn joined(parts: &[Part<'_>]) -> Vec<u8> {
        let mut joined = Vec::new();
        for part in parts {
            if joined.last().is_some_and(|&last| last != b'\n') {
                joined.push(b'\n');
            }
            joined.extend_from_slice(part.as_bytes());
        }
        joined
    }

    /// Returns its bytes, unchanged.
    pub fn as_bytes(&self) -> &[u8] {
        match &self.data {
            Data::Text(text) => text.as_bytes(),
            Data::Bytes(bytes) => bytes,
        }
    }

    /// Returns its bytes as text: in UTF-8, or decoded; invalid bytes are replaced.
    pub fn as_text(&self) -> Cow<'_, str> {
        match (self.decoded(), &self.data) {
            (Some((_, text)), _) => Cow::Borrowed(text),
            (None, Data::Text(text)) => Cow::Borrowed(text),
            (None, Data::Bytes(bytes)) => lossy(bytes),
        }
    }

    /// Returns the bytes of its text: its own, unless they are in another encoding than
    /// UTF-8.
    pub fn readable(&self) -> &[u8] {
        self.decoded().map_or_else(|| self.as_bytes(), |(_, text)| text.as_bytes())
    }

    /// Returns its encoding, if that is not UTF-8.
    pub fn encoding(&self) -> Option<Encoding> {
        self.decoded().map(|(encoding, _)| *encoding)
    }

    fn decoded(&self) -> Option<&(Encoding, String)> {
        let decode = || {
            let bytes = self.as_bytes();
            Encoding::of(bytes).map(|encoding| (encoding, encoding.decode(bytes)))
        };
        self.decoded.get_or_init(decode).as_ref()
    }

    /// Returns the media type of its kind, with its encoding.
    pub fn media_type_of(&self, kind: Kind) -> Cow<'static, str> {
        let media_type = content::media_type(kind, self.readable());
        match self.encoding() {
            Some(encoding) => format!("{media_type}; charset={}", encoding.charset()).into(),
            None => media_type.into(),
        }
    }

    /// Returns whether it came as text.
    pub fn is_text(&self) -> bool {
        matches!(self.data, Data::Text(_))
    }

    /// Returns its length in bytes.
    pub fn len(&self) -> usize {
        self.as_bytes().len()
    }

    /// Returns its line feeds, plus one if the last line does not end in one.
    pub fn line_count(&self) -> u64 {
        match self.stored {
            Some(artifact) => artifact.line_count,
            None => *self.line_count.get_or_init(|| count_lines(self.readable())),
        }
    }

    /// Returns its kind, which is detected once.
    pub fn kind(&self) -> Kind {
        *self.kind.get_or_init(|| content::detect(self.readable(), self.media_type.as_deref()))
    }

    /// Returns whether it is plain text that can be merged with its neighbours.
    pub fn is_plain_text(&self) -> bool {
        self.media_type.is_none() && self.label.is_none() && self.kind().is_plain()
    }

    /// Returns the note that replaces content which cannot be shown.
    pub fn note(&self) -> Option<String> {
        content::note(self.kind(), self.readable())
    }

    /// Returns the note that replaces it inline: for bytes that are not text, unless
    /// the note is longer than they are.
    pub fn inline_note(&self) -> Option<String> {
        match &self.data {
            Data::Bytes(bytes) if std::str::from_utf8(bytes).is_err() => {
                self.note().filter(|note| note.len() <= bytes.len())
            }
            _ => None,
        }
    }

    /// Returns whether it may be the message of an error: a part that is alone always,
    /// one of several only if it can be shown.
    pub fn is_message(&self, is_error: bool, is_alone: bool) -> bool {
        is_error && (is_alone || self.note().is_none())
    }

    /// Returns its text, or the note that replaces it, in at most `max` bytes. A
    /// message is shown as text whatever its content.
    pub fn truncated(&self, is_message: bool, max: usize) -> String {
        match self.note().filter(|note| !is_message && note.len() <= max) {
            Some(note) => note,
            None => {
                let text = self.as_text();
                match text.len() <= max {
                    true => text.into_owned(),
                    false => content::truncate(&content::clean(&text, self.kind()), self.kind(), max),
                }
            }
        }
    }
}

/// Returns whether a model may be shown a media type: short, printable ASCII.
pub fn is_presentable(media_type: &str) -> bool {
    (1..=MAX_MEDIA_TYPE_BYTES).contains(&media_type.len())
        && media_type.bytes().all(|b| (0x20..0x7F).contains(&b))
}
