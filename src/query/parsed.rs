//! Prepares an artifact for jq: detects its kind by its head, and converts CSV and YAML
//! to JSON in memory.

use tuckaway_content::{self as content, Sample, ToJsonError};
use tuckaway_contract::{Error, JqQuery};
use tuckaway_jq::Bytes;
use tuckaway_json::within::{FirstDocument, first_documents, start_within};
use tuckaway_search::source::ByteSource;
use tuckaway_text::clean::without_sequences;
use tuckaway_text::cut;

use super::json_part::JsonPart;
use crate::query::refuse_binary;
use crate::query::source::Source;
use tuckaway_text::human_bytes;

/// The bytes of an artifact that are inspected to detect its kind: a [`Sample`] and a few bytes
/// after it.
const HEAD_BYTES: usize = (64 << 10) + 4;

/// Maximum bytes of content to convert; all of it is in memory.
const MAX_BYTES: u64 = 64 << 20;
/// Maximum bytes of the resulting JSON, which is in memory at the same time.
pub(super) const MAX_JSON_BYTES: usize = 256 << 20;

/// Maximum bytes of a note on how content was read.
const NOTE_BYTES: usize = 200;

/// An artifact as jq reads it.
pub(super) struct Readable<'a> {
    content: Content<'a>,
    /// Whether there are several documents.
    several: bool,
    /// The number of lines of text skipped before the JSON.
    skipped_lines: usize,
    /// A note on the part skipped at the end.
    skipped_end: Option<String>,
}

enum Content<'a> {
    Json(JsonPart<'a>),
    /// JSON from another format, and how it was converted.
    Converted(Bytes, String),
}

impl<'a> Readable<'a> {
    /// Opens an artifact. It is read unchanged if its head is JSON, or if its kind cannot be
    /// converted; from the line where JSON begins if other text precedes it; and otherwise
    /// converted to JSON of at most `max_json` bytes.
    ///
    /// Errors: `limit` for content that is too large to convert, and `unsupported` for
    /// binary content.
    pub(super) fn open(source: Source<'a>, max_json: usize) -> Result<Self, Error> {
        let head = source.read_at(0, HEAD_BYTES)?;
        let is_all = source.size() <= HEAD_BYTES as u64;
        let json = first_documents(&head, is_all);
        if let Ok(FirstDocument { is_container: true, several })
        | Ok(FirstDocument { several: several @ false, .. }) = json
        {
            return Ok(Readable::json(source, 0, 0, several));
        }
        refuse_binary(&head, &source, "query")?;
        // JSON scalars in sequence may also be a table.
        let declared = Some(source.artifact().media_type.as_str());
        let kind = content::detect_by_sample(&Sample::of(&head), declared);
        let Some(to_json) = content::to_json(kind) else {
            return Ok(match start_within(&head, is_all).filter(|_| json.is_err()) {
                Some(start) => Readable::json(source, start.offset as u64, start.lines, start.several),
                None => Readable::json(source, 0, 0, json.is_ok()),
            });
        };
        if source.size() > MAX_BYTES {
            return Err(Error::limit(format!(
                "This is not JSON, and {} is too large to convert: the limit is {} MiB. Search it with grep or read it instead.",
                human_bytes(source.size()),
                MAX_BYTES >> 20
            )));
        }
        let text = source.read_at(0, MAX_BYTES as usize)?;
        let converted = to_json(&without_sequences(&text), max_json).map_err(conversion_error)?;
        let content = Content::Converted(Bytes(converted.json), converted.note);
        Ok(Readable { content, several: false, skipped_lines: 0, skipped_end: None })
    }

    fn json(source: Source<'a>, start: u64, skipped_lines: usize, several: bool) -> Self {
        let content = Content::Json(JsonPart::from(source, start));
        Readable { content, several, skipped_lines, skipped_end: None }
    }

    /// Returns the bytes of JSON that are in memory, because the content was converted.
    pub(super) fn bytes_in_memory(&self) -> usize {
        match &self.content {
            Content::Json(_) => 0,
            Content::Converted(bytes, _) => bytes.0.len(),
        }
    }

    /// Returns the bytes of the JSON.
    pub(super) fn content(&self) -> &tuckaway_jq::Source<'a> {
        match &self.content {
            Content::Json(part) => part,
            Content::Converted(bytes, _) => bytes,
        }
    }

    /// Reduces JSON with an error at its end to the complete part before it. Returns false if that
    /// is impossible.
    pub(super) fn reduce_to_whole(&mut self) -> bool {
        if let Content::Json(part) = &mut self.content {
            self.skipped_end = part.reduce_to_whole();
        }
        self.skipped_end.is_some()
    }

    /// Describes how the content is read for a query, whose filter may take inputs. Returns none
    /// for a single JSON document.
    pub(super) fn parsed_as(&self, query: &JqQuery, takes_inputs: bool) -> Option<String> {
        let lines = match self.skipped_lines {
            0 => String::new(),
            1 => " from line 2 on (line 1 was skipped)".to_owned(),
            lines => format!(" from line {} on (lines 1 to {lines} were skipped)", lines + 1),
        };
        let mut note = match &self.content {
            Content::Converted(_, note) => match (query.slurp, note.strip_suffix(ONCE_FOR_EACH)) {
                (false, _) => note.clone(),
                (true, Some(documents)) => format!("{documents}, slurped into one array"),
                (true, None) => format!("{note}; slurped into an array"),
            },
            Content::Json(_) if self.several => {
                format!("Several JSON documents{lines}{}", use_of_documents(query, takes_inputs))
            }
            Content::Json(_) if query.slurp => format!("A JSON document{lines}, slurped into an array"),
            Content::Json(_) if lines.is_empty() && self.skipped_end.is_none() => return None,
            Content::Json(_) => format!("A JSON document{lines}"),
        };
        if let Some(skipped) = &self.skipped_end {
            note += &format!("; {skipped}");
        }
        Some(cut::with_ellipsis(note, NOTE_BYTES))
    }
}

fn conversion_error(error: ToJsonError) -> Error {
    match error {
        ToJsonError::TooLarge(why) => Error::limit(why),
        ToJsonError::Unsupported(why) => Error::unsupported(why),
    }
}

const ONCE_FOR_EACH: &str = ": the filter runs once for each";

/// Describes how a filter processes several documents.
fn use_of_documents(query: &JqQuery, takes_inputs: bool) -> String {
    match (query.null_input, query.slurp) {
        (true, _) => ": the filter runs once, on null, and inputs are the documents".to_owned(),
        (false, true) => ", slurped into one array".to_owned(),
        (false, false) if takes_inputs => {
            ": . is the first, and inputs are the others; for all of them, use [., inputs]".to_owned()
        }
        (false, false) => ONCE_FOR_EACH.to_owned(),
    }
}
