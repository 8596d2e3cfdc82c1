//! Where lines begin, as far as it was found out: line feeds counted up to every
//! so many bytes of an artifact, so that a line far inside is found without
//! reading all that lies before it.
//!
//! An index is made as artifacts are read, and kept in this instance between
//! calls. It is not made when an artifact is sealed, because most artifacts are
//! never read by lines that far inside, and because those that a host has sealed
//! itself need one as well; nor is it kept in the store, whose contract has no
//! place for what can be had again for one pass over the bytes. What is sealed
//! does not change, so that an index can't go stale; a fresh instance only
//! reads more. Small artifacts have none.

use std::cell::RefCell;

use tuckaway_search::find;

use tuckaway_search::source::ByteSource;

use crate::artifact::CHUNK_BYTES;
use crate::error::Error;
use crate::model::Artifact;
use crate::query::source::Source;

/// The most counts of one index: 32 KiB.
const MAX_COUNTS: u64 = 4_096;

/// The most indexes that are kept.
const KEPT: usize = 8;

thread_local! {
    /// The indexes that were used last, the latest at the end.
    static INDEXES: RefCell<Vec<Index>> = const { RefCell::new(Vec::new()) };
}

struct Index {
    artifact: Artifact,
    /// Line feeds in the first n strides, for each n from 0.
    feeds: Vec<u64>,
}

/// A place in an artifact, and the line feeds before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Place {
    pub offset: u64,
    pub feeds: u64,
}

/// Where a line begins.
pub(super) enum Found {
    At(u64),
    /// There are no more lines than this.
    Lines(u64),
}

/// Where the line of this number begins, from 1.
pub(super) fn line(source: &Source, number: u64) -> Result<Found, Error> {
    let before = number - 1;
    let mut from = known(source, |place| place.feeds < before && place.offset < source.size());
    let mut last = b'\n';
    let found = walk(source, &mut from, source.size(), |place, chunk| {
        last = *chunk.last().unwrap_or(&last);
        let feed = find::texts(b"\n", chunk).nth(usize::try_from(before - place.feeds - 1).ok()?)?;
        Some(place.offset + feed as u64 + 1).filter(|&offset| offset < source.size())
    })?;
    Ok(match found {
        Some(offset) => Found::At(offset),
        None => Found::Lines(from.feeds + u64::from(last != b'\n')),
    })
}

/// Line feeds before `offset`.
pub(super) fn feeds_before(source: &Source, offset: u64) -> Result<u64, Error> {
    let mut from = known(source, |place| place.offset <= offset);
    walk(source, &mut from, offset, |_, _| None::<()>)?;
    Ok(from.feeds)
}

/// Reads on from a place to the artifact's `end`, or until `stop` gives something
/// for a chunk. The counts that it comes by are kept.
fn walk<T>(
    source: &Source,
    from: &mut Place,
    end: u64,
    mut stop: impl FnMut(Place, &[u8]) -> Option<T>,
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
            keep(source.artifact(), *from);
        }
    }
    Ok(None)
}

/// Bytes between two counts: whole chunks.
fn stride(size: u64) -> u64 {
    let chunk = CHUNK_BYTES as u64;
    (size / MAX_COUNTS / chunk + 1) * chunk
}

/// The last place that is known of those that `before` takes, which are the
/// first ones; the artifact's start if no other is.
fn known(source: &Source, before: impl Fn(&Place) -> bool) -> Place {
    let stride = stride(source.size());
    INDEXES.with_borrow(|indexes| {
        let index = indexes.iter().find(|index| index.artifact == *source.artifact());
        let counts = index.map_or(&[][..], |index| &index.feeds);
        let places = counts.iter().zip(0..).map(|(&feeds, n)| Place { offset: n * stride, feeds });
        places.take_while(before).last().unwrap_or(Place { offset: 0, feeds: 0 })
    })
}

/// Keeps a place, which is a whole number of strides from the start.
fn keep(artifact: &Artifact, place: Place) {
    let stride = stride(artifact.size_bytes);
    INDEXES.with_borrow_mut(|indexes| {
        let mut index = match indexes.iter().position(|index| index.artifact == *artifact) {
            Some(at) => indexes.remove(at),
            None => Index { artifact: artifact.clone(), feeds: vec![0] },
        };
        if place.offset == index.feeds.len() as u64 * stride {
            index.feeds.push(place.feeds);
        }
        if indexes.len() == KEPT {
            indexes.remove(0);
        }
        indexes.push(index);
    });
}
