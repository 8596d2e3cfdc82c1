//! An artifact's bytes, read from the store as they are needed.

use crate::artifact::{self, CHUNK_BYTES};
use crate::error::{Error, ErrorKind};
use crate::model::Artifact;
use crate::ports::Store;

/// A sealed artifact that is read in parts.
pub(crate) struct Source<'a> {
    store: &'a dyn Store,
    artifact: Artifact,
}

impl<'a> Source<'a> {
    /// The artifact of this id: `invalid-input` if it is no id, `not-found`,
    /// `expired` or `store` from the store.
    pub(crate) fn open(store: &'a dyn Store, id: &str) -> Result<Self, Error> {
        Ok(Source { store, artifact: artifact::stat(store, id)? })
    }

    /// Its size in bytes.
    pub(crate) fn size(&self) -> u64 {
        self.artifact.size_bytes
    }

    /// Its lines, as the host counts them: for notices, not to be relied on.
    pub(crate) fn line_count(&self) -> u64 {
        self.artifact.line_count
    }

    /// All of its bytes.
    pub(crate) fn load(&self) -> Result<Vec<u8>, Error> {
        artifact::load(self.store, &self.artifact)
    }

    /// `length` bytes from `offset`; fewer only where the artifact ends.
    pub(crate) fn window(&self, offset: u64, length: usize) -> Result<Vec<u8>, Error> {
        let left = self.size().saturating_sub(offset);
        let length = usize::try_from(left).unwrap_or(usize::MAX).min(length);
        let mut bytes = Vec::new();
        while bytes.len() < length {
            let wanted = (length - bytes.len()).min(CHUNK_BYTES);
            let at = offset + bytes.len() as u64;
            let chunk = self
                .store
                .read(&self.artifact.id, at, wanted as u32)
                .map_err(|e| e.into_error("reading an artifact", &self.artifact.id))?;
            if chunk.is_empty() || chunk.len() > wanted {
                return Err(Error::new(
                    ErrorKind::Store,
                    format!(
                        "The store broke its contract: it gave {} bytes of {:?} at {at} where {wanted} were asked for and are there.",
                        chunk.len(),
                        self.artifact.id
                    ),
                ));
            }
            bytes.extend_from_slice(&chunk);
        }
        Ok(bytes)
    }
}
