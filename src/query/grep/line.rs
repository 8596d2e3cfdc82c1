//! One line, which may be longer than memory.

use std::borrow::Cow;
use std::str::Utf8Chunk;

use tuckaway_search::find;

use tuckaway_search::source::ByteSource;

use crate::error::Error;
use crate::query::source::Source;

/// A line without its line end.
pub(super) enum Line<'l> {
    /// It is in memory.
    Near(&'l [u8]),
    /// It is read in parts, as often as it is asked for.
    Far { source: &'l Source<'l>, start: u64, len: u64 },
}

impl<'l> Line<'l> {
    /// The line of an artifact that begins at `start`, and where the next one
    /// does. It is read through once, for its end.
    pub(super) fn far(source: &'l Source<'l>, start: u64) -> Result<(Self, u64), Error> {
        let (mut at, mut last) = (start, 0);
        loop {
            let part = source.read_at(at, source.reads().largest())?;
            if part.is_empty() {
                return Ok((Line::Far { source, start, len: at - start }, at));
            }
            if let Some(feed) = find::byte(b'\n', &part) {
                let before = if feed > 0 { part[feed - 1] } else { last };
                let end = at + feed as u64;
                let len = end - start - u64::from(before == b'\r' && end > start);
                return Ok((Line::Far { source, start, len }, end + 1));
            }
            last = part[part.len() - 1];
            at += part.len() as u64;
        }
    }

    /// The line that `bytes` hold with its line end. A carriage return is one
    /// with its line feed only.
    pub(super) fn content(bytes: &[u8]) -> &[u8] {
        match bytes.strip_suffix(b"\n") {
            Some(line) => line.strip_suffix(b"\r").unwrap_or(line),
            None => bytes,
        }
    }

    /// Its bytes.
    pub(super) fn len(&self) -> u64 {
        match self {
            Line::Near(bytes) => bytes.len() as u64,
            Line::Far { len, .. } => *len,
        }
    }

    /// Bytes of it that are looked at together.
    pub(super) fn part_bytes(&self) -> usize {
        match self {
            Line::Near(bytes) => bytes.len(),
            Line::Far { source, .. } => source.reads().largest(),
        }
    }

    /// `length` bytes from `from` on; fewer only where the line ends.
    pub(super) fn part(&self, from: u64, length: usize) -> Result<Cow<'l, [u8]>, Error> {
        let left = usize::try_from(self.len().saturating_sub(from)).unwrap_or(usize::MAX);
        let length = length.min(left);
        match self {
            Line::Near(bytes) => {
                let from = bytes.len() - left;
                Ok(Cow::Borrowed(&bytes[from..from + length]))
            }
            Line::Far { source, start, .. } => source.read_at(start + from, length).map(Cow::Owned),
        }
    }

    /// Characters before `to`, a character's start, as they are shown.
    pub(super) fn characters(&self, to: u64) -> Result<u64, Error> {
        let (mut at, mut count) = (0, 0);
        while at < to {
            let wanted = usize::try_from(to - at).unwrap_or(usize::MAX).min(self.part_bytes());
            let part = self.part(at, wanted)?;
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

/// Characters of a text as it is shown; much faster where it is UTF-8.
fn shown_characters(bytes: &[u8]) -> u64 {
    if let Ok(text) = std::str::from_utf8(bytes) {
        return text.chars().count() as u64;
    }
    let of = |chunk: Utf8Chunk| chunk.valid().chars().count() + usize::from(!chunk.invalid().is_empty());
    bytes.utf8_chunks().map(of).sum::<usize>() as u64
}

/// How many of the bytes are sure not to be part of a character that goes on
/// behind them.
fn whole_characters(bytes: &[u8]) -> usize {
    let last = bytes.len().saturating_sub(3);
    let begins = |&at: &usize| bytes[at] >= 0xC0;
    (last..bytes.len()).rev().find(begins).unwrap_or(bytes.len())
}
