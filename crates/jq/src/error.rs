//! What went wrong with a filter, a document or its source.

use std::error::Error as StdError;
use std::fmt;
use std::sync::Arc;

use tuckaway_text::cut;

use crate::source::SourceError;

/// Bound of [`Error::message`] in bytes: messages quote filters and keys, which may
/// be of any length.
pub const MAX_MESSAGE_BYTES: usize = 1024;

/// What went wrong, for programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The filter or the cursor is malformed, or the filter failed as it ran.
    InvalidInput,
    /// The content is not JSON.
    Unsupported,
    /// The filter, a document or a value passed a limit.
    Limit,
    /// The source could not be read, or gave other bytes than before.
    Source,
}

/// A kind for programs, and one or two sentences that say what to do next.
#[derive(Clone, Debug)]
pub struct Error {
    /// What went wrong.
    pub kind: ErrorKind,
    /// For people and models; at most [`MAX_MESSAGE_BYTES`].
    pub message: String,
    cause: Option<Arc<dyn StdError + Send + Sync>>,
}

impl Error {
    pub(crate) fn new(kind: ErrorKind, message: impl Into<String>) -> Self {
        Error { kind, message: cut::with_ellipsis(message.into(), MAX_MESSAGE_BYTES), cause: None }
    }

    pub(crate) fn invalid(message: impl Into<String>) -> Self {
        Error::new(ErrorKind::InvalidInput, message)
    }

    pub(crate) fn limit(message: impl Into<String>) -> Self {
        Error::new(ErrorKind::Limit, message)
    }

    pub(crate) fn unsupported(message: impl Into<String>) -> Self {
        Error::new(ErrorKind::Unsupported, message)
    }
}

/// The caller's own error, kept as the source of this one.
impl From<SourceError> for Error {
    fn from(cause: SourceError) -> Self {
        Error { cause: Some(cause.into()), ..Error::new(ErrorKind::Source, "The source could not be read.") }
    }
}

/// Two errors that read alike are the same, whatever caused them.
impl PartialEq for Error {
    fn eq(&self, other: &Self) -> bool {
        (self.kind, &self.message) == (other.kind, &other.message)
    }
}

impl Eq for Error {}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl StdError for Error {
    fn source(&self) -> Option<&(dyn StdError + 'static)> {
        self.cause.as_deref().map(|cause| cause as &(dyn StdError + 'static))
    }
}
