//! A store in memory: for tests, and for agents whose sessions end with the process.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use async_trait::async_trait;
use tuckaway::{Artifact, StoreError};

use super::{Store, mint, now};

/// Keeps artifacts in memory. Cheap to clone: clones share what is stored.
#[derive(Clone, Debug)]
pub struct MemoryStore {
    inner: Arc<Mutex<Inner>>,
    quota: u64,
    max_age: Option<Duration>,
}

#[derive(Debug, Default)]
struct Inner {
    entries: HashMap<String, Entry>,
    /// The number of artifacts sealed so far, which orders them: the clock's seconds are
    /// too coarse for that.
    sealed: u64,
    used: u64,
}

#[derive(Debug)]
struct Entry {
    artifact: Artifact,
    content: Content,
    state: State,
}

/// Bytes in the pieces in which they were appended: joining them would copy everything.
#[derive(Debug, Default)]
struct Content {
    /// The pieces, each with its offset.
    pieces: Vec<(usize, Vec<u8>)>,
    len: usize,
}

impl Content {
    /// A smaller piece is appended to the previous one.
    const MIN_PIECE: usize = 64 << 10;

    fn push(&mut self, bytes: Vec<u8>) {
        let start = self.len;
        self.len += bytes.len();
        match self.pieces.last_mut() {
            Some((_, last)) if bytes.len() < Self::MIN_PIECE => last.extend_from_slice(&bytes),
            _ => self.pieces.push((start, bytes)),
        }
    }

    /// Reads the part of a range that exists.
    fn read(&self, start: usize, end: usize) -> Vec<u8> {
        let (start, end) = (start.min(self.len), end.min(self.len));
        let mut bytes = Vec::with_capacity(end - start);
        let first = self.pieces.partition_point(|(at, _)| *at <= start).saturating_sub(1);
        for (at, piece) in &self.pieces[first..] {
            if *at >= end {
                break;
            }
            bytes.extend_from_slice(&piece[start.max(*at) - at..(end - at).min(piece.len())]);
        }
        bytes
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum State {
    Open,
    /// An append failed: the artifact can only be deleted.
    Broken,
    /// Its position in the order of sealing.
    Sealed(u64),
    Expired,
}

/// The default quota: as much as the default memory of a sandbox.
const DEFAULT_QUOTA: u64 = 1 << 30;

impl Default for MemoryStore {
    fn default() -> Self {
        MemoryStore { inner: Arc::default(), quota: DEFAULT_QUOTA, max_age: None }
    }
}

impl MemoryStore {
    /// Creates an empty store with a quota of 1 GiB.
    pub fn new() -> Self {
        MemoryStore::default()
    }

    /// Limits the bytes of content, including unsealed artifacts; `u64::MAX` is no limit.
    #[must_use]
    pub fn with_quota(mut self, bytes: u64) -> Self {
        self.quota = bytes;
        self
    }

    /// Makes artifacts expire at this age, to the second.
    #[must_use]
    pub fn with_max_age(mut self, age: Duration) -> Self {
        self.max_age = Some(age);
        self
    }

    /// Locks the entries, after emptying those that have expired. Ignores poisoning: no
    /// panic can leave them in an inconsistent state.
    fn lock(&self) -> MutexGuard<'_, Inner> {
        let mut inner = self.inner.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(age) = self.max_age {
            let now = now();
            let Inner { entries, used, .. } = &mut *inner;
            for entry in entries.values_mut() {
                if matches!(entry.state, State::Sealed(_))
                    && now.saturating_sub(entry.artifact.created_at) >= age.as_secs()
                {
                    *used -= entry.content.len as u64;
                    entry.content = Content::default();
                    entry.state = State::Expired;
                }
            }
        }
        inner
    }
}

impl Inner {
    /// Returns an entry that is visible to readers.
    fn visible(&self, id: &str) -> Result<&Entry, StoreError> {
        match self.entries.get(id) {
            Some(entry) if matches!(entry.state, State::Sealed(_)) => Ok(entry),
            Some(entry) if entry.state == State::Expired => Err(StoreError::Expired),
            _ => Err(StoreError::NotFound),
        }
    }
}

#[async_trait]
impl Store for MemoryStore {
    async fn create(&self, tool: &str, media_type: &str) -> Result<String, StoreError> {
        let mut inner = self.lock();
        let mut id = mint(tool)?;
        while inner.entries.contains_key(&id) {
            id = mint(tool)?;
        }
        let artifact = Artifact {
            id: id.clone(),
            tool: tool.to_owned(),
            media_type: media_type.to_owned(),
            size_bytes: 0,
            line_count: 0,
            created_at: 0,
        };
        inner.entries.insert(id.clone(), Entry { artifact, content: Content::default(), state: State::Open });
        Ok(id)
    }

    async fn append(&self, id: &str, bytes: Vec<u8>) -> Result<(), StoreError> {
        let mut inner = self.lock();
        let Inner { entries, used, .. } = &mut *inner;
        let entry = entries.get_mut(id).ok_or(StoreError::NotFound)?;
        match entry.state {
            State::Open => {}
            State::Broken => return Err(StoreError::Other("an earlier write to it failed".to_owned())),
            State::Sealed(_) | State::Expired => {
                return Err(StoreError::Other("it is sealed already".to_owned()));
            }
        }
        let grown = used.saturating_add(bytes.len() as u64);
        if grown > self.quota {
            *used -= entry.content.len as u64;
            entry.content = Content::default();
            entry.state = State::Broken;
            return Err(StoreError::QuotaExceeded);
        }
        *used = grown;
        entry.content.push(bytes);
        Ok(())
    }

    async fn seal(&self, id: &str, line_count: u64) -> Result<Artifact, StoreError> {
        let mut inner = self.lock();
        let Inner { entries, sealed, .. } = &mut *inner;
        let entry = entries.get_mut(id).ok_or(StoreError::NotFound)?;
        match entry.state {
            State::Open => {}
            State::Broken => {
                entries.remove(id);
                return Err(StoreError::Other("an earlier write to it failed".to_owned()));
            }
            State::Sealed(_) | State::Expired => {
                return Err(StoreError::Other("it is sealed already".to_owned()));
            }
        }
        *sealed += 1;
        entry.state = State::Sealed(*sealed);
        entry.artifact.size_bytes = entry.content.len as u64;
        entry.artifact.line_count = line_count;
        entry.artifact.created_at = now();
        Ok(entry.artifact.clone())
    }

    async fn stat(&self, id: &str) -> Result<Artifact, StoreError> {
        Ok(self.lock().visible(id)?.artifact.clone())
    }

    async fn read(&self, id: &str, offset: u64, length: u32) -> Result<Vec<u8>, StoreError> {
        let inner = self.lock();
        let start = usize::try_from(offset).unwrap_or(usize::MAX);
        Ok(inner.visible(id)?.content.read(start, start.saturating_add(length as usize)))
    }

    async fn list_artifacts(&self) -> Result<Vec<Artifact>, StoreError> {
        let inner = self.lock();
        let mut listed: Vec<_> = inner
            .entries
            .values()
            .filter_map(|entry| match entry.state {
                State::Sealed(position) => Some((position, entry.artifact.clone())),
                _ => None,
            })
            .collect();
        listed.sort_by_key(|(position, _)| *position);
        Ok(listed.into_iter().map(|(_, artifact)| artifact).collect())
    }

    async fn delete(&self, id: &str) -> Result<(), StoreError> {
        let mut inner = self.lock();
        let entry = inner.entries.remove(id).ok_or(StoreError::NotFound)?;
        inner.used -= entry.content.len as u64;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_are_read_across_pieces() {
        let (mut content, mut all) = (Content::default(), Vec::new());
        for (byte, length) in [(1, 10), (2, 70_000), (3, 5), (4, 70_000), (5, 0), (6, 70_001)] {
            content.push(vec![byte; length]);
            all.extend(vec![byte; length]);
        }
        assert_eq!(content.pieces.len(), 4);
        for start in [0, 9, 10, 70_009, 70_010, 70_015, 140_014, all.len() - 1, all.len(), usize::MAX] {
            for length in [0, 1, 2, 6, 69_999, 70_005, 140_010, usize::MAX] {
                let end = start.saturating_add(length);
                let expected = &all[start.min(all.len())..end.min(all.len())];
                assert_eq!(content.read(start, end), expected, "{start}, {length}");
            }
        }
    }
}
