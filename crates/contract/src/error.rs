//! Errors: how they are made and shown.

use std::fmt;

use tuckaway_text::cut::{head, with_ellipsis};
use tuckaway_text::time::utc;

use crate::{Error, ErrorKind, Expiry, StoreError};

/// Maximum bytes of [`Error::message`].
pub const MAX_MESSAGE_BYTES: usize = 1024;

/// Maximum bytes of a tool's name in the message about an expired artifact.
const SHOWN_TOOL_BYTES: usize = 64;

impl Error {
    /// Creates an error. A long message is truncated between graphemes, because it may quote ids,
    /// patterns and filters of any length.
    pub fn new(kind: ErrorKind, message: impl Into<String>) -> Self {
        Error { kind, message: with_ellipsis(message.into(), MAX_MESSAGE_BYTES), arguments: Vec::new() }
    }

    /// Creates an error for a malformed argument.
    pub fn invalid(message: impl Into<String>) -> Self {
        Error::new(ErrorKind::InvalidInput, message)
    }

    /// Adds the arguments that the message is about, as the contract names them, in snake case.
    pub fn about(mut self, arguments: &[&str]) -> Self {
        self.arguments.extend(arguments.iter().map(|argument| (*argument).to_owned()));
        self
    }

    /// Names the argument that was malformed, unless the error names arguments or has another cause.
    pub fn or_about(self, argument: &str) -> Self {
        match self.kind == ErrorKind::InvalidInput && self.arguments.is_empty() {
            true => self.about(&[argument]),
            false => self,
        }
    }

    /// Changes the message, which is truncated if it is long.
    pub fn with_message(mut self, change: impl FnOnce(&str) -> String) -> Self {
        self.message = with_ellipsis(change(&self.message), MAX_MESSAGE_BYTES);
        self
    }

    /// Returns the message with its [`arguments`](Error::arguments) spelled in the caller's way.
    ///
    /// ```
    /// # use tuckaway_contract::Error;
    /// let error = Error::invalid("max_bytes is 3; it must be at least 256.").about(&["max_bytes"]);
    /// let message = error.message_with(|argument| format!("--{}", argument.replace('_', "-")));
    /// assert_eq!(message, "--max-bytes is 3; it must be at least 256.");
    /// ```
    pub fn message_with(&self, spell: impl Fn(&str) -> String) -> String {
        let is_in_word = |character: char| character.is_alphanumeric() || character == '_';
        let mut out = String::with_capacity(self.message.len());
        let mut rest = self.message.as_str();
        while !rest.is_empty() {
            let (word, after) = rest.split_at(rest.find(|c| !is_in_word(c)).unwrap_or(rest.len()));
            match self.arguments.iter().any(|argument| argument == word) {
                true => out += &spell(word),
                false => out += word,
            }
            let (between, after) = after.split_at(after.find(is_in_word).unwrap_or(after.len()));
            out += between;
            rest = after;
        }
        out
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

impl StoreError {
    /// Returns the error of a call that failed while `doing` something with the
    /// artifact `id`, such as `reading an artifact`.
    pub fn into_error(self, doing: &str, id: &str) -> Error {
        match self {
            StoreError::NotFound => Error::new(
                ErrorKind::NotFound,
                format!(
                    "There is no artifact {id:?} in this session; pass an artifact_id exactly as its envelope shows it."
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

/// Writes the failure for people, as a clause.
impl fmt::Display for StoreError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StoreError::NotFound => f.write_str("there is no such artifact"),
            StoreError::Expired(_) => f.write_str("the artifact has expired"),
            StoreError::QuotaExceeded => f.write_str("the quota of the store is used up"),
            StoreError::Other(why) => f.write_str(why),
        }
    }
}

impl std::error::Error for StoreError {}

/// Returns the clause that follows the name of an expired artifact: which tool produced it, when it
/// expired, and what to do.
pub fn has_expired(expiry: Option<&Expiry>) -> String {
    match expiry {
        Some(Expiry { tool, expired_at }) => {
            let (tool, at) = (head(tool, SHOWN_TOOL_BYTES), utc(*expired_at));
            format!(", an output of {tool:?}, expired at {at}; run the tool again.")
        }
        None => " has expired; run the tool that produced it again.".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_malformed_input_without_a_name_gets_one() {
        let named = |error: Error| error.or_about("id").arguments;
        assert_eq!(named(Error::invalid("wrong")), ["id"]);
        assert_eq!(named(Error::invalid("wrong").about(&["cursor"])), ["cursor"]);
        assert!(named(Error::limit("too much")).is_empty());
    }

    #[test]
    fn messages_are_bounded_and_cut_between_graphemes() {
        let error = Error::invalid("👩‍👩‍👧".repeat(200));
        assert!(error.message.len() <= MAX_MESSAGE_BYTES);
        assert!(error.message.ends_with("👩‍👩‍👧…"));
        assert_eq!(Error::limit("short").message, "short");
    }
}
