//! The reasons why content could not be converted to JSON.

use std::fmt;

/// The reason why content could not be converted to JSON, as a sentence that says what to
/// do instead.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ToJsonError {
    /// Its JSON would be larger than the caller allows.
    TooLarge(String),
    /// It uses a feature that is not supported.
    Unsupported(String),
}

impl fmt::Display for ToJsonError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ToJsonError::TooLarge(why) | ToJsonError::Unsupported(why) => f.write_str(why),
        }
    }
}

impl std::error::Error for ToJsonError {}
