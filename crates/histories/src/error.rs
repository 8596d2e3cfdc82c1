//! The error of this crate: one or two sentences.

use std::fmt;

use tuckaway_conversation::Invalid;

/// A malformed history, memory, state or usage.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HistoryError(String);

impl HistoryError {
    pub(crate) fn new(message: impl Into<String>) -> Self {
        HistoryError(message.into())
    }
}

impl From<Invalid> for HistoryError {
    fn from(invalid: Invalid) -> Self {
        HistoryError(invalid.0)
    }
}

impl From<HistoryError> for tuckaway_contract::Error {
    fn from(error: HistoryError) -> Self {
        tuckaway_contract::Error::invalid(error.0)
    }
}

impl fmt::Display for HistoryError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for HistoryError {}
