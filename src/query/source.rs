//! An artifact's bytes, read from the store as they are needed: a part of it
//! ([`Source::part`]), or a window that moves over it ([`Window`]). Nothing here
//! holds more of it than was asked for, unless it was made in memory.

use crate::artifact::{self, CHUNK_BYTES};
use crate::error::Error;
use crate::model::Artifact;
use crate::ports::Store;

/// Bytes of a window's first read. The next ones are twice as long each, up to
/// [`CHUNK_BYTES`]: a query that ends early has read little, and one that goes on
/// makes few calls.
const FIRST_BYTES: usize = 64 << 10;

/// A sealed artifact that is read in parts.
pub(crate) struct Source<'a> {
    place: Place<'a>,
    artifact: Artifact,
    /// Bytes of a window's first read, and of its largest.
    reads: (usize, usize),
}

/// Where the bytes are.
enum Place<'a> {
    Store(&'a dyn Store),
    Memory(Vec<u8>),
}

impl<'a> Source<'a> {
    /// The artifact of this id: `invalid-input` if it is no id, `not-found`,
    /// `expired` or `store` from the store.
    pub(crate) fn open(store: &'a dyn Store, id: &str) -> Result<Self, Error> {
        let artifact = artifact::stat(store, id)?;
        Ok(Source { place: Place::Store(store), artifact, reads: (FIRST_BYTES, CHUNK_BYTES) })
    }

    /// This artifact, but with these bytes, which were made of its own.
    pub(crate) fn made_into(self, bytes: Vec<u8>) -> Self {
        let artifact = Artifact { size_bytes: bytes.len() as u64, ..self.artifact };
        Source { place: Place::Memory(bytes), artifact, ..self }
    }

    /// Bytes of the largest part that is read at once.
    pub(crate) fn part_bytes(&self) -> usize {
        self.reads.1
    }

    /// How many bytes to read, one part behind the other.
    pub(crate) fn reads(&self) -> Reads {
        Reads { next: self.reads.0, most: self.reads.1 }
    }

    /// This source with windows that read so many bytes at a time: for tests of
    /// what crosses their borders.
    #[cfg(test)]
    pub(crate) fn in_parts_of(self, bytes: usize) -> Self {
        Source { reads: (bytes, bytes), ..self }
    }

    /// What the store knows of it.
    pub(crate) fn artifact(&self) -> &Artifact {
        &self.artifact
    }

    /// Its size in bytes.
    pub(crate) fn size(&self) -> u64 {
        self.artifact.size_bytes
    }

    /// Its lines, as the host counts them: for notices, not to be relied on.
    pub(crate) fn line_count(&self) -> u64 {
        self.artifact.line_count
    }

    /// `length` bytes from `offset`; fewer only where the artifact ends.
    pub(crate) fn part(&self, offset: u64, length: usize) -> Result<Vec<u8>, Error> {
        match &self.place {
            Place::Store(store) => artifact::read_range(*store, &self.artifact, offset, length),
            Place::Memory(bytes) => {
                let start = usize::try_from(offset).unwrap_or(usize::MAX).min(bytes.len());
                Ok(bytes[start..start.saturating_add(length).min(bytes.len())].to_vec())
            }
        }
    }
}

/// Sizes of reads that follow each other.
pub(crate) struct Reads {
    next: usize,
    most: usize,
}

impl Reads {
    /// Bytes of the next read.
    pub(crate) fn next(&mut self) -> usize {
        let next = self.next;
        self.next = (next * 2).min(self.most);
        next
    }
}

/// Bytes of an artifact that lie one behind the other, moved forward as they are
/// used up. An artifact of up to 64 KiB is read at once.
///
/// ```text
/// open ─► bytes ─► advance(used) ─► bytes ─► … ─► advance gives false
/// ```
pub(crate) struct Window<'s, 'a> {
    source: &'s Source<'a>,
    start: u64,
    bytes: Vec<u8>,
    reads: Reads,
}

impl<'s, 'a> Window<'s, 'a> {
    /// A window that begins at `offset`; empty if the artifact has ended there.
    pub(crate) fn open(source: &'s Source<'a>, offset: u64) -> Result<Self, Error> {
        let mut window = Window { source, start: offset, bytes: Vec::new(), reads: source.reads() };
        window.advance(0)?;
        Ok(window)
    }

    /// Where the bytes begin in the artifact.
    pub(crate) fn start(&self) -> u64 {
        self.start
    }

    /// The bytes in view.
    pub(crate) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Whether the artifact ends where the bytes do.
    pub(crate) fn is_last(&self) -> bool {
        self.start.saturating_add(self.bytes.len() as u64) >= self.source.size()
    }

    /// Drops the first `used` bytes and reads on behind the rest, which is kept:
    /// what is not used up grows the window by up to 1 MiB a call. False if there
    /// was nothing left to read.
    pub(crate) fn advance(&mut self, used: usize) -> Result<bool, Error> {
        let used = used.min(self.bytes.len());
        let end = self.start + self.bytes.len() as u64;
        self.bytes.drain(..used);
        self.start += used as u64;
        let more = self.source.part(end, self.reads.next())?;
        let any = !more.is_empty();
        match self.bytes.is_empty() {
            true => self.bytes = more,
            false => self.bytes.extend_from_slice(&more),
        }
        Ok(any)
    }
}

impl Window<'_, '_> {
    /// Moves to `offset`, which is not before the bytes in view: what lies between
    /// is left out.
    pub(crate) fn skip_to(&mut self, offset: u64) -> Result<(), Error> {
        let ahead = offset.saturating_sub(self.start);
        let kept = usize::try_from(ahead).map_or(0, |ahead| self.bytes.len().saturating_sub(ahead));
        if kept > 0 {
            self.bytes.drain(..self.bytes.len() - kept);
            self.start = offset;
            return Ok(());
        }
        self.bytes.clear();
        self.start = offset;
        self.advance(0).map(|_| ())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::query::testing::One;

    #[test]
    fn a_window_moves_over_all_of_it() {
        let bytes: Vec<u8> = (0..3_000_000u32).map(|n| (n / 7) as u8).collect();
        let store = One(bytes.clone());
        let source = Source::open(&store, "art").unwrap();
        for keep in [0, 1, 1_000] {
            let mut window = Window::open(&source, 5).unwrap();
            assert_eq!(window.bytes().len(), FIRST_BYTES);
            let mut seen = Vec::new();
            loop {
                let used = if window.is_last() { window.bytes().len() } else { window.bytes().len() - keep };
                assert_eq!(window.start(), 5 + seen.len() as u64);
                seen.extend_from_slice(&window.bytes()[..used]);
                if !window.advance(used).unwrap() {
                    break;
                }
                assert!(window.bytes().len() <= CHUNK_BYTES + keep);
            }
            assert!(window.is_last() && window.bytes().is_empty());
            assert_eq!(seen, bytes[5..]);
        }
    }

    #[test]
    fn a_window_behind_the_end_is_empty() {
        let store = One(b"text".to_vec());
        let source = Source::open(&store, "art").unwrap();
        for offset in [4, 5, u64::MAX] {
            let mut window = Window::open(&source, offset).unwrap();
            assert!(window.bytes().is_empty() && window.is_last());
            assert!(!window.advance(9).unwrap());
        }
    }
}
