//! Writes artifacts, from their creation to their sealing.

use std::collections::HashMap;
use std::fs::{self, File};
use std::io::{self, Write};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tuckaway_contract::{Artifact, StoreError};

use super::Directory;
use super::files::{self, failed};
use crate::error::broken;
use crate::id::mint;
use crate::meta::Meta;

/// An artifact that is not sealed yet.
#[derive(Debug)]
pub(super) struct Writer {
    file: File,
    tool: String,
    media_type: String,
    written: u64,
    /// Bytes of content in the directory when this artifact was created.
    others: u64,
    /// Whether an append failed: the artifact can only be deleted then.
    broken: bool,
}

impl Directory {
    /// Begins an artifact, and returns its id. It is invisible until it is sealed.
    pub fn create(&self, tool: &str, media_type: &str) -> Result<String, StoreError> {
        self.sweep_if_due();
        let others = match self.limits.quota() {
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
                Err(error) => return Err(failed("creating a file", &error)),
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

    /// Appends bytes to an artifact that is not sealed. After a failure, it can only be deleted.
    pub fn append(&self, id: &str, bytes: &[u8]) -> Result<(), StoreError> {
        let writer = self.writer(id)?;
        let mut writer = writer.lock().unwrap_or_else(PoisonError::into_inner);
        if writer.broken {
            return Err(broken());
        }
        let grown = writer.written.saturating_add(bytes.len() as u64);
        let failure = match self.limits.is_exceeded_by(writer.others.saturating_add(grown)) {
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

    /// Makes the whole artifact visible, or stores nothing.
    pub fn seal(&self, id: &str, line_count: u64) -> Result<Artifact, StoreError> {
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
            return Err(broken());
        }
        if self.limits.quota().is_some() && self.limits.is_exceeded_by(self.used()?) {
            return Err(StoreError::QuotaExceeded);
        }
        let artifact = Artifact {
            id: id.to_owned(),
            tool: writer.tool.clone(),
            media_type: writer.media_type.clone(),
            size_bytes: writer.written,
            line_count,
            created_at: self.limits.now().as_secs(),
        };
        let sealed = || -> io::Result<()> {
            writer.file.sync_all()?;
            files::write_meta(&self.meta_part(id), &self.meta(id), &Meta::new(&artifact, None))?;
            fs::rename(self.part(id), self.content(id))?;
            files::sync_directory(&self.path)
        };
        sealed().map_err(|error| failed("sealing a file", &error))?;
        Ok(artifact)
    }

    /// Forgets an artifact that is not sealed yet; its file is kept.
    pub(super) fn forget_writer(&self, id: &str) {
        self.writers().remove(id);
    }

    fn writers(&self) -> MutexGuard<'_, HashMap<String, Arc<Mutex<Writer>>>> {
        self.shared.writers.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn writer(&self, id: &str) -> Result<Arc<Mutex<Writer>>, StoreError> {
        match self.writers().get(id) {
            Some(writer) => Ok(Arc::clone(writer)),
            None => match self.stat(id) {
                Ok(_) => Err(StoreError::Other("the artifact is already sealed".to_owned())),
                Err(error) => Err(error),
            },
        }
    }
}
