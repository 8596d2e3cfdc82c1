//! A store in place of one that cannot be opened: it fails each call, so that outputs are truncated.

use async_trait::async_trait;
use tuckaway_host::{Artifact, Store, StoreError};

/// A store that cannot be opened.
pub struct Unavailable;

/// The reason is short, since a model may read it.
fn fails<T>() -> Result<T, StoreError> {
    Err(StoreError::Other("the store cannot be opened".to_owned()))
}

#[async_trait]
impl Store for Unavailable {
    async fn create(&self, _tool: &str, _media_type: &str) -> Result<String, StoreError> {
        fails()
    }

    async fn append(&self, _id: &str, _bytes: Vec<u8>) -> Result<(), StoreError> {
        fails()
    }

    async fn seal(&self, _id: &str, _line_count: u64) -> Result<Artifact, StoreError> {
        fails()
    }

    async fn stat(&self, _id: &str) -> Result<Artifact, StoreError> {
        fails()
    }

    async fn read(&self, _id: &str, _offset: u64, _length: u32) -> Result<Vec<u8>, StoreError> {
        fails()
    }

    async fn list_artifacts(&self) -> Result<Vec<Artifact>, StoreError> {
        fails()
    }

    async fn delete(&self, _id: &str) -> Result<(), StoreError> {
        fails()
    }
}
