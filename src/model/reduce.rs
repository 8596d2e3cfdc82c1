//! The description of a text.

/// A description of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case", deny_unknown_fields))]
pub struct Shape {
    /// The detected format: `application/json`, `text/plain`, …
    pub media_type: String,
    /// A JSON value of at most the requested size that a model can read at a glance.
    pub json: String,
}
