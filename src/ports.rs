//! The two doors outward. Everything else in this crate is pure.

use crate::error::{Error, ErrorKind};
use crate::model::Artifact;

/// Where full outputs are kept; `wit/store.wit` states the contract of each
/// method, edges included. Nothing that comes back is believed: see
/// [`crate::artifact`].
pub trait Store {
    /// Begins an artifact and mints its id.
    fn create(&self, tool: &str, media_type: &str) -> Result<String, StoreError>;
    /// Adds bytes at the end of an artifact that is not sealed yet.
    fn append(&self, id: &str, bytes: &[u8]) -> Result<(), StoreError>;
    /// Makes the artifact visible, whole, or fails and keeps nothing.
    fn seal(&self, id: &str, line_count: u64) -> Result<Artifact, StoreError>;
    /// What is known of a sealed artifact.
    fn stat(&self, id: &str) -> Result<Artifact, StoreError>;
    /// Up to `length` bytes of a sealed artifact from `offset`.
    fn read(&self, id: &str, offset: u64, length: u32) -> Result<Vec<u8>, StoreError>;
    /// Sealed artifacts, oldest first.
    fn list_artifacts(&self) -> Result<Vec<Artifact>, StoreError>;
    /// Removes an artifact, sealed or not.
    fn delete(&self, id: &str) -> Result<(), StoreError>;
}

/// Token counts of the model that the host serves.
pub trait CountTokens {
    /// Tokens of one text on its own, or why there is no count.
    fn count(&self, text: &str) -> Result<u64, String>;
}

/// Why a store did not do what it was asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StoreError {
    /// No sealed artifact has this id.
    NotFound,
    /// There was one, and its age ended it.
    Expired,
    /// The write would pass the host's quota.
    QuotaExceeded,
    /// Anything else; the text is for people only.
    Other(String),
}

impl StoreError {
    /// The error of an export in which `doing` failed on artifact `id`.
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
