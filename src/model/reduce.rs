//! The description of a text.

/// What a text contains.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case", deny_unknown_fields))]
pub struct Shape {
    /// The detected format: `application/json`, `text/plain`, …
    pub media_type: String,
    /// A JSON value that a model can read at a glance, of at most the requested
    /// size.
    pub json: String,
}
