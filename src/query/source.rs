//! The bytes of an artifact, read from the store on demand.

use tuckaway_contract::{Artifact, Error};
#[cfg(test)]
use tuckaway_search::source::Reads;
use tuckaway_search::source::{self, ByteSource};

use super::Words;
use super::decoded::Decoded;
use crate::artifact;
use crate::ports::Store;

/// A window that moves over an artifact.
pub(crate) type Window<'s, 'a> = source::Window<'s, Source<'a>>;

/// A sealed artifact, read in parts. A text in another encoding is read as UTF-8: all sizes and
/// offsets refer to the decoded text.
pub(crate) struct Source<'a> {
    store: &'a dyn Store,
    artifact: Artifact,
    decoded: Option<Decoded>,
    words: &'static Words,
    #[cfg(test)]
    reads: Option<Reads>,
}

impl<'a> Source<'a> {
    /// Opens the artifact of this id: `invalid-input` if the id is malformed,
    /// `not-found`, `expired` or `store` from the store.
    pub(crate) fn open(store: &'a dyn Store, id: &str, words: &'static Words) -> Result<Self, Error> {
        Source::of(store, artifact::stat(store, id)?, words)
    }

    /// Opens an artifact whose record is known: `not-found`, `expired` or `store` from the store.
    pub(crate) fn of(store: &'a dyn Store, artifact: Artifact, words: &'static Words) -> Result<Self, Error> {
        Ok(Source {
            store,
            decoded: Decoded::open(store, &artifact)?,
            artifact,
            words,
            #[cfg(test)]
            reads: None,
        })
    }

    /// Makes windows read this many bytes at a time, for tests of matches across their
    /// boundaries.
    #[cfg(test)]
    pub(crate) fn in_parts_of(self, bytes: usize) -> Self {
        Source { reads: Some(Reads::of_size(bytes)), ..self }
    }

    /// Returns the store's record of the artifact.
    pub(crate) fn artifact(&self) -> &Artifact {
        &self.artifact
    }

    /// Returns the words for messages about it.
    pub(crate) fn words(&self) -> &'static Words {
        self.words
    }

    /// Returns the number of lines as the host counted them; for notices only.
    pub(crate) fn line_count(&self) -> u64 {
        self.artifact.line_count
    }
}

impl ByteSource for Source<'_> {
    type Error = Error;

    fn size(&self) -> u64 {
        self.decoded.as_ref().map_or(self.artifact.size_bytes, |decoded| decoded.size)
    }

    fn read_at(&self, offset: u64, length: usize) -> Result<Vec<u8>, Error> {
        match &self.decoded {
            Some(decoded) => decoded.read_at(self.store, &self.artifact, offset, length),
            None => artifact::read_range(self.store, &self.artifact, offset, length),
        }
    }

    #[cfg(test)]
    fn reads(&self) -> Reads {
        self.reads.unwrap_or(self.artifact.id.as_bytes().reads())
    }
}
