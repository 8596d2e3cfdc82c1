//! The record of a stored artifact.

/// The metadata of an artifact.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case", deny_unknown_fields))]
pub struct Artifact {
    /// The id in the store: 1 to 64 bytes of `[A-Za-z0-9_-]`.
    pub id: String,
    /// The tool that produced it.
    pub tool: String,
    /// `application/json`, `text/plain`, `image/png`, …
    pub media_type: String,
    /// Its size in bytes.
    pub size_bytes: u64,
    /// The number of line feeds, plus one if the last line has none.
    pub line_count: u64,
    /// When it was created, in Unix seconds of the host's clock.
    pub created_at: u64,
}
