//! A store that is opened when a call needs it.

use std::sync::Arc;

use async_trait::async_trait;
use tuckaway_contract::{Artifact, StoreError};

use super::Store;

/// Opens a store when a call needs it, and keeps it if opening it again would cost something.
#[async_trait]
pub trait Opens: Send + Sync {
    /// Returns the store that answers a call.
    async fn open(&self) -> Result<Arc<dyn Store>, StoreError>;
}

#[async_trait]
impl<O: Opens + ?Sized> Opens for Arc<O> {
    async fn open(&self) -> Result<Arc<dyn Store>, StoreError> {
        (**self).open().await
    }
}

/// A store that is opened when a call needs it. If it cannot be opened, the call fails.
#[derive(Clone, Copy, Debug)]
pub struct OnDemand<O>(pub O);

#[async_trait]
impl<O: Opens> Store for OnDemand<O> {
    async fn create(&self, tool: &str, media_type: &str) -> Result<String, StoreError> {
        self.0.open().await?.create(tool, media_type).await
    }

    async fn append(&self, id: &str, bytes: Vec<u8>) -> Result<(), StoreError> {
        self.0.open().await?.append(id, bytes).await
    }

    async fn seal(&self, id: &str, line_count: u64) -> Result<Artifact, StoreError> {
        self.0.open().await?.seal(id, line_count).await
    }

    async fn stat(&self, id: &str) -> Result<Artifact, StoreError> {
        self.0.open().await?.stat(id).await
    }

    async fn read(&self, id: &str, offset: u64, length: u32) -> Result<Vec<u8>, StoreError> {
        self.0.open().await?.read(id, offset, length).await
    }

    async fn list_artifacts(&self) -> Result<Vec<Artifact>, StoreError> {
        self.0.open().await?.list_artifacts().await
    }

    async fn delete(&self, id: &str) -> Result<(), StoreError> {
        self.0.open().await?.delete(id).await
    }
}
