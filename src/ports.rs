//! The two interfaces that the engine needs from its host. Everything else in this crate is pure.

use tuckaway_contract::{Artifact, StoreError};

/// Stores full outputs. One store is one session: the host scopes it, bounds it and removes it when
/// the session ends.
///
/// The engine checks every answer. It treats each of the following as a failure of the store: an id
/// that violates the grammar ([`is_artifact_id`](crate::is_artifact_id)), a sealed size that
/// differs from the number of bytes written, and a read that is longer than requested or ends
/// before the artifact does.
pub trait Store {
    /// Begins an artifact and creates its id, which is opaque and unguessable. `stat`, `read` and
    /// `list_artifacts` do not see the artifact until it is sealed. `tool` and `media_type` are
    /// untrusted and may be any text, including the empty string.
    fn create(&self, tool: &str, media_type: &str) -> Result<String, StoreError>;
    /// Appends bytes to an unsealed artifact. After a failure the artifact can only be deleted.
    /// Appending zero bytes succeeds.
    fn append(&self, id: &str, bytes: &[u8]) -> Result<(), StoreError>;
    /// Makes the whole artifact visible, or fails and stores nothing. If nothing was appended, the
    /// artifact is empty.
    fn seal(&self, id: &str, line_count: u64) -> Result<Artifact, StoreError>;
    /// Returns the metadata of a sealed artifact.
    fn stat(&self, id: &str) -> Result<Artifact, StoreError>;
    /// Returns `length` bytes of a sealed artifact from `offset`: fewer only if the artifact ends
    /// earlier, and none if `offset` is at or past the end or `length` is 0.
    fn read(&self, id: &str, offset: u64, length: u32) -> Result<Vec<u8>, StoreError>;
    /// Lists the sealed artifacts, oldest first.
    fn list_artifacts(&self) -> Result<Vec<Artifact>, StoreError>;
    /// Removes an artifact, sealed or not; [`StoreError::NotFound`] if it does not exist.
    fn delete(&self, id: &str) -> Result<(), StoreError>;
}

/// Counts tokens with the tokenizer of the host's model.
pub trait CountTokens {
    /// Counts the tokens of a text by itself, or returns the reason why it cannot. A count above
    /// the text's size in bytes is rejected, because a token is at least one byte. After an error,
    /// tokens are estimated from bytes, and the decision records it.
    fn count(&self, text: &str) -> Result<u64, String>;
}
