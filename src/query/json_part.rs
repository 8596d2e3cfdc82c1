//! The JSON of an artifact: all of it, or a part between lines of other text, or what is
//! whole of JSON that was cut off.

use std::error::Error as StdError;

use tuckaway_jq::SourceError;
use tuckaway_json::input::{PartReader, Stream};
use tuckaway_json::scan::{Scanner, SyntaxError};
use tuckaway_json::whole::{is_cut_off, whole_part};
use tuckaway_search::LineSpans;
use tuckaway_search::source::{ByteSource, Reads};

use super::source::Source;

/// Bytes after an error that show whether JSON was cut off there.
const REST_BYTES: usize = 256;

/// Lines of a head that are tried as the start of JSON.
const MAX_STARTS: usize = 64;

/// Shorter JSON is not taken for JSON if text is on both sides of it.
const MIN_BYTES_WITHIN_TEXT: usize = 64;

/// A part of an artifact. Offsets are those of the artifact.
pub(super) struct JsonPart<'a> {
    source: Source<'a>,
    /// Text before this reads as white space, so that lines stay where they are.
    start: u64,
    end: u64,
    /// What closes the containers that are open at the end.
    closing: String,
}

impl<'a> JsonPart<'a> {
    /// Takes an artifact from an offset on.
    pub(super) fn from(source: Source<'a>, start: u64) -> Self {
        JsonPart { start, end: source.size(), closing: String::new(), source }
    }

    /// Reduces JSON with an error to the part before it that is whole, if it was cut off
    /// there or text follows on lines of its own. Returns a note for a model.
    pub(super) fn reduce_to_whole(&mut self) -> Option<String> {
        let reader = Parts { part: self, reads: self.reads() };
        let whole = whole_part(Scanner::new(Stream::open(reader, 0)))?;
        let at = whole.error.offset;
        let rest = self.source.read_at(at, REST_BYTES).ok()?;
        let note = if whole.is_between && whole.documents > 0 && self.begins_line(at) {
            format!("text from byte {at} on was skipped")
        } else if rest.len() < REST_BYTES && is_cut_off(&rest) {
            match whole.documents {
                0 => format!("it is cut off, and read up to byte {}", whole.end),
                _ => format!("the last one is cut off, and was skipped from byte {} on", whole.end),
            }
        } else {
            return None;
        };
        (self.end, self.closing) = (whole.end, whole.closing);
        Some(note)
    }

    /// Returns whether there is nothing but white space before `at` on its line.
    fn begins_line(&self, at: u64) -> bool {
        let from = at.saturating_sub(REST_BYTES as u64);
        let before = self.source.read_at(from, (at - from) as usize).unwrap_or_default();
        before.trim_ascii_end().len() < before.len()
            && before[before.trim_ascii_end().len()..].contains(&b'\n')
    }
}

impl ByteSource for JsonPart<'_> {
    type Error = SourceError;

    fn size(&self) -> u64 {
        self.end + self.closing.len() as u64
    }

    fn read_at(&self, offset: u64, length: usize) -> Result<Vec<u8>, SourceError> {
        let left = self.end.saturating_sub(offset);
        let from_source = usize::try_from(left).unwrap_or(usize::MAX).min(length);
        let mut bytes = match from_source {
            0 => Vec::new(),
            _ => self.source.read_at(offset, from_source)?,
        };
        let masked =
            usize::try_from(self.start.saturating_sub(offset)).unwrap_or(usize::MAX).min(bytes.len());
        for byte in bytes[..masked].iter_mut().filter(|byte| **byte != b'\n') {
            *byte = b' ';
        }
        if bytes.len() as u64 == left {
            let skipped = offset.saturating_sub(self.end) as usize;
            let closing = self.closing.as_bytes().get(skipped..).unwrap_or_default();
            bytes.extend_from_slice(&closing[..closing.len().min(length - bytes.len())]);
        }
        Ok(bytes)
    }

    fn reads(&self) -> Reads {
        self.source.reads()
    }
}

/// The parts of a [`JsonPart`] for a scanner.
struct Parts<'p, 'a> {
    part: &'p JsonPart<'a>,
    reads: Reads,
}

impl PartReader for Parts<'_, '_> {
    fn read(&mut self, offset: u64, _: usize, _: usize) -> Result<Vec<u8>, Box<dyn StdError>> {
        self.part.read_at(offset, self.reads.next()).map_err(|error| error as Box<dyn StdError>)
    }
}

/// The first document of an artifact.
pub(super) struct FirstDocument {
    /// It is an array or an object.
    pub(super) is_container: bool,
    /// Another document follows.
    pub(super) several: bool,
}

/// A literal that the end of a head cuts is not an error.
const LONGEST_WORD: u64 = 5;

/// Parses the first document of a head, up to the start of the second one or to the
/// end of the head, which may cut a document.
pub(super) fn first_documents(head: &[u8], is_all: bool) -> Result<FirstDocument, SyntaxError> {
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

/// JSON that begins after lines of other text: a banner, the headers of a response.
pub(super) struct StartWithin {
    pub(super) offset: u64,
    /// How many lines are before it.
    pub(super) lines: usize,
    /// Whether several documents follow each other.
    pub(super) several: bool,
}

/// Finds where JSON begins on a line of a head after the first: up to the end of the head, or up
/// to a line of other text.
pub(super) fn start_within(head: &[u8], is_all: bool) -> Option<StartWithin> {
    let mut is_after_blank = false;
    let starts = LineSpans::of(head).enumerate().filter_map(|(lines, span)| {
        let is_after_blank = std::mem::replace(&mut is_after_blank, span.line.is_empty());
        let is_start = lines > 0 && matches!(span.line.first(), Some(b'{' | b'['));
        is_start.then_some((lines, span.start, is_after_blank))
    });
    starts.take(MAX_STARTS).find_map(|(lines, start, is_after_blank)| {
        let rest = &head[start..];
        let (documents, bytes) = documents_at(rest, is_all)?;
        // `[1]` on a line of its own may be anything.
        let is_sure = is_after_blank || rest[0] == b'{' || bytes >= MIN_BYTES_WITHIN_TEXT;
        is_sure.then_some(StartWithin { offset: start as u64, lines, several: documents > 1 })
    })
}

/// Returns how many containers a text begins with, one of which may be cut off by its end, and how
/// many bytes they take. None if it does not begin with JSON, or if other text follows on the
/// same line.
fn documents_at(text: &[u8], is_all: bool) -> Option<(u64, usize)> {
    let mut scanner = Scanner::new(text);
    let (mut documents, mut is_between) = (0, true);
    let end = loop {
        match scanner.next_token() {
            Ok(Some(token)) if is_between && !token.kind.opens() => break token.start,
            Ok(Some(_)) => {
                documents += u64::from(is_between);
                is_between = scanner.depth() == 0;
            }
            Ok(None) => return Some((documents, text.len())),
            Err(error) if !is_all && error.offset + LONGEST_WORD >= text.len() as u64 => {
                return Some((documents, text.len()));
            }
            Err(error) => break error.offset,
        }
    };
    let before = &text[..end as usize];
    let is_whole =
        is_between && documents > 0 && before.ends_with(b"\n") && before.len() >= MIN_BYTES_WITHIN_TEXT;
    let is_cut = !is_between && is_all && is_cut_off(&text[end as usize..]);
    (is_whole || is_cut).then_some((documents, before.len()))
}
