//! The two interfaces to the host: a store and a token counter. Everything else in
//! this crate is pure.

use crate::error::{Error, ErrorKind};
use crate::model::Artifact;

/// The store of full outputs; `wit/store.wit` states the contract of each method,
/// edges included. The engine validates every answer.
pub trait Store {
    /// Begins an artifact and returns its new id.
    fn create(&self, tool: &str, media_type: &str) -> Result<String, StoreError>;
    /// Appends bytes to an artifact that is not sealed yet.
    fn append(&self, id: &str, bytes: &[u8]) -> Result<(), StoreError>;
    /// Makes the whole artifact visible, or fails and keeps nothing.
    fn seal(&self, id: &str, line_count: u64) -> Result<Artifact, StoreError>;
    /// Returns the record of a sealed artifact.
    fn stat(&self, id: &str) -> Result<Artifact, StoreError>;
    /// Returns up to `length` bytes of a sealed artifact from `offset`.
    fn read(&self, id: &str, offset: u64, length: u32) -> Result<Vec<u8>, StoreError>;
    /// Lists the sealed artifacts, oldest first.
    fn list_artifacts(&self) -> Result<Vec<Artifact>, StoreError>;
    /// Deletes an artifact, sealed or not.
    fn delete(&self, id: &str) -> Result<(), StoreError>;
}

/// The tokenizer of the model that the host serves.
pub trait CountTokens {
    /// Returns the number of tokens of one text on its own, or why it cannot be
    /// counted.
    fn count(&self, text: &str) -> Result<u64, String>;
}

/// Why a call of the store failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StoreError {
    /// No sealed artifact has this id.
    NotFound,
    /// The artifact existed and has expired.
    Expired,
    /// The write would exceed the host's quota.
    QuotaExceeded,
    /// Any other failure; the text is for people only.
    Other(String),
}

impl StoreError {
    /// Converts to the engine's error for the operation `doing` on artifact `id`.
    pub fn into_error(self, doing: &str, id: &str) -> Error {
        match self {
            StoreError::NotFound => Error::new(
                ErrorKind::NotFound,
                format!(
                    "There is no artifact {id:?} in this session; use an artifact_id exactly as an envelope gave it."
                ),
            ),
            StoreError::Expired => Error::new(
                ErrorKind::Expired,
                format!("Artifact {id:?} has expired; run the tool that produced it again."),
            ),
            StoreError::QuotaExceeded => Error::new(
                ErrorKind::Store,
                format!("The store's quota is used up while {doing}; delete artifacts or raise the quota."),
            ),
            StoreError::Other(why) => {
                Error::new(ErrorKind::Store, format!("The store failed while {doing}: {why}"))
            }
        }
    }
}
