//! An index: the number of line feeds, or of characters, before regular checkpoints of an artifact,
//! so that a distant position is found without reading everything before it.
//!
//! An index is built while an artifact is read, and cached in this instance between calls. It is
//! not built when an artifact is sealed: most artifacts are never read that far, and artifacts that
//! a host sealed itself need an index, too. It is not stored, either: one pass over the bytes
//! rebuilds it. Sealed artifacts do not change, so an index cannot become stale. Small artifacts
//! have no index.

use std::cell::RefCell;

use tuckaway_contract::{Artifact, Error};
use tuckaway_search::find;

use tuckaway_search::source::ByteSource;

use crate::artifact::CHUNK_BYTES;
use crate::query::lossy;
use crate::query::source::Source;

/// Maximum counts of one index: 32 KiB.
const MAX_COUNTS: u64 = 4_096;

/// Maximum indexes that are cached.
const MAX_INDEXES: usize = 8;

thread_local! {
    /// The most recently used indexes, the latest at the end.
    static INDEXES: RefCell<Vec<Index>> = const { RefCell::new(Vec::new()) };
}

/// The units that an index counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Unit {
    /// Line feeds.
    Feed,
    /// The beginnings of characters in the text, one for each sequence that U+FFFD replaces.
    Character,
}

impl Unit {
    /// Returns the number of bytes before a chunk that affect its count.
    fn lookback(self) -> usize {
        match self {
            Unit::Feed => 0,
            Unit::Character => lossy::MAX_UNIT_BYTES - 1,
        }
    }

    /// Counts units in a chunk, whose first `before` bytes belong to the previous chunk.
    fn count(self, chunk: &[u8], before: usize) -> u64 {
        match self {
            Unit::Feed => find::count(b'\n', &chunk[before..]) as u64,
            Unit::Character => lossy::count_units(chunk, before),
        }
    }
}

struct Index {
    artifact: Artifact,
    unit: Unit,
    /// The units in the first n strides, for each n from 0.
    counts: Vec<u64>,
}

/// An offset in an artifact, and the number of units before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Checkpoint {
    pub offset: u64,
    pub count: u64,
}

/// Bytes of an artifact from a checkpoint on, after some bytes that precede it.
pub(super) struct Chunk<'c> {
    pub bytes: &'c [u8],
    pub before: usize,
}

/// The result of a search for a line.
pub(super) enum LineStart {
    /// The line begins at this offset.
    Offset(u64),
    /// The line does not exist: the artifact has only this many.
    PastEnd {
        /// The lines of the artifact.
        lines: u64,
    },
}

/// Finds the start of a line by its number, from 1.
pub(super) fn line_start(source: &Source, number: u64) -> Result<LineStart, Error> {
    let before = number - 1;
    let mut from = last_checkpoint(source, Unit::Feed, |checkpoint| {
        checkpoint.count < before && checkpoint.offset < source.size()
    });
    let mut last = b'\n';
    let found = walk(source, Unit::Feed, &mut from, source.size(), |checkpoint, chunk| {
        last = *chunk.bytes.last().unwrap_or(&last);
        let nth = usize::try_from(before - checkpoint.count - 1).ok()?;
        let feed = find::texts(b"\n", chunk.bytes).nth(nth)?;
        Some(checkpoint.offset + feed as u64 + 1).filter(|&offset| offset < source.size())
    })?;
    Ok(match found {
        Some(offset) => LineStart::Offset(offset),
        None => LineStart::PastEnd { lines: from.count + u64::from(last != b'\n') },
    })
}

/// Counts the units before `offset`.
pub(super) fn count_before(source: &Source, unit: Unit, offset: u64) -> Result<u64, Error> {
    let mut from = last_checkpoint(source, unit, |checkpoint| checkpoint.offset <= offset);
    walk(source, unit, &mut from, offset, |_, _| None::<()>)?;
    Ok(from.count)
}

/// Reads from a checkpoint to the offset `end`, or until `stop` returns a value for a
/// chunk. Caches the checkpoints that it passes.
pub(super) fn walk<T>(
    source: &Source,
    unit: Unit,
    from: &mut Checkpoint,
    end: u64,
    mut stop: impl FnMut(Checkpoint, &Chunk<'_>) -> Option<T>,
) -> Result<Option<T>, Error> {
    let stride = stride(source.size());
    while from.offset < end {
        let length = usize::try_from(end - from.offset).unwrap_or(usize::MAX).min(CHUNK_BYTES);
        let before = unit.lookback().min(usize::try_from(from.offset).unwrap_or(usize::MAX));
        let bytes = source.read_at(from.offset - before as u64, before + length)?;
        let chunk = Chunk { bytes: &bytes, before };
        if let Some(found) = stop(*from, &chunk) {
            return Ok(Some(found));
        }
        from.offset += (bytes.len() - before) as u64;
        from.count += unit.count(&bytes, before);
        if from.offset.is_multiple_of(stride) {
            cache(source, unit, *from);
        }
    }
    Ok(None)
}

/// Returns the bytes between two checkpoints: a multiple of the chunk size.
fn stride(size: u64) -> u64 {
    let chunk = CHUNK_BYTES as u64;
    (size / MAX_COUNTS / chunk + 1) * chunk
}

/// Returns the last cached checkpoint that satisfies `before`, which must hold for a prefix of the
/// checkpoints; the artifact's start if none does.
pub(super) fn last_checkpoint(
    source: &Source,
    unit: Unit,
    before: impl Fn(&Checkpoint) -> bool,
) -> Checkpoint {
    let stride = stride(source.size());
    INDEXES.with_borrow(|indexes| {
        let index = indexes.iter().find(|index| index.is_of(source, unit));
        let counts = index.map_or(&[][..], |index| &index.counts);
        let checkpoints = counts.iter().zip(0..).map(|(&count, n)| Checkpoint { offset: n * stride, count });
        checkpoints.take_while(before).last().unwrap_or(Checkpoint { offset: 0, count: 0 })
    })
}

impl Index {
    fn is_of(&self, source: &Source, unit: Unit) -> bool {
        self.unit == unit && self.artifact == *source.artifact()
    }
}

/// Caches a checkpoint, whose offset is a multiple of the stride.
fn cache(source: &Source, unit: Unit, checkpoint: Checkpoint) {
    let stride = stride(source.size());
    INDEXES.with_borrow_mut(|indexes| {
        let mut index = match indexes.iter().position(|index| index.is_of(source, unit)) {
            Some(at) => indexes.remove(at),
            None => Index { artifact: source.artifact().clone(), unit, counts: vec![0] },
        };
        if checkpoint.offset == index.counts.len() as u64 * stride {
            index.counts.push(checkpoint.count);
        }
        if indexes.len() == MAX_INDEXES {
            indexes.remove(0);
        }
        indexes.push(index);
    });
}
