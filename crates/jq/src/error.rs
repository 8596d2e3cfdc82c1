//! Errors of filters, documents and sources.

use std::error::Error as StdError;
use std::fmt;
use std::sync::Arc;

use tuckaway_text::cut;

use crate::source::SourceError;

/// Longest [`Error::message`] in bytes. Messages quote filters and keys, which may be of any
/// length; longer messages are truncated.
pub const MAX_MESSAGE_BYTES: usize = 1024;

/// The kind of an error, for programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The filter or the cursor is malformed, or the filter failed as it ran.
    InvalidInput,
    /// The content is not JSON.
    Unsupported,
    /// The filter, a document or a value exceeded a limit.
    Limit,
    /// The source could not be read, or returned other bytes than before.
    Source,
}

/// An error: its kind for programs, and a message that says what is wrong and what to do.
#[derive(Clone, Debug)]
pub struct Error {
    /// The kind of the error.
    pub kind: ErrorKind,
    /// One or two sentences for people and models, of at most [`MAX_MESSAGE_BYTES`].
    pub message: String,
    /// The member of [`Options`](crate::Options) that the message says to raise.
    pub option: Option<&'static str>,
    cause: Option<Arc<dyn StdError + Send + Sync>>,
}

impl Error {
    pub(crate) fn new(kind: ErrorKind, message: impl Into<String>) -> Self {
        Error {
            kind,
            message: cut::with_ellipsis(message.into(), MAX_MESSAGE_BYTES),
            option: None,
            cause: None,
        }
    }

    /// Prefixes the message with the name of the variable whose value cannot be read.
    pub(crate) fn about_variable(self, name: &str) -> Self {
        let message = cut::with_ellipsis(format!("{name}: {}", self.message), MAX_MESSAGE_BYTES);
        Error { message, ..self }
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

/// Keeps the caller's own error as the source of this one.
impl From<SourceError> for Error {
    fn from(cause: SourceError) -> Self {
        Error { cause: Some(cause.into()), ..Error::new(ErrorKind::Source, "The source could not be read.") }
    }
}

/// Compares kinds and messages, not causes.
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
