//! A store in place of one that cannot be opened.

use async_trait::async_trait;
use tuckaway_contract::{Artifact, StoreError};

use super::Store;

/// A store in place of one that cannot be opened: it has no artifacts and refuses new ones, so that large
/// outputs are truncated.
#[derive(Clone, Debug)]
pub struct Unavailable {
    /// The reason. It should be short, because a model may read it.
    pub why: String,
}

impl Unavailable {
    fn fails<T>(&self) -> Result<T, StoreError> {
        Err(StoreError::Other(self.why.clone()))
    }
}

#[async_trait]
impl Store for Unavailable {
    async fn create(&self, _: &str, _: &str) -> Result<String, StoreError> {
        self.fails()
    }

    async fn append(&self, _: &str, _: Vec<u8>) -> Result<(), StoreError> {
        self.fails()
    }

    async fn seal(&self, _: &str, _: u64) -> Result<Artifact, StoreError> {
        self.fails()
    }

    async fn stat(&self, _: &str) -> Result<Artifact, StoreError> {
        self.fails()
    }

    async fn read(&self, _: &str, _: u64, _: u32) -> Result<Vec<u8>, StoreError> {
        self.fails()
    }

    async fn list_artifacts(&self) -> Result<Vec<Artifact>, StoreError> {
        Ok(Vec::new())
    }

    async fn delete(&self, _: &str) -> Result<(), StoreError> {
        self.fails()
    }
}
