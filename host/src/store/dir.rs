//! The store in a directory, on the blocking threads of tokio. `crates/stores` describes the files.

use std::io;
use std::path::Path;
use std::sync::Arc;

use async_trait::async_trait;
use tuckaway_contract::{Artifact, StoreError};
use tuckaway_stores::Directory;

use super::{Garbage, Limits, Sessions, Store};
use crate::fork::Step;

/// Stores artifacts as files in a directory, which several processes can share. Cheap to clone.
/// Needs a tokio runtime, whose blocking threads do the work.
#[derive(Clone, Debug)]
pub struct DirStore(Directory);

impl DirStore {
    /// Opens the store in a directory, which is created if it is missing.
    pub fn open(path: impl AsRef<Path>) -> io::Result<Self> {
        Directory::open(std::path::absolute(path)?).map(DirStore)
    }

    /// Sets the limits. The quota counts all bytes in the directory, but processes that write at
    /// the same time notice each other only when they seal.
    #[must_use]
    pub fn with_limits(self, limits: Limits) -> Self {
        DirStore(self.0.with_limits(limits))
    }

    /// Returns the directory.
    pub fn path(&self) -> &Path {
        self.0.path()
    }

    /// Runs work that waits for the disk on a blocking thread.
    async fn blocking<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Directory) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        let store = self.0.clone();
        let step = move || {
            let _step = Step::begin();
            work(&store)
        };
        match tokio::task::spawn_blocking(step).await {
            Ok(done) => done,
            Err(error) => match error.try_into_panic() {
                Ok(panic) => std::panic::resume_unwind(panic),
                Err(_) => Err(StoreError::Other("the runtime is shutting down".to_owned())),
            },
        }
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
        let id = id.to_owned();
        self.blocking(move |store| store.read(&id, offset, length)).await
    }

    async fn list_artifacts(&self) -> Result<Vec<Artifact>, StoreError> {
        self.blocking(Directory::list_artifacts).await
    }

    async fn delete(&self, id: &str) -> Result<(), StoreError> {
        let id = id.to_owned();
        self.blocking(move |store| store.delete(&id)).await
    }
}

#[async_trait]
impl Sessions for DirStore {
    async fn session(&self, name: &str) -> Result<Arc<dyn Sessions>, StoreError> {
        let name = name.to_owned();
        self.blocking(move |store| Ok(Arc::new(DirStore(store.session(&name)?)) as Arc<dyn Sessions>)).await
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
