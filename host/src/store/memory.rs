//! A store in memory: for tests, and for agents whose sessions end with the process.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use async_trait::async_trait;
use tuckaway_contract::{Artifact, Expiry, StoreError};
use tuckaway_stores::check_name;

use super::{Garbage, Limits, Sessions, Store, mint};

/// Stores artifacts in memory. Cheap to clone: clones share the artifacts.
#[derive(Clone, Debug)]
pub struct MemoryStore {
    inner: Arc<Mutex<Inner>>,
    limits: Limits,
}

#[derive(Debug, Default)]
struct Inner {
    entries: HashMap<String, Entry>,
    /// The number of artifacts sealed so far, which orders them: the clock's seconds are
    /// too coarse for that.
    sealed: u64,
    used: u64,
    sessions: BTreeMap<String, MemoryStore>,
}

#[derive(Debug)]
struct Entry {
    artifact: Artifact,
    content: Content,
    state: State,
}

/// The bytes, in the pieces in which they were appended: joining them would copy everything.
#[derive(Debug, Default)]
struct Content {
    /// The pieces, each with its offset.
    pieces: Vec<(usize, Vec<u8>)>,
    len: usize,
}

impl Content {
    /// Pieces smaller than this are appended to the previous one.
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

#[derive(Clone, Debug, PartialEq)]
enum State {
    Open,
    /// An append failed: the artifact can only be deleted.
    Broken,
    /// Sealed, at this position in the order of sealing.
    Sealed(u64),
    Expired(Expiry),
}

/// The default quota: as much as the default memory of a sandbox.
const DEFAULT_QUOTA: u64 = 1 << 30;

impl Default for MemoryStore {
    fn default() -> Self {
        MemoryStore { inner: Arc::default(), limits: Limits::none().with_quota(DEFAULT_QUOTA) }
    }
}

impl MemoryStore {
    /// Creates an empty store with a quota of 1 GiB.
    pub fn new() -> Self {
        MemoryStore::default()
    }

    /// Sets the limits. Without a quota, the default of 1 GiB applies; `u64::MAX` is no limit.
    #[must_use]
    pub fn with_limits(mut self, limits: Limits) -> Self {
        self.limits = match limits.quota() {
            Some(_) => limits,
            None => limits.with_quota(DEFAULT_QUOTA),
        };
        self
    }

    /// Locks the entries, after emptying expired ones. Ignores poisoning: no
    /// panic can leave them in an inconsistent state.
    fn lock(&self) -> MutexGuard<'_, Inner> {
        let mut inner = self.inner.lock().unwrap_or_else(PoisonError::into_inner);
        if self.limits.max_age().is_some() {
            inner.expire(|entry| self.limits.expiry(&entry.artifact));
        }
        inner
    }

    /// Returns whether nothing is stored here and in any session. A session that was opened but
    /// never written to is empty.
    fn is_empty(&self) -> bool {
        let inner = self.lock();
        inner.entries.is_empty() && inner.sessions.values().all(MemoryStore::is_empty)
    }

    /// Removes everything, here and in all sessions. Stores of sessions that are still held can
    /// be used afterwards.
    fn clear(&self) {
        let mut inner = self.lock();
        inner.sessions.values().for_each(MemoryStore::clear);
        let sessions = std::mem::take(&mut inner.sessions);
        *inner = Inner { sessions, ..Inner::default() };
    }
}

impl Inner {
    /// Returns an entry that is visible to readers.
    fn visible(&self, id: &str) -> Result<&Entry, StoreError> {
        match self.entries.get(id) {
            Some(Entry { state: State::Expired(expiry), .. }) => {
                Err(StoreError::Expired(Some(expiry.clone())))
            }
            Some(entry) if matches!(entry.state, State::Sealed(_)) => Ok(entry),
            _ => Err(StoreError::NotFound),
        }
    }

    /// Empties each sealed entry if `expiry` returns an expiry for it.
    fn expire(&mut self, expiry: impl Fn(&Entry) -> Option<Expiry>) -> Garbage {
        let mut garbage = Garbage::default();
        for entry in self.entries.values_mut() {
            if matches!(entry.state, State::Sealed(_))
                && let Some(expiry) = expiry(entry)
            {
                garbage.expired += 1;
                garbage.freed_bytes += entry.content.len as u64;
                entry.content = Content::default();
                entry.state = State::Expired(expiry);
            }
        }
        self.used -= garbage.freed_bytes;
        garbage
    }

    /// Lists the sealed artifacts, oldest first.
    fn list(&self) -> Vec<Artifact> {
        let mut listed: Vec<_> = self
            .entries
            .values()
            .filter_map(|entry| match entry.state {
                State::Sealed(position) => Some((position, entry.artifact.clone())),
                _ => None,
            })
            .collect();
        listed.sort_by_key(|(position, _)| *position);
        listed.into_iter().map(|(_, artifact)| artifact).collect()
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
            State::Broken => {
                return Err(StoreError::Other("an earlier write to the artifact failed".to_owned()));
            }
            State::Sealed(_) | State::Expired(_) => {
                return Err(StoreError::Other("the artifact is already sealed".to_owned()));
            }
        }
        let grown = used.saturating_add(bytes.len() as u64);
        if self.limits.is_exceeded_by(grown) {
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
                return Err(StoreError::Other("an earlier write to the artifact failed".to_owned()));
            }
            State::Sealed(_) | State::Expired(_) => {
                return Err(StoreError::Other("the artifact is already sealed".to_owned()));
            }
        }
        *sealed += 1;
        entry.state = State::Sealed(*sealed);
        entry.artifact.size_bytes = entry.content.len as u64;
        entry.artifact.line_count = line_count;
        entry.artifact.created_at = self.limits.now().as_secs();
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
        Ok(self.lock().list())
    }

    async fn delete(&self, id: &str) -> Result<(), StoreError> {
        let mut inner = self.lock();
        let entry = inner.entries.remove(id).ok_or(StoreError::NotFound)?;
        inner.used -= entry.content.len as u64;
        Ok(())
    }
}

#[async_trait]
impl Sessions for MemoryStore {
    async fn session(&self, name: &str) -> Result<Arc<dyn Sessions>, StoreError> {
        check_name(name)?;
        let new = || MemoryStore { inner: Arc::default(), limits: self.limits.clone() };
        Ok(Arc::new(self.lock().sessions.entry(name.to_owned()).or_insert_with(new).clone()))
    }

    async fn sessions(&self) -> Result<Vec<String>, StoreError> {
        let inner = self.lock();
        let stored = inner.sessions.iter().filter(|(_, session)| !session.is_empty());
        Ok(stored.map(|(name, _)| name.clone()).collect())
    }

    async fn remove_session(&self, name: &str) -> Result<(), StoreError> {
        check_name(name)?;
        let inner = self.lock();
        let session = inner.sessions.get(name).filter(|session| !session.is_empty());
        session.ok_or(StoreError::NotFound)?.clear();
        Ok(())
    }

    async fn collect_garbage(&self) -> Result<Garbage, StoreError> {
        let (mut garbage, sessions) = {
            // Artifacts that have expired when the lock is taken are counted as well.
            let mut inner = self.inner.lock().unwrap_or_else(PoisonError::into_inner);
            let mut garbage = inner.expire(|entry| self.limits.expiry(&entry.artifact));
            let now = self.limits.now().as_secs();
            let all = inner.list();
            let others = inner.used - all.iter().map(|each| each.size_bytes).sum::<u64>();
            let excess: HashSet<_> = self.limits.excess(&all, others).iter().map(|each| &each.id).collect();
            garbage += inner.expire(|entry| {
                let expiry = || Expiry { tool: entry.artifact.tool.clone(), expired_at: now };
                excess.contains(&entry.artifact.id).then(expiry)
            });
            let remembered = self.limits.remembered().as_secs();
            let before = inner.entries.len();
            inner.entries.retain(|_, entry| {
                !matches!(&entry.state, State::Expired(expiry) if now.saturating_sub(expiry.expired_at) > remembered)
            });
            garbage.forgotten = (before - inner.entries.len()) as u64;
            let sessions: Vec<_> = inner.sessions.values().cloned().collect();
            (garbage, sessions)
        };
        for session in sessions {
            garbage += session.collect_garbage().await?;
        }
        Ok(garbage)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_session_without_artifacts_does_not_exist() {
        let store = MemoryStore::new();
        let held = store.session("a").await.unwrap();
        let inner = held.session("inner").await.unwrap();
        assert!(store.sessions().await.unwrap().is_empty(), "nothing was written to them");
        assert_eq!(store.remove_session("a").await, Err(StoreError::NotFound));

        inner.create("tool", "").await.unwrap();
        assert_eq!(store.sessions().await.unwrap(), ["a"]);
        store.remove_session("a").await.unwrap();
        assert!(store.sessions().await.unwrap().is_empty());

        // The store that is held is still the session with this name.
        let id = inner.create("tool", "").await.unwrap();
        inner.seal(&id, 0).await.unwrap();
        let again = store.session("a").await.unwrap().session("inner").await.unwrap();
        assert_eq!(again.stat(&id).await.unwrap().id, id);
    }

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
