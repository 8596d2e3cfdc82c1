//! Why content could not be made into JSON.

use std::fmt;

/// Why content could not be made into JSON, as a sentence that says what to do
/// instead.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ToJsonError {
    /// Its JSON would be larger than the caller allows.
    TooLarge(String),
    /// It uses something that is not read.
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
