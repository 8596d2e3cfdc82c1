//! A line index: the number of line feeds before regular checkpoints of an artifact,
//! so that a line far inside is found without reading everything before it.
//!
//! An index is built while an artifact is read, and cached in this instance between
//! calls. It is not built when an artifact is sealed: most artifacts are never read by
//! lines that far inside, and those that a host sealed itself need one too. It is not
//! stored either: one pass over the bytes rebuilds it. Sealed artifacts do not change,
//! so an index cannot become stale. Small artifacts have none.

use std::cell::RefCell;

use tuckaway_search::find;

use tuckaway_search::source::ByteSource;

use crate::artifact::CHUNK_BYTES;
use crate::error::Error;
use crate::model::Artifact;
use crate::query::source::Source;

/// The most counts of one index: 32 KiB.
const MAX_COUNTS: u64 = 4_096;

/// The most indexes that are cached.
const MAX_INDEXES: usize = 8;

thread_local! {
    /// The most recently used indexes, the latest at the end.
    static INDEXES: RefCell<Vec<Index>> = const { RefCell::new(Vec::new()) };
}

struct Index {
    artifact: Artifact,
    /// The line feeds in the first n strides, for each n from 0.
    feeds: Vec<u64>,
}

/// An offset in an artifact, and the number of line feeds before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Checkpoint {
    pub offset: u64,
    pub feeds: u64,
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
    let mut from =
        last_checkpoint(source, |checkpoint| checkpoint.feeds < before && checkpoint.offset < source.size());
    let mut last = b'\n';
    let found = walk(source, &mut from, source.size(), |checkpoint, chunk| {
        last = *chunk.last().unwrap_or(&last);
        let feed = find::texts(b"\n", chunk).nth(usize::try_from(before - checkpoint.feeds - 1).ok()?)?;
        Some(checkpoint.offset + feed as u64 + 1).filter(|&offset| offset < source.size())
    })?;
    Ok(match found {
        Some(offset) => LineStart::Offset(offset),
        None => LineStart::PastEnd { lines: from.feeds + u64::from(last != b'\n') },
    })
}

/// Counts the line feeds before `offset`.
pub(super) fn feeds_before(source: &Source, offset: u64) -> Result<u64, Error> {
    let mut from = last_checkpoint(source, |checkpoint| checkpoint.offset <= offset);
    walk(source, &mut from, offset, |_, _| None::<()>)?;
    Ok(from.feeds)
}

/// Reads from a checkpoint to the offset `end`, or until `stop` returns a value for a
/// chunk. Caches the checkpoints that it passes.
fn walk<T>(
    source: &Source,
    from: &mut Checkpoint,
    end: u64,
    mut stop: impl FnMut(Checkpoint, &[u8]) -> Option<T>,
) -> Result<Option<T>, Error> {
    let stride = stride(source.size());
    while from.offset < end {
        let length = usize::try_from(end - from.offset).unwrap_or(usize::MAX).min(CHUNK_BYTES);
        let chunk = source.read_at(from.offset, length)?;
        if let Some(found) = stop(*from, &chunk) {
            return Ok(Some(found));
        }
        from.offset += chunk.len() as u64;
        from.feeds += find::count(b'\n', &chunk) as u64;
        if from.offset.is_multiple_of(stride) {
            cache(source, *from);
        }
    }
    Ok(None)
}

/// Returns the bytes between two checkpoints: a multiple of the chunk size.
fn stride(size: u64) -> u64 {
    let chunk = CHUNK_BYTES as u64;
    (size / MAX_COUNTS / chunk + 1) * chunk
}

/// Returns the last cached checkpoint that satisfies `before`, which must hold for a
/// prefix of them; the artifact's start if there is none.
fn last_checkpoint(source: &Source, before: impl Fn(&Checkpoint) -> bool) -> Checkpoint {
    let stride = stride(source.size());
    INDEXES.with_borrow(|indexes| {
        let index = indexes.iter().find(|index| index.artifact == *source.artifact());
        let counts = index.map_or(&[][..], |index| &index.feeds);
        let checkpoints = counts.iter().zip(0..).map(|(&feeds, n)| Checkpoint { offset: n * stride, feeds });
        checkpoints.take_while(before).last().unwrap_or(Checkpoint { offset: 0, feeds: 0 })
    })
}

/// Caches a checkpoint, whose offset is a multiple of the stride.
fn cache(source: &Source, checkpoint: Checkpoint) {
    let (stride, artifact) = (stride(source.size()), source.artifact());
    INDEXES.with_borrow_mut(|indexes| {
        let mut index = match indexes.iter().position(|index| index.artifact == *artifact) {
            Some(at) => indexes.remove(at),
            None => Index { artifact: artifact.clone(), feeds: vec![0] },
        };
        if checkpoint.offset == index.feeds.len() as u64 * stride {
            index.feeds.push(checkpoint.feeds);
        }
        if indexes.len() == MAX_INDEXES {
            indexes.remove(0);
        }
        indexes.push(index);
    });
}
