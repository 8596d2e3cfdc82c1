//! The stores of connections.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use async_trait::async_trait;
use tuckaway_host::{Artifact, Limits, Store, StoreError};

use crate::config::{Quota, Session, StoreAt, StoreSettings};

/// Gives each connection its store.
#[derive(Clone)]
pub struct Stores {
    everything: Arc<dyn Store>,
    is_shared: bool,
}

impl Stores {
    /// Opens the store that the settings name, or else the store in the directory `default`,
    /// with the limits of the settings.
    pub async fn open(settings: &StoreSettings, default: &Path) -> anyhow::Result<Self> {
        let own = StoreAt::Directory(default.to_owned());
        let at = settings.at.as_ref().unwrap_or(&own);
        let all = if settings.at.is_none() { Limits::OWN.1 } else { Quota::Unlimited };
        let limits = Limits::of(settings.max_age, settings.quota.unwrap_or(all));
        let everything = at.open(limits, settings.endpoint.as_deref())?;
        Ok(match &settings.session {
            Session::Connection => Stores { everything, is_shared: false },
            Session::Shared => Stores { everything, is_shared: true },
            Session::Named(name) => {
                let session = everything.session(name).await;
                let session = session.map_err(|error| error.into_error("opening a session", name))?;
                Stores { everything: session, is_shared: true }
            }
        })
    }

    /// Returns the store of a new connection.
    pub fn of_connection(&self) -> Arc<dyn Store> {
        match self.is_shared {
            true => Arc::clone(&self.everything),
            false => Arc::new(OwnStore { everything: Arc::clone(&self.everything), ids: Mutex::default() }),
        }
    }
}

/// The part of a store that was written through this value.
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

    async fn stores(session: Session, at: Option<StoreAt>, directory: &Path) -> Stores {
        let (max_age, _) = Limits::OWN;
        let settings = StoreSettings { at, session, endpoint: None, max_age, quota: None };
        Stores::open(&settings, directory).await.unwrap()
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
            let stores = stores(Session::Connection, at, dir.path()).await;
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
    async fn shared_artifacts_are_read_by_everybody() {
        let dir = tempfile::tempdir().unwrap();
        let stores = stores(Session::Shared, None, dir.path()).await;
        let id = put(&*stores.of_connection()).await;
        assert_eq!(stores.of_connection().read(&id, 0, 10).await.unwrap(), b"text");
    }

    #[tokio::test]
    async fn everybody_reads_a_named_session_and_nothing_else() {
        let dir = tempfile::tempdir().unwrap();
        let named = stores(Session::Named("team".to_owned()), None, dir.path()).await;
        let shared = stores(Session::Shared, None, dir.path()).await;
        let (inside, outside) = (put(&*named.of_connection()).await, put(&*shared.of_connection()).await);
        assert_eq!(named.of_connection().read(&inside, 0, 10).await.unwrap(), b"text");
        assert_eq!(named.of_connection().stat(&outside).await.unwrap_err(), StoreError::NotFound);
        assert_eq!(shared.of_connection().stat(&inside).await.unwrap_err(), StoreError::NotFound);
    }
}
