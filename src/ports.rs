//! What the engine needs from its host. Everything else in this crate is pure.

use crate::error::{Error, ErrorKind};
use crate::model::Artifact;
use tuckaway_text::cut::head;
use tuckaway_text::time::utc;

/// Keeps full outputs. One store is one session: the host scopes it, bounds it and
/// removes it when the session ends.
///
/// The engine trusts no answer. An id outside the grammar
/// ([`is_artifact_id`](crate::is_artifact_id)), a sealed size that differs from what
/// was written, a read that is longer than requested or ends before the artifact
/// does: each counts as a failure of the store.
pub trait Store {
    /// Begins an artifact and mints its id: opaque and unguessable. `stat`, `read`
    /// and `list_artifacts` do not see it until `seal`. `tool` and `media_type` are
    /// untrusted: any text, including the empty one.
    fn create(&self, tool: &str, media_type: &str) -> Result<String, StoreError>;
    /// Appends bytes to an artifact that is not sealed yet. After a failure the
    /// artifact can only be deleted. Appending no bytes succeeds.
    fn append(&self, id: &str, bytes: &[u8]) -> Result<(), StoreError>;
    /// Makes the whole artifact visible, or fails and keeps nothing. If nothing was
    /// appended, the artifact is empty.
    fn seal(&self, id: &str, line_count: u64) -> Result<Artifact, StoreError>;
    /// Returns what is known about a sealed artifact.
    fn stat(&self, id: &str) -> Result<Artifact, StoreError>;
    /// Returns `length` bytes of a sealed artifact from `offset`: fewer only at the
    /// end, none at or past it, and none if `length` is 0.
    fn read(&self, id: &str, offset: u64, length: u32) -> Result<Vec<u8>, StoreError>;
    /// Lists the sealed artifacts, oldest first.
    fn list_artifacts(&self) -> Result<Vec<Artifact>, StoreError>;
    /// Removes an artifact, sealed or not; [`StoreError::NotFound`] if there is none.
    fn delete(&self, id: &str) -> Result<(), StoreError>;
}

/// Counts the tokens of the model that the host serves.
pub trait CountTokens {
    /// Counts the tokens of a text on its own, or says why it cannot. A count above
    /// the text's size in bytes is not trusted, because a token is at least one byte.
    /// After an error, tokens are estimated from bytes, and the decision says so.
    fn count(&self, text: &str) -> Result<u64, String>;
}

/// What a store still knows of an artifact that has expired.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expiry {
    /// The tool that produced it.
    pub tool: String,
    /// When it expired, in Unix seconds of the host's clock.
    pub expired_at: u64,
}

/// The most bytes of a tool's name in the message about an artifact that has expired.
const SHOWN_TOOL_BYTES: usize = 64;

/// Returns what follows the name of an artifact that has expired: that it has, when, which tool
/// made it, and what to do.
pub(crate) fn has_expired(expiry: Option<&Expiry>) -> String {
    match expiry {
        Some(Expiry { tool, expired_at }) => {
            let (tool, at) = (head(tool, SHOWN_TOOL_BYTES), utc(*expired_at));
            format!(", an output of {tool:?}, expired at {at}; run the tool again.")
        }
        None => " has expired; run the tool that produced it again.".to_owned(),
    }
}

/// Why a store failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StoreError {
    /// No artifact has this id, or it was deleted, or it is not sealed.
    NotFound,
    /// The artifact existed and has expired, with what is still known of it.
    Expired(Option<Expiry>),
    /// The write would exceed the host's quota. Nothing was kept.
    QuotaExceeded,
    /// Any other failure; the text is for people only.
    Other(String),
}

impl StoreError {
    /// Returns the error of a call that failed while `doing` something with the
    /// artifact `id`, such as `reading an artifact`.
    pub fn into_error(self, doing: &str, id: &str) -> Error {
        match self {
            StoreError::NotFound => Error::new(
                ErrorKind::NotFound,
                format!(
                    "There is no artifact {id:?} in this session; use an artifact_id exactly as an envelope gave it."
                ),
            ),
            StoreError::Expired(expiry) => {
                Error::new(ErrorKind::Expired, format!("Artifact {id:?}{}", has_expired(expiry.as_ref())))
            }
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
