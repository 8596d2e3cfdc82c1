//! A store in a directory, which several processes can share.
//!
//! # On disk
//!
//! An artifact is two files, named after its id:
//!
//! | name | content |
//! |---|---|
//! | `<id>` | the bytes, unchanged |
//! | `<id>.json` | its metadata: an object with `id`, `tool`, `media_type`, `size_bytes`, `line_count` and `created_at` (Unix seconds); readers ignore other keys |
//! | `.<id>.part`, `.<id>.json.part` | the same two while they are being written |
//!
//! An artifact exists if both files exist. A writer creates `.<id>.part` (which must
//! not exist) and appends to it. To seal, it flushes that file to the disk, writes
//! `.<id>.json.part`, flushes it, renames it to `<id>.json`, and finally renames
//! `.<id>.part` to `<id>`. So a reader sees all of an artifact or nothing. To delete,
//! `<id>` is removed first. An expired artifact keeps its `<id>.json`, which on its own
//! means "expired", and is removed later.
//!
//! Artifacts are listed by `created_at`, then by the time at which `<id>.json` was
//! written, then by id. Part files without a write for a day are those of a
//! crashed writer and are removed when the next artifact is created. Files whose names
//! were not minted by such a store are never touched.
//!
//! Directories are created with mode 0700 and files with 0600; symbolic links are not
//! followed. Other implementations may use this format too.

mod files;

use std::collections::HashMap;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant, SystemTime};

use async_trait::async_trait;
use tuckaway::{Artifact, StoreError, is_artifact_id};

use self::files::{Meta, failed, is_missing};
use super::id::is_minted;
use super::{Store, mint, now};

/// After this time without a write, a part file counts as abandoned by a crashed writer.
const ABANDONED: Duration = Duration::from_secs(24 * 60 * 60);

/// The interval at which a process removes abandoned and expired files.
const SWEEP_EVERY: Duration = Duration::from_secs(10 * 60);

/// Keeps artifacts as files of a directory, in the format of the module's documentation.
/// Cheap to clone. Needs a tokio runtime, whose blocking threads do the work.
#[derive(Clone, Debug)]
pub struct DirStore {
    path: PathBuf,
    quota: Option<u64>,
    max_age: Option<Duration>,
    shared: Arc<Shared>,
}

#[derive(Debug, Default)]
struct Shared {
    writers: Mutex<HashMap<String, Arc<Mutex<Writer>>>>,
    swept: Mutex<Option<Instant>>,
}

/// An artifact that is not sealed yet.
#[derive(Debug)]
struct Writer {
    file: File,
    tool: String,
    media_type: String,
    written: u64,
    /// Bytes of content in the directory when this artifact was created.
    others: u64,
    /// An append failed: the artifact can only be deleted.
    broken: bool,
}

impl DirStore {
    /// Opens the store in a directory, which is created if it is missing.
    pub fn open(path: impl AsRef<Path>) -> io::Result<Self> {
        let path = files::make_directory(&std::path::absolute(path)?)?;
        Ok(DirStore { path, quota: None, max_age: None, shared: Arc::default() })
    }

    /// Limits the bytes of content in the directory, including unsealed artifacts.
    /// Processes that write at the same time detect each other when they seal.
    #[must_use]
    pub fn with_quota(mut self, bytes: u64) -> Self {
        self.quota = Some(bytes);
        self
    }

    /// Makes artifacts expire at this age, to the second.
    #[must_use]
    pub fn with_max_age(mut self, age: Duration) -> Self {
        self.max_age = Some(age);
        self
    }

    /// Returns the directory.
    pub fn path(&self) -> &Path {
        &self.path
    }

    fn begin(&self, tool: &str, media_type: &str) -> Result<String, StoreError> {
        self.sweep_if_due();
        let others = match self.quota {
            Some(_) => self.used()?,
            None => 0,
        };
        loop {
            let id = mint(tool)?;
            if fs::symlink_metadata(self.content(&id)).is_ok() || fs::symlink_metadata(self.meta(&id)).is_ok()
            {
                continue;
            }
            let file = match files::create_new(&self.part(&id)) {
                Ok(file) => file,
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => continue,
                Err(error) => return Err(failed("making a file", &error)),
            };
            let writer = Writer {
                file,
                tool: tool.to_owned(),
                media_type: media_type.to_owned(),
                written: 0,
                others,
                broken: false,
            };
            self.writers().insert(id.clone(), Arc::new(Mutex::new(writer)));
            return Ok(id);
        }
    }

    fn write(&self, id: &str, bytes: &[u8]) -> Result<(), StoreError> {
        let writer = self.writer(id)?;
        let mut writer = writer.lock().unwrap_or_else(PoisonError::into_inner);
        if writer.broken {
            return Err(StoreError::Other("an earlier write to it failed".to_owned()));
        }
        let grown = writer.written.saturating_add(bytes.len() as u64);
        let failure = match self.quota.is_some_and(|quota| writer.others.saturating_add(grown) > quota) {
            true => StoreError::QuotaExceeded,
            false => match writer.file.write_all(bytes) {
                Ok(()) => {
                    writer.written = grown;
                    return Ok(());
                }
                Err(error) => failed("writing a file", &error),
            },
        };
        writer.broken = true;
        // Frees the space at once. A failure does not matter: the append failed anyway.
        let _ = writer.file.set_len(0);
        Err(failure)
    }

    fn finish(&self, id: &str, line_count: u64) -> Result<Artifact, StoreError> {
        let writer = self.writer(id)?;
        let writer = writer.lock().unwrap_or_else(PoisonError::into_inner);
        let sealed = self.finish_file(id, &writer, line_count);
        if sealed.is_err() {
            for path in [self.content(id), self.meta(id), self.meta_part(id), self.part(id)] {
                let _ = fs::remove_file(path);
            }
        }
        self.writers().remove(id);
        sealed
    }

    fn finish_file(&self, id: &str, writer: &Writer, line_count: u64) -> Result<Artifact, StoreError> {
        if writer.broken {
            return Err(StoreError::Other("an earlier write to it failed".to_owned()));
        }
        if let Some(quota) = self.quota
            && self.used()? > quota
        {
            return Err(StoreError::QuotaExceeded);
        }
        let artifact = Artifact {
            id: id.to_owned(),
            tool: writer.tool.clone(),
            media_type: writer.media_type.clone(),
            size_bytes: writer.written,
            line_count,
            created_at: now(),
        };
        let sealed = || -> io::Result<()> {
            writer.file.sync_all()?;
            let mut meta = files::create_new(&self.meta_part(id))?;
            meta.write_all(&Meta::to_json(&artifact))?;
            meta.sync_all()?;
            fs::rename(self.meta_part(id), self.meta(id))?;
            fs::rename(self.part(id), self.content(id))?;
            files::sync_directory(&self.path)
        };
        sealed().map_err(|error| failed("sealing a file", &error))?;
        Ok(artifact)
    }

    /// Looks up a sealed artifact that has not expired.
    fn look_up(&self, id: &str) -> Result<Artifact, StoreError> {
        if !is_artifact_id(id) {
            return Err(StoreError::NotFound);
        }
        let meta = Meta::read(&self.meta(id), id)?;
        if self.has_expired(&meta) {
            return Err(StoreError::Expired);
        }
        let size = match fs::symlink_metadata(self.content(id)) {
            Ok(found) if found.is_file() => found.len(),
            Ok(_) => return Err(StoreError::NotFound),
            Err(error) if is_missing(&error) => return Err(StoreError::Expired),
            Err(error) => return Err(failed("looking for a file", &error)),
        };
        match size == meta.size_bytes {
            true => Ok(meta),
            false => Err(StoreError::Other(format!(
                "its file has {size} bytes where {} were sealed",
                meta.size_bytes
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
        self.writers().remove(id);
        let mut found = false;
        // A file of this name that no store has written belongs to someone else.
        let ours = is_minted(id) || Meta::read(&self.meta(id), id).is_ok();
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

    /// Returns the bytes of content in the directory, including part files.
    fn used(&self) -> Result<u64, StoreError> {
        let names = files::names(&self.path)?;
        let length = |path: PathBuf| fs::symlink_metadata(path).map_or(0, |found| found.len());
        Ok(names
            .iter()
            .map(|name| match name.strip_suffix(".json") {
                Some(id) if is_artifact_id(id) => length(self.content(id)),
                _ if part_of(name).is_some() => length(self.path.join(name)),
                _ => 0,
            })
            .sum())
    }

    fn sweep_if_due(&self) {
        let mut swept = self.shared.swept.lock().unwrap_or_else(PoisonError::into_inner);
        if swept.is_none_or(|last| last.elapsed() >= SWEEP_EVERY) {
            *swept = Some(Instant::now());
            drop(swept);
            self.sweep();
        }
    }

    /// Removes the files of crashed writers and of expired artifacts. What cannot be
    /// removed now is tried again later.
    fn sweep(&self) {
        let older = |path: &Path, age: Duration| {
            fs::symlink_metadata(path)
                .and_then(|found| found.modified())
                .is_ok_and(|at| SystemTime::now().duration_since(at).is_ok_and(|since| since > age))
        };
        for name in files::names(&self.path).unwrap_or_default() {
            if let Some(id) = part_of(&name) {
                let path = self.path.join(&name);
                if is_minted(id) && older(&path, ABANDONED) {
                    let _ = fs::remove_file(path);
                    self.writers().remove(id);
                }
            } else if let Some(id) = name.strip_suffix(".json").filter(|id| is_minted(id)) {
                let Ok(meta) = Meta::read(&self.meta(id), id) else { continue };
                if self.has_expired(&meta) {
                    let _ = fs::remove_file(self.content(id));
                }
                let remembered = self.max_age.unwrap_or_default().max(ABANDONED).saturating_mul(2);
                if !self.content(id).exists() && older(&self.meta(id), remembered) {
                    let _ = fs::remove_file(self.meta(id));
                }
            }
        }
    }

    fn has_expired(&self, artifact: &Artifact) -> bool {
        self.max_age.is_some_and(|age| now().saturating_sub(artifact.created_at) >= age.as_secs())
    }

    fn writers(&self) -> MutexGuard<'_, HashMap<String, Arc<Mutex<Writer>>>> {
        self.shared.writers.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn writer(&self, id: &str) -> Result<Arc<Mutex<Writer>>, StoreError> {
        match self.writers().get(id) {
            Some(writer) => Ok(Arc::clone(writer)),
            None => match self.look_up(id) {
                Ok(_) => Err(StoreError::Other("it is sealed already".to_owned())),
                Err(error) => Err(error),
            },
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
        match tokio::task::spawn_blocking(move || work(&store)).await {
            Ok(done) => done,
            Err(error) => match error.try_into_panic() {
                Ok(panic) => std::panic::resume_unwind(panic),
                Err(_) => Err(StoreError::Other("the runtime is shutting down".to_owned())),
            },
        }
    }
}

/// Returns the id of the artifact to which a part file belongs.
fn part_of(name: &str) -> Option<&str> {
    let id = name.strip_prefix('.')?.strip_suffix(".part")?;
    let id = id.strip_suffix(".json").unwrap_or(id);
    is_artifact_id(id).then_some(id)
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
