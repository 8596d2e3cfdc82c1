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

impl ToJsonError {
    /// Returns the error for content whose JSON is larger than `max` bytes. `name` is what it is called.
    pub(crate) fn too_large(name: &str, max: usize) -> Self {
        ToJsonError::TooLarge(format!(
            "As JSON this {name} is larger than {} MiB, which is more than jq can query. Search it with grep or read it instead.",
            max >> 20
        ))
    }
}

impl fmt::Display for ToJsonError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ToJsonError::TooLarge(why) | ToJsonError::Unsupported(why) => f.write_str(why),
        }
    }
}

impl std::error::Error for ToJsonError {}
