//! A store in a directory, which several processes can share.
//!
//! # On disk
//!
//! An artifact consists of two files, named after its id:
//!
//! | name | content |
//! |---|---|
//! | `<id>` | the bytes, unchanged |
//! | `<id>.json` | its metadata: an object with `id`, `tool`, `media_type`, `size_bytes`, `line_count` and `created_at` (Unix seconds); readers ignore other keys |
//! | `.<id>.part`, `.<id>.json.part` | the same two while they are being written |
//!
//! An artifact exists if both files exist. A writer creates `.<id>.part` (which must
//! not exist) and appends to it. To seal the artifact, it flushes that file to the disk,
//! writes `.<id>.json.part`, flushes it, renames it to `<id>.json`, and finally renames
//! `.<id>.part` to `<id>`. So a reader sees all of an artifact or nothing. To delete an
//! artifact, `<id>` is removed first. An expired artifact keeps its `<id>.json`, which on
//! its own means "expired", and is removed later.
//!
//! Artifacts are listed by `created_at`, then by the time at which `<id>.json` was
//! written, then by id. A part file without a write for a day counts as abandoned by a
//! crashed writer and is removed when the next artifact is created. Files whose names were
//! not minted by such a store are never touched.
//!
//! A session is a directory in this format, `sessions/<name>`. While a session is being
//! removed, its directory is `sessions/.<name>.<id>.removed`.
//!
//! Directories are created with mode 0700 and files with 0600; symbolic links are not
//! followed. Other implementations may use this format too.

mod files;
mod sessions;
mod sweep;
mod write;

use std::collections::HashMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::Instant;

use async_trait::async_trait;
use tuckaway_contract::{Artifact, StoreError, is_artifact_id};

use self::files::{failed, is_missing};
use self::write::Writer;
use super::id::is_minted;
use super::meta::Described;
use super::{Garbage, Limits, Sessions, Store};
use crate::fork::Step;

/// Stores artifacts as files in a directory, in the format that the module's documentation
/// describes. Cheap to clone. Needs a tokio runtime, whose blocking threads do the work.
#[derive(Clone, Debug)]
pub struct DirStore {
    path: PathBuf,
    limits: Limits,
    shared: Arc<Shared>,
}

#[derive(Debug, Default)]
struct Shared {
    writers: Mutex<HashMap<String, Arc<Mutex<Writer>>>>,
    swept: Mutex<Option<Instant>>,
}

impl DirStore {
    /// Opens the store in a directory, which is created if it is missing.
    pub fn open(path: impl AsRef<Path>) -> io::Result<Self> {
        let path = files::make_directory(&std::path::absolute(path)?)?;
        Ok(DirStore { path, limits: Limits::none(), shared: Arc::default() })
    }

    /// Sets the limits. The quota counts all bytes in the directory, but processes that write at
    /// the same time notice each other only when they seal.
    #[must_use]
    pub fn with_limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// Returns the directory.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Looks up a sealed artifact that has not expired.
    fn look_up(&self, id: &str) -> Result<Artifact, StoreError> {
        if !is_artifact_id(id) {
            return Err(StoreError::NotFound);
        }
        let Described { artifact, expiry } = files::read_meta(&self.meta(id), id)?;
        let expiry = expiry.or_else(|| self.limits.expiry(&artifact));
        if expiry.is_some() {
            return Err(StoreError::Expired(expiry));
        }
        let size = match fs::symlink_metadata(self.content(id)) {
            Ok(found) if found.is_file() => found.len(),
            Ok(_) => return Err(StoreError::NotFound),
            Err(error) if is_missing(&error) => return Err(StoreError::Expired(None)),
            Err(error) => return Err(failed("looking up a file", &error)),
        };
        match size == artifact.size_bytes {
            true => Ok(artifact),
            false => Err(StoreError::Other(format!(
                "its file has {size} bytes where {} were sealed",
                artifact.size_bytes
            ))),
        }
    }

    fn list(&self) -> Result<Vec<Artifact>, StoreError> {
        let mut listed = Vec::new();
        for name in files::names(&self.path)? {
            // A file that cannot be read or is not metadata is not an artifact. It must not
            // hide the others.
            if let Some(id) = name.strip_suffix(".json")
                && let Ok(artifact) = self.look_up(id)
            {
                let written = fs::symlink_metadata(self.meta(id)).and_then(|found| found.modified()).ok();
                listed.push((artifact.created_at, written, artifact));
            }
        }
        listed.sort_by(|a, b| (a.0, a.1, &a.2.id).cmp(&(b.0, b.1, &b.2.id)));
        Ok(listed.into_iter().map(|(_, _, artifact)| artifact).collect())
    }

    fn remove(&self, id: &str) -> Result<(), StoreError> {
        if !is_artifact_id(id) {
            return Err(StoreError::NotFound);
        }
        self.forget_writer(id);
        let mut found = false;
        // A file with this name that no store has written belongs to another program.
        let ours = is_minted(id) || files::read_meta(&self.meta(id), id).is_ok();
        let sealed = [self.content(id), self.meta(id)];
        let unsealed = [self.part(id), self.meta_part(id)];
        for path in sealed.into_iter().filter(|_| ours).chain(unsealed) {
            match fs::remove_file(path) {
                Ok(()) => found = true,
                Err(error) if is_missing(&error) => {}
                Err(error) => return Err(failed("removing a file", &error)),
            }
        }
        match found {
            true => Ok(()),
            false => Err(StoreError::NotFound),
        }
    }

    fn content(&self, id: &str) -> PathBuf {
        self.path.join(id)
    }

    fn meta(&self, id: &str) -> PathBuf {
        self.path.join(format!("{id}.json"))
    }

    fn part(&self, id: &str) -> PathBuf {
        self.path.join(format!(".{id}.part"))
    }

    fn meta_part(&self, id: &str) -> PathBuf {
        self.path.join(format!(".{id}.json.part"))
    }

    /// Runs work that waits for the disk on a blocking thread.
    async fn blocking<T: Send + 'static>(
        &self,
        work: impl FnOnce(&DirStore) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        let store = self.clone();
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
        self.blocking(move |store| store.begin(&tool, &media_type)).await
    }

    async fn append(&self, id: &str, bytes: Vec<u8>) -> Result<(), StoreError> {
        let id = id.to_owned();
        self.blocking(move |store| store.write(&id, &bytes)).await
    }

    async fn seal(&self, id: &str, line_count: u64) -> Result<Artifact, StoreError> {
        let id = id.to_owned();
        self.blocking(move |store| store.finish(&id, line_count)).await
    }

    async fn stat(&self, id: &str) -> Result<Artifact, StoreError> {
        let id = id.to_owned();
        self.blocking(move |store| store.look_up(&id)).await
    }

    async fn read(&self, id: &str, offset: u64, length: u32) -> Result<Vec<u8>, StoreError> {
        let id = id.to_owned();
        self.blocking(move |store| {
            let artifact = store.look_up(&id)?;
            let length = u64::from(length).min(artifact.size_bytes.saturating_sub(offset));
            files::read_at(&store.content(&id), offset, length)
        })
        .await
    }

    async fn list_artifacts(&self) -> Result<Vec<Artifact>, StoreError> {
        self.blocking(DirStore::list).await
    }

    async fn delete(&self, id: &str) -> Result<(), StoreError> {
        let id = id.to_owned();
        self.blocking(move |store| store.remove(&id)).await
    }
}

#[async_trait]
impl Sessions for DirStore {
    async fn session(&self, name: &str) -> Result<Arc<dyn Sessions>, StoreError> {
        let name = name.to_owned();
        self.blocking(move |store| Ok(Arc::new(store.open_session(&name)?) as Arc<dyn Sessions>)).await
    }

    async fn sessions(&self) -> Result<Vec<String>, StoreError> {
        self.blocking(DirStore::session_names).await
    }

    async fn remove_session(&self, name: &str) -> Result<(), StoreError> {
        let name = name.to_owned();
        self.blocking(move |store| store.remove_whole_session(&name)).await
    }

    async fn collect_garbage(&self) -> Result<Garbage, StoreError> {
        self.blocking(DirStore::collect).await
    }
}
