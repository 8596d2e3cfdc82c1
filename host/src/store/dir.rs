//! The store in a directory, on the blocking threads of tokio. `crates/stores` describes the files.

use std::io;
use std::path::Path;
use std::sync::Arc;

use async_trait::async_trait;
use tuckaway_contract::{Artifact, StoreError};
use tuckaway_stores::Directory;

use super::ahead::{self, ReadAhead};
use super::{Garbage, Limits, Sessions, Store};

/// Stores artifacts as files in a directory, which several processes can share. Cheap to clone.
/// Needs a tokio runtime, whose blocking threads do the work.
#[derive(Clone, Debug)]
pub struct DirStore {
    directory: Directory,
    ahead: ReadAhead,
}

impl DirStore {
    /// Opens the store in a directory, which is created if it is missing.
    pub fn open(path: impl AsRef<Path>) -> io::Result<Self> {
        Directory::open(std::path::absolute(path)?).map(DirStore::of)
    }

    fn of(directory: Directory) -> Self {
        DirStore { directory, ahead: ReadAhead::default() }
    }

    /// Sets the limits. The quota counts all bytes in the directory, but processes that write at
    /// the same time notice each other only when they seal.
    #[must_use]
    pub fn with_limits(self, limits: Limits) -> Self {
        DirStore::of(self.directory.with_limits(limits))
    }

    /// Returns the directory.
    pub fn path(&self) -> &Path {
        self.directory.path()
    }

    /// Runs work that waits for the disk on a blocking thread.
    async fn blocking<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Directory) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        let directory = self.directory.clone();
        ahead::blocking(move || work(&directory)).await
    }
}

#[async_trait]
impl Store for DirStore {
    async fn create(&self, tool: &str, media_type: &str) -> Result<String, StoreError> {
        let (tool, media_type) = (tool.to_owned(), media_type.to_owned());
        self.blocking(move |store| store.create(&tool, &media_type)).await
    }

    async fn append(&self, id: &str, bytes: Vec<u8>) -> Result<(), StoreError> {
        let id = id.to_owned();
        self.blocking(move |store| store.append(&id, &bytes)).await
    }

    async fn seal(&self, id: &str, line_count: u64) -> Result<Artifact, StoreError> {
        let id = id.to_owned();
        self.blocking(move |store| store.seal(&id, line_count)).await
    }

    async fn stat(&self, id: &str) -> Result<Artifact, StoreError> {
        let id = id.to_owned();
        self.blocking(move |store| store.stat(&id)).await
    }

    async fn read(&self, id: &str, offset: u64, length: u32) -> Result<Vec<u8>, StoreError> {
        let directory = self.directory.clone();
        let read = move |id: &str, offset, length| directory.read(id, offset, length);
        self.ahead.read(id, offset, length, read).await
    }

    async fn list_artifacts(&self) -> Result<Vec<Artifact>, StoreError> {
        self.blocking(Directory::list_artifacts).await
    }

    async fn delete(&self, id: &str) -> Result<(), StoreError> {
        self.ahead.forget(id);
        let id = id.to_owned();
        self.blocking(move |store| store.delete(&id)).await
    }
}

#[async_trait]
impl Sessions for DirStore {
    async fn session(&self, name: &str) -> Result<Arc<dyn Sessions>, StoreError> {
        let name = name.to_owned();
        self.blocking(move |store| Ok(Arc::new(DirStore::of(store.session(&name)?)) as Arc<dyn Sessions>))
            .await
    }

    async fn sessions(&self) -> Result<Vec<String>, StoreError> {
        self.blocking(Directory::sessions).await
    }

    async fn remove_session(&self, name: &str) -> Result<(), StoreError> {
        let name = name.to_owned();
        self.blocking(move |store| store.remove_session(&name)).await
    }

    async fn collect_garbage(&self) -> Result<Garbage, StoreError> {
        self.blocking(Directory::collect_garbage).await
    }
}
