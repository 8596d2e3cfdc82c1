//! Prepares an artifact for jq: detects its kind by its head, and converts CSV and YAML
//! to JSON in memory.

use tuckaway_content::{self as content, Sample, ToJsonError};
use tuckaway_jq::{Bytes, SourceError};
use tuckaway_search::source::ByteSource;

use crate::error::Error;
use crate::query::refuse_binary;
use crate::query::source::Source;
use tuckaway_json::scan::{Scanner, SyntaxError};
use tuckaway_text::human_bytes;

/// The bytes of an artifact that are inspected to detect its kind: those of a
/// [`Sample`], and a few that follow it.
const HEAD_BYTES: usize = (64 << 10) + 4;

/// The most bytes of content that is converted: all of it is in memory.
const MAX_BYTES: u64 = 64 << 20;
/// The most bytes of the resulting JSON, which is in memory at the same time.
const MAX_JSON_BYTES: usize = 256 << 20;

/// An artifact as jq reads it.
pub(super) struct Readable<'a> {
    /// The bytes of its JSON.
    pub(super) content: Box<tuckaway_jq::Source<'a>>,
    /// How it was read, unless it is a single JSON document.
    pub(super) parsed_as: Option<String>,
}

impl<'a> Readable<'a> {
    /// Opens an artifact: unchanged if its head is JSON, or of a kind that cannot be
    /// converted, and otherwise converted to JSON.
    ///
    /// Errors: `limit` for content that is too large to convert, and `unsupported` for
    /// binary content.
    pub(super) fn open(source: Source<'a>) -> Result<Self, Error> {
        let head = source.read_at(0, HEAD_BYTES)?;
        let json = first_documents(&head, source.size() <= HEAD_BYTES as u64);
        if let Ok(FirstDocument { is_container: true, several })
        | Ok(FirstDocument { several: several @ false, .. }) = json
        {
            return Ok(Readable {
                content: Box::new(JsonArtifact(source)),
                parsed_as: several.then(several_documents),
            });
        }
        refuse_binary(&head, &source, "query")?;
        // JSON scalars in sequence may also be a table.
        let declared = Some(source.artifact().media_type.as_str());
        let kind = content::detect_by_sample(&Sample::of(&head), declared);
        let Some(to_json) = content::to_json(kind) else {
            let parsed_as = json.is_ok().then(several_documents);
            return Ok(Readable { content: Box::new(JsonArtifact(source)), parsed_as });
        };
        if source.size() > MAX_BYTES {
            return Err(Error::limit(format!(
                "This is not JSON, and {} is too large to convert: the limit is {} MiB. Search it with grep or read it instead.",
                human_bytes(source.size()),
                MAX_BYTES >> 20
            )));
        }
        let converted =
            to_json(&source.read_at(0, MAX_BYTES as usize)?, MAX_JSON_BYTES).map_err(conversion_error)?;
        Ok(Readable { content: Box::new(Bytes(converted.json)), parsed_as: Some(converted.note) })
    }
}

/// An artifact whose bytes are JSON.
struct JsonArtifact<'a>(Source<'a>);

impl ByteSource for JsonArtifact<'_> {
    type Error = SourceError;

    fn size(&self) -> u64 {
        self.0.size()
    }

    fn read_at(&self, offset: u64, length: usize) -> Result<Vec<u8>, SourceError> {
        Ok(self.0.read_at(offset, length)?)
    }
}

fn conversion_error(error: ToJsonError) -> Error {
    match error {
        ToJsonError::TooLarge(why) => Error::limit(why),
        ToJsonError::Unsupported(why) => Error::unsupported(why),
    }
}

fn several_documents() -> String {
    "Several JSON documents: the filter runs once for each".to_owned()
}

/// The first document of an artifact.
struct FirstDocument {
    /// It is an array or an object.
    is_container: bool,
    /// Another document follows.
    several: bool,
}

/// Parses the first document of a head, up to the start of the second one or to the
/// end of the head, which may cut a document.
fn first_documents(head: &[u8], is_all: bool) -> Result<FirstDocument, SyntaxError> {
    /// A literal that the end of the head cuts is not an error.
    const LONGEST_WORD: u64 = 5;
    let mut scanner = Scanner::new(head);
    let mut first = None;
    let mut ended = false;
    loop {
        let token = match scanner.next_token() {
            Ok(Some(token)) => token,
            Ok(None) => break,
            Err(error) if !is_all && error.offset + LONGEST_WORD >= head.len() as u64 => break,
            Err(error) => return Err(error),
        };
        if ended {
            return Ok(FirstDocument { is_container: first == Some(true), several: true });
        }
        first = first.or(Some(token.kind.opens()));
        ended = scanner.depth() == 0;
    }
    Ok(FirstDocument { is_container: first == Some(true), several: false })
}
