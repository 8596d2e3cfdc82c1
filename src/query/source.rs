//! An artifact's bytes, read from the store as they are needed.

use crate::artifact;
use crate::error::Error;
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
        artifact::read_range(self.store, &self.artifact, offset, length)
    }
}
