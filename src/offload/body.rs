//! The blocks of an output as one body: measured without being changed.

use std::borrow::Cow;
use std::cell::OnceCell;

use crate::artifact;
use crate::error::Error;
use crate::model::{Artifact, Content, ToolOutput};
use crate::ports::Store;
use crate::text::{count_lines, lossy};

/// Longer media types than this, or ones that are no printable ASCII, are not
/// passed on: they are read by a model.
const MAX_MEDIA_TYPE_BYTES: usize = 127;

/// What an output is without the blocks that are passed on.
pub struct Body<'a> {
    source: Source<'a>,
    /// Its length.
    pub size_bytes: u64,
    /// Line feeds, and one more for a last line that has none.
    pub line_count: u64,
    /// As the tool named it.
    pub media_type: Option<&'a str>,
    /// Blocks that are passed on as they are, by index.
    pub kept: Vec<u32>,
}

enum Source<'a> {
    Text(&'a str),
    Bytes(Cow<'a, [u8]>),
    /// Loaded when it is first asked for: many decisions need its size alone.
    Stored(Artifact, OnceCell<Vec<u8>>),
}

impl<'a> Body<'a> {
    /// The body of an output: the one block that there mostly is, or several
    /// joined by line feeds.
    pub fn of(store: &dyn Store, output: &'a ToolOutput) -> Result<Self, Error> {
        let is_kept = |media_type: &Option<String>| {
            media_type
                .as_deref()
                .is_some_and(|t| ["image/", "audio/", "video/"].iter().any(|kind| t.starts_with(kind)))
        };
        let mut kept = Vec::new();
        let mut blocks = Vec::new();
        for (index, block) in output.blocks.iter().enumerate() {
            match is_kept(&block.media_type) {
                true => kept.push(index as u32),
                false => blocks.push(block),
            }
        }
        let media_type = match &blocks[..] {
            [block] => block.media_type.as_deref().filter(|t| is_presentable(t)),
            _ => None,
        };
        let source = match &blocks[..] {
            [block] => match &block.content {
                Content::Text(text) => Source::Text(text),
                Content::Bytes(bytes) => Source::Bytes(Cow::Borrowed(bytes)),
                Content::Stored(id) => {
                    let artifact = artifact::stat(store, id)?;
                    let (size_bytes, line_count) = (artifact.size_bytes, artifact.line_count);
                    let source = Source::Stored(artifact, OnceCell::new());
                    return Ok(Body { source, size_bytes, line_count, media_type, kept });
                }
            },
            blocks => {
                let mut joined = Vec::new();
                for block in blocks {
                    if joined.last().is_some_and(|&last| last != b'\n') {
                        joined.push(b'\n');
                    }
                    match &block.content {
                        Content::Text(text) => joined.extend_from_slice(text.as_bytes()),
                        Content::Bytes(bytes) => joined.extend_from_slice(bytes),
                        Content::Stored(id) => {
                            return Err(Error::invalid(format!(
                                "The stored artifact {id:?} is one of several blocks; pass it as the only block of its output."
                            )));
                        }
                    }
                }
                Source::Bytes(Cow::Owned(joined))
            }
        };
        let bytes = match &source {
            Source::Text(text) => text.as_bytes(),
            Source::Bytes(bytes) => bytes,
            Source::Stored(..) => unreachable!("it has returned above"),
        };
        let (size_bytes, line_count) = (bytes.len() as u64, count_lines(bytes));
        Ok(Body { source, size_bytes, line_count, media_type, kept })
    }

    /// The artifact that holds it already.
    pub fn stored(&self) -> Option<&Artifact> {
        match &self.source {
            Source::Stored(artifact, _) => Some(artifact),
            _ => None,
        }
    }

    /// Its bytes, as they came in.
    pub fn bytes(&self, store: &dyn Store) -> Result<&[u8], Error> {
        match &self.source {
            Source::Text(text) => Ok(text.as_bytes()),
            Source::Bytes(bytes) => Ok(bytes),
            Source::Stored(artifact, loaded) => {
                if let Some(bytes) = loaded.get() {
                    return Ok(bytes);
                }
                let bytes = artifact::load(store, artifact)?;
                Ok(loaded.get_or_init(|| bytes))
            }
        }
    }

    /// Its bytes as a model is shown them.
    pub fn text(&self, store: &dyn Store) -> Result<Cow<'_, str>, Error> {
        match &self.source {
            Source::Text(text) => Ok(Cow::Borrowed(text)),
            _ => Ok(lossy(self.bytes(store)?)),
        }
    }
}

/// Whether a model may be shown a media type: short, printable ASCII.
pub fn is_presentable(media_type: &str) -> bool {
    (1..=MAX_MEDIA_TYPE_BYTES).contains(&media_type.len())
        && media_type.bytes().all(|b| (0x20..0x7F).contains(&b))
}
