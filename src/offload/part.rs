//! A part of an output: what is stored as one artifact and shown as one section.

use std::borrow::Cow;
use std::cell::OnceCell;

use crate::model::Artifact;
use tuckaway_content::{self as content, Kind};
use tuckaway_text::{count_lines, lossy};

/// Text or bytes with what is known of them.
pub struct Part<'a> {
    content: Content<'a>,
    /// As the tool named it.
    pub media_type: Option<Cow<'a, str>>,
    /// What its section begins with: where it is from, on a line of its own.
    pub label: Option<String>,
    /// The artifact that holds it already.
    pub stored: Option<&'a Artifact>,
    kind: OnceCell<Kind>,
    line_count: OnceCell<u64>,
}

enum Content<'a> {
    Text(Cow<'a, str>),
    Bytes(Cow<'a, [u8]>),
}

impl<'a> Part<'a> {
    /// A part that is known to be text.
    pub fn text(text: impl Into<Cow<'a, str>>) -> Self {
        Part::of(Content::Text(text.into()))
    }

    /// A part that may be anything.
    pub fn bytes(bytes: impl Into<Cow<'a, [u8]>>) -> Self {
        Part::of(Content::Bytes(bytes.into()))
    }

    fn of(content: Content<'a>) -> Self {
        Part {
            content,
            media_type: None,
            label: None,
            stored: None,
            kind: OnceCell::new(),
            line_count: OnceCell::new(),
        }
    }

    /// The same with a media type.
    pub fn with_media_type(mut self, media_type: Option<Cow<'a, str>>) -> Self {
        self.media_type = media_type;
        self
    }

    /// The same, borrowed.
    pub fn borrowed(&self) -> Part<'_> {
        Part {
            content: match &self.content {
                Content::Text(text) => Content::Text(Cow::Borrowed(text)),
                Content::Bytes(bytes) => Content::Bytes(Cow::Borrowed(bytes)),
            },
            media_type: self.media_type.as_deref().map(Cow::Borrowed),
            label: self.label.clone(),
            stored: self.stored,
            kind: self.kind.clone(),
            line_count: self.line_count.clone(),
        }
    }

    /// The parts as one text, a line feed between two where the first does not
    /// end in one.
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

    /// Its bytes, as they came in.
    pub fn as_bytes(&self) -> &[u8] {
        match &self.content {
            Content::Text(text) => text.as_bytes(),
            Content::Bytes(bytes) => bytes,
        }
    }

    /// Its bytes as a model is shown them.
    pub fn as_text(&self) -> Cow<'_, str> {
        match &self.content {
            Content::Text(text) => Cow::Borrowed(text),
            Content::Bytes(bytes) => lossy(bytes),
        }
    }

    /// Its length.
    pub fn len(&self) -> usize {
        self.as_bytes().len()
    }

    /// Line feeds, and one more for a last line that has none.
    pub fn line_count(&self) -> u64 {
        match self.stored {
            Some(artifact) => artifact.line_count,
            None => *self.line_count.get_or_init(|| count_lines(self.as_bytes())),
        }
    }

    /// What it is.
    pub fn kind(&self) -> Kind {
        *self.kind.get_or_init(|| content::detect(self.as_bytes(), self.media_type.as_deref()))
    }

    /// Whether nothing but words is lost if it becomes one with its neighbours.
    pub fn is_plain_text(&self) -> bool {
        self.media_type.is_none() && self.label.is_none() && matches!(self.kind(), Kind::Text | Kind::Prose)
    }

    /// What stands for it where it is nothing to read; none where it can be shown.
    pub fn note(&self) -> Option<String> {
        content::note(self.kind(), self.as_bytes())
    }

    /// What stands for it inline: for bytes that are no text a note, unless that is
    /// longer than they are.
    pub fn inline_note(&self) -> Option<String> {
        match &self.content {
            Content::Bytes(bytes) if std::str::from_utf8(bytes).is_err() => {
                self.note().filter(|note| note.len() <= bytes.len())
            }
            _ => None,
        }
    }

    /// Whether it may be what an error says: whatever it looks like, if it is
    /// alone; beside others, what can't be shown is not the message.
    pub fn is_message(&self, is_error: bool, is_alone: bool) -> bool {
        is_error && (is_alone || self.note().is_none())
    }

    /// It, or what stands for it, in at most `max` bytes. Of a message all is
    /// shown that can be.
    pub fn shortened(&self, is_message: bool, max: usize) -> String {
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
