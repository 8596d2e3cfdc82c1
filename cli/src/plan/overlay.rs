//! A store for plans that are only shown: new artifacts are kept in memory, over a store
//! that does not change.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, PoisonError};

use async_trait::async_trait;
use tuckaway_host::{Artifact, MemoryStore, Store, StoreError};

/// A store in memory over another one, which is only read.
pub struct Overlay {
    memory: MemoryStore,
    below: Arc<dyn Store>,
    ids: Mutex<BTreeSet<String>>,
}

impl Overlay {
    pub fn new(below: Arc<dyn Store>) -> Self {
        Overlay { memory: MemoryStore::new(), below, ids: Mutex::default() }
    }

    /// Returns the ids of the artifacts in memory, which are lost with this store.
    pub fn ids(&self) -> BTreeSet<String> {
        self.ids.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn is_new(&self, id: &str) -> bool {
        self.ids.lock().unwrap_or_else(PoisonError::into_inner).contains(id)
    }
}

#[async_trait]
impl Store for Overlay {
    async fn create(&self, tool: &str, media_type: &str) -> Result<String, StoreError> {
        let id = self.memory.create(tool, media_type).await?;
        self.ids.lock().unwrap_or_else(PoisonError::into_inner).insert(id.clone());
        Ok(id)
    }

    async fn append(&self, id: &str, bytes: Vec<u8>) -> Result<(), StoreError> {
        self.memory.append(id, bytes).await
    }

    async fn seal(&self, id: &str, line_count: u64) -> Result<Artifact, StoreError> {
        self.memory.seal(id, line_count).await
    }

    async fn stat(&self, id: &str) -> Result<Artifact, StoreError> {
        match self.is_new(id) {
            true => self.memory.stat(id).await,
            false => self.below.stat(id).await,
        }
    }

    async fn read(&self, id: &str, offset: u64, length: u32) -> Result<Vec<u8>, StoreError> {
        match self.is_new(id) {
            true => self.memory.read(id, offset, length).await,
            false => self.below.read(id, offset, length).await,
        }
    }

    async fn list_artifacts(&self) -> Result<Vec<Artifact>, StoreError> {
        let mut all = self.below.list_artifacts().await?;
        all.extend(self.memory.list_artifacts().await?);
        Ok(all)
    }

    async fn delete(&self, id: &str) -> Result<(), StoreError> {
        // The store below does not change.
        self.memory.delete(id).await
    }
}
