//! Removes files of crashed writers and expired content.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::PoisonError;
use std::time::{Duration, Instant, UNIX_EPOCH};

use tuckaway_contract::{Artifact, Expiry, StoreError, is_artifact_id};

use super::Directory;
use super::files::{self, failed};
use crate::garbage::Garbage;
use crate::id::is_minted;
use crate::limits::{ABANDONED, SWEEP_EVERY};
use crate::meta::Meta;

impl Directory {
    /// Returns the bytes of content in the directory, including part files.
    pub(super) fn used(&self) -> Result<u64, StoreError> {
        let names = files::names(&self.path)?;
        Ok(names
            .iter()
            .map(|name| match name.strip_suffix(".json") {
                Some(id) if is_artifact_id(id) => length(&self.content(id)),
                _ if part_of(name).is_some() => length(&self.path.join(name)),
                _ => 0,
            })
            .sum())
    }

    pub(super) fn sweep_if_due(&self) {
        let mut swept = self.shared.swept.lock().unwrap_or_else(PoisonError::into_inner);
        if swept.is_none_or(|last| last.elapsed() >= SWEEP_EVERY) {
            *swept = Some(Instant::now());
            drop(swept);
            self.sweep();
        }
    }

    /// Removes the files of crashed writers and of expired artifacts. After a failure, a later
    /// sweep tries again.
    fn sweep(&self) -> Garbage {
        let mut garbage = Garbage::default();
        for name in files::names(&self.path).unwrap_or_default() {
            if let Some(id) = part_of(&name) {
                let path = self.path.join(&name);
                if is_minted(id) && self.is_older(&path, ABANDONED) {
                    garbage += freed(path, |garbage| garbage.abandoned += 1);
                    self.forget_writer(id);
                }
            } else if let Some(id) = name.strip_suffix(".json").filter(|id| is_minted(id)) {
                garbage += self.sweep_sealed(id);
            }
        }
        garbage
    }

    fn sweep_sealed(&self, id: &str) -> Garbage {
        let Ok(meta) = files::read_meta(&self.meta(id), id) else { return Garbage::default() };
        if let Some(expiry) = meta.expiry.or_else(|| self.limits.expiry(&meta.artifact))
            && self.content(id).exists()
        {
            return self.expire(&meta.artifact, &expiry);
        }
        let mut garbage = Garbage::default();
        if !self.content(id).exists()
            && self.is_older(&self.meta(id), self.limits.remembered())
            && fs::remove_file(self.meta(id)).is_ok()
        {
            garbage.forgotten = 1;
        }
        garbage
    }

    /// Removes the content of an artifact, after recording that it has expired.
    fn expire(&self, artifact: &Artifact, expiry: &Expiry) -> Garbage {
        let id = &artifact.id;
        let meta = Meta::new(artifact, Some(expiry.expired_at));
        // If that cannot be recorded, the content is removed anyway: otherwise it would be kept
        // forever.
        let _ = files::write_meta(&self.meta_part(id), &self.meta(id), &meta);
        freed(self.content(id), |garbage| garbage.expired += 1)
    }

    /// Removes expired artifacts and the files of crashed writers, here and in all sessions. If the
    /// artifacts exceed the quota, the oldest ones expire until the rest fits.
    pub fn collect_garbage(&self) -> Result<Garbage, StoreError> {
        let mut garbage = self.sweep();
        let all = self.list_artifacts()?;
        // Anybody may have changed the metadata.
        let sealed = all.iter().map(|each| each.size_bytes).fold(0, u64::saturating_add);
        let others = self.used()?.saturating_sub(sealed);
        let expired_at = self.limits.now().as_secs();
        for artifact in self.limits.excess(&all, others) {
            garbage += self.expire(artifact, &Expiry { tool: artifact.tool.clone(), expired_at });
        }
        self.remove_rest_of_sessions();
        for name in self.sessions()? {
            garbage += self.session(&name)?.collect_garbage()?;
        }
        files::sync_directory(&self.path).map_err(|error| failed("flushing the directory", &error))?;
        Ok(garbage)
    }

    /// Returns whether the last write to a file is longer ago than `age`.
    fn is_older(&self, path: &Path, age: Duration) -> bool {
        let written = fs::symlink_metadata(path).and_then(|found| found.modified());
        let written = written.ok().and_then(|at| at.duration_since(UNIX_EPOCH).ok());
        written.is_some_and(|at| self.limits.now().saturating_sub(at) > age)
    }
}

/// Returns the size of a file; 0 if it cannot be found.
fn length(path: &Path) -> u64 {
    fs::symlink_metadata(path).map_or(0, |found| found.len())
}

/// Removes a file, and counts it if it existed.
fn freed(path: PathBuf, count: impl FnOnce(&mut Garbage)) -> Garbage {
    let mut garbage = Garbage { freed_bytes: length(&path), ..Garbage::default() };
    match fs::remove_file(path) {
        Ok(()) => count(&mut garbage),
        Err(_) => garbage.freed_bytes = 0,
    }
    garbage
}

/// Returns the id of the artifact to which a part file belongs.
pub(super) fn part_of(name: &str) -> Option<&str> {
    let id = name.strip_prefix('.')?.strip_suffix(".part")?;
    let id = id.strip_suffix(".json").unwrap_or(id);
    is_artifact_id(id).then_some(id)
}
