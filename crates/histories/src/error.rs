//! The error of this crate: one sentence.

use std::fmt;

/// A history that cannot be read, or a plan that is not for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HistoryError(String);

impl HistoryError {
    pub(crate) fn new(message: impl Into<String>) -> Self {
        HistoryError(message.into())
    }
}

impl fmt::Display for HistoryError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for HistoryError {}
