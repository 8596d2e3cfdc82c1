//! One line, which may be longer than memory.

use std::str::Utf8Chunk;

use tuckaway_contract::Error;
use tuckaway_search::find;
use tuckaway_search::source::{ByteSource, Reads, slice_at};

use super::matcher::SearchError;
use crate::query::source::Source;

/// A line without its line ending.
pub(super) enum Line<'l> {
    /// Its bytes.
    InMemory(&'l [u8]),
    /// Its position; its parts are read when needed.
    InSource { source: &'l Source<'l>, start: u64, len: u64 },
}

impl<'l> Line<'l> {
    /// Finds the line of an artifact that begins at `start`, and returns it with the start of the
    /// next one. The line is read once to find its end.
    pub(super) fn in_source(
        source: &'l Source<'l>,
        start: u64,
        keeps_carriage_return: bool,
    ) -> Result<(Self, u64), Error> {
        let (mut at, mut last) = (start, 0);
        loop {
            let part = source.read_at(at, source.reads().largest())?;
            if part.is_empty() {
                return Ok((Line::InSource { source, start, len: at - start }, at));
            }
            if let Some(feed) = find::byte(b'\n', &part) {
                let before = if feed > 0 { part[feed - 1] } else { last };
                let end = at + feed as u64;
                let ends_in_two = before == b'\r' && end > start && !keeps_carriage_return;
                let len = end - start - u64::from(ends_in_two);
                return Ok((Line::InSource { source, start, len }, end + 1));
            }
            last = part[part.len() - 1];
            at += part.len() as u64;
        }
    }

    /// Counts the shown characters between `from` and `to`; a character begins at each of the two.
    pub(super) fn characters(&self, from: u64, to: u64) -> Result<u64, Error> {
        let (mut at, mut count) = (from, 0);
        while at < to {
            let wanted = usize::try_from(to - at).unwrap_or(usize::MAX).min(self.reads().largest());
            let part = self.read_at(at, wanted)?;
            let mut part = &part[..];
            if at + (part.len() as u64) < to {
                part = &part[..whole_characters(part)];
            }
            count += shown_characters(part);
            at += part.len() as u64;
        }
        Ok(count)
    }
}

impl ByteSource for Line<'_> {
    type Error = SearchError;

    fn size(&self) -> u64 {
        match self {
            Line::InMemory(bytes) => bytes.len() as u64,
            Line::InSource { len, .. } => *len,
        }
    }

    fn read_at(&self, offset: u64, length: usize) -> Result<Vec<u8>, SearchError> {
        match self {
            Line::InMemory(bytes) => Ok(slice_at(bytes, offset, length).to_vec()),
            Line::InSource { source, start, len } => {
                let left = usize::try_from(len.saturating_sub(offset)).unwrap_or(usize::MAX);
                Ok(source.read_at(start + offset, length.min(left))?)
            }
        }
    }

    fn reads(&self) -> Reads {
        match self {
            Line::InMemory(bytes) => Reads::of_size(bytes.len()),
            Line::InSource { source, .. } => source.reads(),
        }
    }
}

/// Counts the characters of a text as it is shown; much faster if it is UTF-8.
fn shown_characters(bytes: &[u8]) -> u64 {
    if let Ok(text) = std::str::from_utf8(bytes) {
        return text.chars().count() as u64;
    }
    let of = |chunk: Utf8Chunk| chunk.valid().chars().count() + usize::from(!chunk.invalid().is_empty());
    bytes.utf8_chunks().map(of).sum::<usize>() as u64
}

/// Returns the length of the bytes without a last character that may continue after
/// them.
fn whole_characters(bytes: &[u8]) -> usize {
    let last = bytes.len().saturating_sub(3);
    let begins = |&at: &usize| bytes[at] >= 0xC0;
    (last..bytes.len()).rev().find(begins).unwrap_or(bytes.len())
}
