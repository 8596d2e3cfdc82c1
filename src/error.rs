//! The error of every export, with a bounded message.

use std::fmt;

use tuckaway_text::cut::with_ellipsis;

/// Maximum bytes of [`Error::message`].
pub const MAX_MESSAGE_BYTES: usize = 1024;

/// The kind of an error, for programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum ErrorKind {
    /// An argument is malformed: a bad range, pattern, filter or policy.
    InvalidInput,
    /// The store never held this artifact.
    NotFound,
    /// The artifact has expired; the store no longer holds it.
    Expired,
    /// The artifact's content does not support the query (jq on text).
    Unsupported,
    /// The query reached one of its limits; a narrower query may succeed.
    Limit,
    /// The host's store failed.
    Store,
    /// The host's tokenizer failed.
    Tokens,
}

impl ErrorKind {
    /// Returns the name of the kind in the contract, in snake case.
    pub fn name(self) -> &'static str {
        match self {
            ErrorKind::InvalidInput => "invalid_input",
            ErrorKind::NotFound => "not_found",
            ErrorKind::Expired => "expired",
            ErrorKind::Unsupported => "unsupported",
            ErrorKind::Limit => "limit",
            ErrorKind::Store => "store",
            ErrorKind::Tokens => "tokens",
        }
    }
}

/// An error: a kind for programs, and one or two sentences that say what is wrong and what to do.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Error {
    /// The kind, for programs.
    pub kind: ErrorKind,
    /// The message for people and models; at most [`MAX_MESSAGE_BYTES`].
    pub message: String,
}

impl Error {
    /// Creates an error. A long message is truncated between graphemes, because it may quote ids,
    /// patterns and filters of any length.
    pub fn new(kind: ErrorKind, message: impl Into<String>) -> Self {
        Error { kind, message: with_ellipsis(message.into(), MAX_MESSAGE_BYTES) }
    }

    /// Creates an error for a malformed argument.
    pub fn invalid(message: impl Into<String>) -> Self {
        Error::new(ErrorKind::InvalidInput, message)
    }

    /// Creates an error for a limit that was reached.
    pub fn limit(message: impl Into<String>) -> Self {
        Error::new(ErrorKind::Limit, message)
    }

    /// Creates an error for content that does not support the query.
    pub fn unsupported(message: impl Into<String>) -> Self {
        Error::new(ErrorKind::Unsupported, message)
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Error {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_are_bounded_and_cut_between_graphemes() {
        let error = Error::invalid("👩‍👩‍👧".repeat(200));
        assert!(error.message.len() <= MAX_MESSAGE_BYTES);
        assert!(error.message.ends_with("👩‍👩‍👧…"));
        assert_eq!(Error::limit("short").message, "short");
    }
}
