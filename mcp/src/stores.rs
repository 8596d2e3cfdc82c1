//! The stores of connections.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use anyhow::Context;
use async_trait::async_trait;
use tuckaway_host::{Artifact, DirStore, MemoryStore, Store, StoreError};

use crate::config::{Session, StoreAt, StoreSettings};

/// Gives each connection its store.
#[derive(Clone)]
pub struct Stores {
    everything: Arc<dyn Store>,
    session: Session,
}

impl Stores {
    /// Opens the store of the settings, or without one that of a directory. What is in it is
    /// removed at the age that the settings name.
    pub fn open(settings: &StoreSettings, default: &Path) -> anyhow::Result<Self> {
        let directory = |path: &Path| -> anyhow::Result<Arc<dyn Store>> {
            let store = DirStore::open(path);
            let store = store.with_context(|| format!("cannot open the store {}", path.display()))?;
            Ok(match settings.max_age {
                Some(age) => Arc::new(store.with_max_age(age)),
                None => Arc::new(store),
            })
        };
        let everything = match (&settings.at, settings.max_age) {
            (Some(StoreAt::Directory(path)), _) => directory(path)?,
            (None, _) => directory(default)?,
            (Some(StoreAt::Memory), Some(age)) => Arc::new(MemoryStore::new().with_max_age(age)),
            (Some(StoreAt::Memory), None) => Arc::new(MemoryStore::new()),
        };
        Ok(Stores { everything, session: settings.session })
    }

    /// Returns the store of a new connection.
    pub fn of_connection(&self) -> Arc<dyn Store> {
        match self.session {
            Session::Shared => Arc::clone(&self.everything),
            Session::Connection => {
                Arc::new(OwnStore { everything: Arc::clone(&self.everything), ids: Mutex::default() })
            }
        }
    }
}

/// The part of a store that was put there through it.
struct OwnStore {
    everything: Arc<dyn Store>,
    ids: Mutex<BTreeSet<String>>,
}

impl OwnStore {
    fn check(&self, id: &str) -> Result<(), StoreError> {
        let ids = self.ids.lock().unwrap_or_else(PoisonError::into_inner);
        if ids.contains(id) { Ok(()) } else { Err(StoreError::NotFound) }
    }
}

#[async_trait]
impl Store for OwnStore {
    async fn create(&self, tool: &str, media_type: &str) -> Result<String, StoreError> {
        let id = self.everything.create(tool, media_type).await?;
        self.ids.lock().unwrap_or_else(PoisonError::into_inner).insert(id.clone());
        Ok(id)
    }

    async fn append(&self, id: &str, bytes: Vec<u8>) -> Result<(), StoreError> {
        self.check(id)?;
        self.everything.append(id, bytes).await
    }

    async fn seal(&self, id: &str, line_count: u64) -> Result<Artifact, StoreError> {
        self.check(id)?;
        self.everything.seal(id, line_count).await
    }

    async fn stat(&self, id: &str) -> Result<Artifact, StoreError> {
        self.check(id)?;
        self.everything.stat(id).await
    }

    async fn read(&self, id: &str, offset: u64, length: u32) -> Result<Vec<u8>, StoreError> {
        self.check(id)?;
        self.everything.read(id, offset, length).await
    }

    async fn list_artifacts(&self) -> Result<Vec<Artifact>, StoreError> {
        let all = self.everything.list_artifacts().await?;
        Ok(all.into_iter().filter(|artifact| self.check(&artifact.id).is_ok()).collect())
    }

    async fn delete(&self, id: &str) -> Result<(), StoreError> {
        self.check(id)?;
        self.everything.delete(id).await
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stores(session: Session, at: Option<StoreAt>, directory: &Path) -> Stores {
        Stores::open(&StoreSettings { at, session, max_age: None }, directory).unwrap()
    }

    async fn put(store: &dyn Store) -> String {
        let id = store.create("tool", "text/plain").await.unwrap();
        store.append(&id, b"text".to_vec()).await.unwrap();
        store.seal(&id, 1).await.unwrap();
        id
    }

    #[tokio::test]
    async fn a_connection_reads_only_its_own() {
        let dir = tempfile::tempdir().unwrap();
        for at in [None, Some(StoreAt::Memory), Some(StoreAt::Directory(dir.path().join("other")))] {
            let stores = stores(Session::Connection, at, dir.path());
            let (one, other) = (stores.of_connection(), stores.of_connection());
            let id = put(&*one).await;
            assert_eq!(one.read(&id, 0, 10).await.unwrap(), b"text");
            assert_eq!(one.list_artifacts().await.unwrap().len(), 1);
            assert_eq!(other.stat(&id).await.unwrap_err(), StoreError::NotFound);
            assert_eq!(other.read(&id, 0, 10).await.unwrap_err(), StoreError::NotFound);
            assert_eq!(other.append(&id, Vec::new()).await.unwrap_err(), StoreError::NotFound);
            assert_eq!(other.seal(&id, 0).await.unwrap_err(), StoreError::NotFound);
            assert_eq!(other.delete(&id).await.unwrap_err(), StoreError::NotFound);
            assert!(other.list_artifacts().await.unwrap().is_empty());
            one.delete(&id).await.unwrap();
        }
    }

    #[tokio::test]
    async fn everybody_reads_what_is_shared() {
        let dir = tempfile::tempdir().unwrap();
        let stores = stores(Session::Shared, None, dir.path());
        let id = put(&*stores.of_connection()).await;
        assert_eq!(stores.of_connection().read(&id, 0, 10).await.unwrap(), b"text");
    }
}
