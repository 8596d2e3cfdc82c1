//! The door to jq for content that is no JSON: it is told by its head, and made
//! into JSON in memory, which is then queried like any other.

use tuckaway_content::{self as content, Sample, ToJsonError};
use tuckaway_jq::{Bytes, SourceError};
use tuckaway_search::source::ByteSource;

use crate::error::Error;
use crate::query::refuse_binary;
use crate::query::source::Source;
use tuckaway_json::scan::{Scanner, SyntaxError};
use tuckaway_text::human_bytes;

/// Bytes of an artifact that are looked at to tell its kind: all that a
/// [`Sample`] looks at, and what follows it.
const HEAD_BYTES: usize = (64 << 10) + 4;

/// Bytes of content that is made into JSON: it is in memory as a whole.
const MAX_BYTES: u64 = 64 << 20;
/// Bytes of the JSON that is made of it, in memory next to it.
const MAX_JSON_BYTES: usize = 256 << 20;

/// An artifact as jq reads it.
pub(super) struct Readable<'a> {
    /// Its JSON.
    pub(super) content: Box<tuckaway_jq::Source<'a>>,
    /// How it was read, if it is not one JSON document.
    pub(super) parsed_as: Option<String>,
}

impl<'a> Readable<'a> {
    /// The artifact as it is, if its head is JSON or nothing that could be made
    /// into it; else as the JSON that was made of all of it, or `limit` where that
    /// is too much.
    pub(super) fn of(source: Source<'a>) -> Result<Self, Error> {
        let head = source.read_at(0, HEAD_BYTES)?;
        let json = first_documents(&head, source.size() <= HEAD_BYTES as u64);
        if let Ok(First { is_container: true, several }) | Ok(First { several: several @ false, .. }) = json {
            return Ok(Readable {
                content: Box::new(Artifact(source)),
                parsed_as: several.then(several_documents),
            });
        }
        refuse_binary(&head, &source, "query")?;
        // Numbers and words in a row may also be a table of them.
        let claimed = Some(source.artifact().media_type.as_str());
        let kind = content::detect_by_sample(&Sample::of(&head), claimed);
        let Some(to_json) = content::to_json(kind) else {
            let parsed_as = json.is_ok().then(several_documents);
            return Ok(Readable { content: Box::new(Artifact(source)), parsed_as });
        };
        if source.size() > MAX_BYTES {
            return Err(Error::limit(format!(
                "This is not JSON but could be made into it, if it were not {} large: jq can query up to {} MiB of it. Search it with grep or read it instead.",
                human_bytes(source.size()),
                MAX_BYTES >> 20
            )));
        }
        let made = to_json(&source.read_at(0, MAX_BYTES as usize)?, MAX_JSON_BYTES).map_err(not_made)?;
        Ok(Readable { content: Box::new(Bytes(made.json)), parsed_as: Some(made.note) })
    }
}

/// An artifact whose bytes are JSON as they are.
struct Artifact<'a>(Source<'a>);

impl ByteSource for Artifact<'_> {
    type Error = SourceError;

    fn size(&self) -> u64 {
        self.0.size()
    }

    fn read_at(&self, offset: u64, length: usize) -> Result<Vec<u8>, SourceError> {
        Ok(self.0.read_at(offset, length)?)
    }
}

fn not_made(error: ToJsonError) -> Error {
    match error {
        ToJsonError::TooLarge(why) => Error::limit(why),
        ToJsonError::Unsupported(why) => Error::unsupported(why),
    }
}

fn several_documents() -> String {
    "Several JSON documents: the filter runs once for each".to_owned()
}

/// What an artifact begins with.
struct First {
    /// The first document is an array or an object.
    is_container: bool,
    /// There is a second one.
    several: bool,
}

/// What a head begins with that is JSON as far as it goes, or as far as its
/// second document.
fn first_documents(head: &[u8], is_all: bool) -> Result<First, SyntaxError> {
    /// A word or a number that the head's end cuts is no error.
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
            return Ok(First { is_container: first == Some(true), several: true });
        }
        first = first.or(Some(token.kind.opens()));
        ended = scanner.depth() == 0;
    }
    Ok(First { is_container: first == Some(true), several: false })
}
