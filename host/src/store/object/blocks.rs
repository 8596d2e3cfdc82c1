//! A cache of blocks that were read, and the read-ahead.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Mutex, MutexGuard, PoisonError};

use bytes::Bytes;
use object_store::path::Path;

/// The unit of reading and caching.
pub(super) const BLOCK_BYTES: u64 = 256 << 10;

/// The maximum number of blocks that are read at once during a sequential read.
const MAX_AHEAD: u64 = 32;

/// The maximum size of all blocks in memory.
const MAX_CACHED_BYTES: usize = 64 << 20;

/// The maximum number of artifacts whose last read is remembered.
const MAX_READERS: usize = 1_000;

/// A block: the key of its segment, and its number in the segment.
type Place = (Path, u64);

/// Blocks of segments. The least recently used blocks are removed first.
#[derive(Default)]
pub(super) struct Blocks {
    inner: Mutex<Inner>,
}

#[derive(Default)]
struct Inner {
    blocks: HashMap<Place, (u64, Bytes)>,
    /// The blocks, by their last use.
    used: BTreeMap<u64, Place>,
    uses: u64,
    bytes: usize,
    /// The last read of each artifact, by the prefix of its segments.
    readers: HashMap<Path, Ahead>,
}

/// The last read of an artifact.
#[derive(Clone, Copy, Default)]
struct Ahead {
    /// Where the last read from the bucket ended.
    end: u64,
    blocks: u64,
}

impl Blocks {
    /// Returns a block, if it is cached.
    pub(super) fn get(&self, segment: &Path, number: u64) -> Option<Bytes> {
        let mut inner = self.lock();
        let inner = &mut *inner;
        let place = (segment.clone(), number);
        let (last_use, bytes) = inner.blocks.get_mut(&place)?;
        inner.used.remove(last_use);
        inner.uses += 1;
        *last_use = inner.uses;
        inner.used.insert(inner.uses, place);
        Some(bytes.clone())
    }

    /// Caches a block. The bytes are copied, because they may be part of a larger buffer.
    pub(super) fn put(&self, segment: &Path, number: u64, bytes: &[u8]) {
        let mut inner = self.lock();
        let inner = &mut *inner;
        inner.uses += 1;
        let place = (segment.clone(), number);
        let kept = (inner.uses, Bytes::copy_from_slice(bytes));
        inner.used.insert(inner.uses, place.clone());
        inner.bytes += bytes.len();
        if let Some((last_use, before)) = inner.blocks.insert(place, kept) {
            inner.used.remove(&last_use);
            inner.bytes -= before.len();
        }
        while inner.bytes > MAX_CACHED_BYTES
            && let Some((_, oldest)) = inner.used.pop_first()
            && let Some((_, bytes)) = inner.blocks.remove(&oldest)
        {
            inner.bytes -= bytes.len();
        }
    }

    /// Returns how many blocks a read from the bucket at `start` should take: twice as many as the
    /// previous read if it continues where that one ended, otherwise one.
    pub(super) fn ahead(&self, artifact: &Path, start: u64) -> u64 {
        match self.lock().readers.get(artifact) {
            Some(last) if last.end == start => (last.blocks * 2).clamp(1, MAX_AHEAD),
            _ => 1,
        }
    }

    /// Remembers a read from the bucket.
    pub(super) fn was_read(&self, artifact: &Path, end: u64, blocks: u64) {
        let mut inner = self.lock();
        if inner.readers.len() >= MAX_READERS {
            inner.readers.clear();
        }
        inner.readers.insert(artifact.clone(), Ahead { end, blocks });
    }

    /// Forgets an artifact, given the prefix of its segments.
    pub(super) fn remove(&self, artifact: &Path) {
        let mut inner = self.lock();
        let inner = &mut *inner;
        inner.readers.remove(artifact);
        inner.blocks.retain(|(segment, _), (last_use, bytes)| {
            let stays = !segment.prefix_matches(artifact);
            if !stays {
                inner.used.remove(last_use);
                inner.bytes -= bytes.len();
            }
            stays
        });
    }

    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_bounded_and_the_least_recently_used_are_removed() {
        let blocks = Blocks::default();
        let segment = Path::from("data/a/00000000");
        let full = MAX_CACHED_BYTES as u64 / BLOCK_BYTES;
        let block = vec![7; BLOCK_BYTES as usize];
        for number in 0..full {
            blocks.put(&segment, number, &block);
        }
        assert!(blocks.get(&segment, 0).is_some());
        blocks.put(&segment, full, &block);
        assert!(blocks.get(&segment, 0).is_some(), "it was used");
        assert!(blocks.get(&segment, 1).is_none());
        assert_eq!(blocks.lock().bytes, MAX_CACHED_BYTES);
        blocks.put(&segment, 0, &block);
        assert_eq!(blocks.lock().bytes, MAX_CACHED_BYTES);
        blocks.remove(&Path::from("data/b"));
        assert_eq!(blocks.lock().bytes, MAX_CACHED_BYTES);
        blocks.remove(&Path::from("data/a"));
        let inner = blocks.lock();
        assert_eq!((inner.bytes, inner.blocks.len(), inner.used.len()), (0, 0, 0));
    }

    #[test]
    fn sequential_reads_grow() {
        let (blocks, artifact) = (Blocks::default(), Path::from("data/a"));
        let mut at = 0;
        let mut sizes = Vec::new();
        for _ in 0..8 {
            let ahead = blocks.ahead(&artifact, at);
            at += ahead * BLOCK_BYTES;
            blocks.was_read(&artifact, at, ahead);
            sizes.push(ahead);
        }
        assert_eq!(sizes, [1, 2, 4, 8, 16, 32, 32, 32]);
        assert_eq!(blocks.ahead(&artifact, 5), 1);
        assert_eq!(blocks.ahead(&Path::from("data/b"), at), 1);
    }
}
