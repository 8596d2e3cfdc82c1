//! The JSON of an artifact: the whole artifact, a part between lines of other text, or the complete
//! part of truncated JSON.

use std::error::Error as StdError;

use tuckaway_jq::SourceError;
use tuckaway_json::input::{PartReader, Stream};
use tuckaway_json::scan::Scanner;
use tuckaway_json::whole::{is_cut_off, whole_part};
use tuckaway_search::source::{ByteSource, Reads};

use super::source::Source;

/// Bytes after an error that show whether the JSON was truncated there.
const REST_BYTES: usize = 256;

/// A part of an artifact. Offsets are those of the artifact.
pub(super) struct JsonPart<'a> {
    source: Source<'a>,
    /// Text before this offset reads as white space, so that line numbers stay the same.
    start: u64,
    end: u64,
    /// The text that closes the containers that are open at the end.
    closing: String,
}

impl<'a> JsonPart<'a> {
    /// Creates the part of an artifact that begins at an offset.
    pub(super) fn from(source: Source<'a>, start: u64) -> Self {
        JsonPart { start, end: source.size(), closing: String::new(), source }
    }

    /// Reduces JSON with an error to the complete part before it, if the JSON was truncated there
    /// or other text follows on separate lines. Returns a note for a model.
    pub(super) fn reduce_to_whole(&mut self) -> Option<String> {
        let reader = Parts { part: self, reads: self.reads() };
        let whole = whole_part(Scanner::new(Stream::open(reader, 0)))?;
        let at = whole.error.offset;
        let rest = self.source.read_at(at, REST_BYTES).ok()?;
        let note = if whole.is_between && whole.documents > 0 && self.begins_line(at) {
            format!("text from byte {at} on was skipped")
        } else if rest.len() < REST_BYTES && is_cut_off(&rest) {
            match whole.documents {
                0 => format!("it is truncated and was read up to byte {}", whole.end),
                _ => format!("the last one is truncated and was skipped from byte {} on", whole.end),
            }
        } else {
            return None;
        };
        (self.end, self.closing) = (whole.end, whole.closing);
        Some(note)
    }

    /// Returns whether only white space precedes `at` on its line.
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
