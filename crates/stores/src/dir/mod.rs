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

use tuckaway_contract::{Artifact, StoreError, is_artifact_id};

use self::files::{failed, is_missing};
use self::write::Writer;
use crate::id::is_minted;
use crate::limits::Limits;
use crate::meta::Described;

/// Stores artifacts as files in a directory. Cheap to clone: clones share the artifacts that are not
/// sealed yet. All methods wait for the disk.
#[derive(Clone, Debug)]
pub struct Directory {
    path: PathBuf,
    limits: Limits,
    shared: Arc<Shared>,
}

#[derive(Debug, Default)]
struct Shared {
    writers: Mutex<HashMap<String, Arc<Mutex<Writer>>>>,
    swept: Mutex<Option<Instant>>,
}

impl Directory {
    /// Opens the store in a directory, which is created if it is missing.
    pub fn open(path: impl AsRef<Path>) -> io::Result<Self> {
        let path = files::make_directory(path.as_ref())?;
        Ok(Directory { path, limits: Limits::none(), shared: Arc::default() })
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

    /// Returns the metadata of a sealed artifact that has not expired.
    pub fn stat(&self, id: &str) -> Result<Artifact, StoreError> {
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

    /// Returns `length` bytes of a sealed artifact from `offset`, or fewer at its end.
    pub fn read(&self, id: &str, offset: u64, length: u32) -> Result<Vec<u8>, StoreError> {
        let artifact = self.stat(id)?;
        let length = u64::from(length).min(artifact.size_bytes.saturating_sub(offset));
        files::read_at(&self.content(id), offset, length)
    }

    /// Lists the sealed artifacts, oldest first.
    pub fn list_artifacts(&self) -> Result<Vec<Artifact>, StoreError> {
        let mut listed = Vec::new();
        for name in files::names(&self.path)? {
            // A file that cannot be read or is not metadata is not an artifact. It must not
            // hide the others.
            if let Some(id) = name.strip_suffix(".json")
                && let Ok(artifact) = self.stat(id)
            {
                let written = fs::symlink_metadata(self.meta(id)).and_then(|found| found.modified()).ok();
                listed.push((artifact.created_at, written, artifact));
            }
        }
        listed.sort_by(|a, b| (a.0, a.1, &a.2.id).cmp(&(b.0, b.1, &b.2.id)));
        Ok(listed.into_iter().map(|(_, _, artifact)| artifact).collect())
    }

    /// Removes an artifact, sealed or not.
    pub fn delete(&self, id: &str) -> Result<(), StoreError> {
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
}
