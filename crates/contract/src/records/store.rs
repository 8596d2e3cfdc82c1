// Written by `cargo xtask contract` from wit/; do not edit.

//! The records of the interface `store`.

use serde::{Deserialize, Serialize};
#[cfg(feature = "component")]
use wasmtime::component::{ComponentType, Lift, Lower};

/// The metadata of an artifact.
#[derive(Clone, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "component", derive(ComponentType, Lift, Lower), component(record))]
pub struct Artifact {
    /// The id in the store.
    pub id: String,
    /// The tool that produced it.
    pub tool: String,
    /// `application/json`, `text/plain`, `image/png`, …
    #[cfg_attr(feature = "component", component(name = "media-type"))]
    pub media_type: String,
    /// The size in bytes.
    #[cfg_attr(feature = "component", component(name = "size-bytes"))]
    pub size_bytes: u64,
    /// The number of line feeds in the text, as `artifacts` reads it in UTF-8, plus one if the last
    /// line has none.
    #[cfg_attr(feature = "component", component(name = "line-count"))]
    pub line_count: u64,
    /// When it was created, in Unix seconds of the host's clock.
    #[cfg_attr(feature = "component", component(name = "created-at"))]
    pub created_at: u64,
}

/// The remaining metadata of an expired artifact.
#[derive(Clone, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "component", derive(ComponentType, Lift, Lower), component(record))]
pub struct Expiry {
    /// The tool that produced it.
    pub tool: String,
    /// When it expired, in Unix seconds of the host's clock.
    #[cfg_attr(feature = "component", component(name = "expired-at"))]
    pub expired_at: u64,
}

/// The reason why a store failed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "component", derive(ComponentType, Lift, Lower), component(variant))]
pub enum StoreError {
    /// No artifact has this id, or it was deleted, or it is not sealed.
    #[cfg_attr(feature = "component", component(name = "not-found"))]
    NotFound,
    /// The artifact existed and has expired, with its remaining metadata.
    #[cfg_attr(feature = "component", component(name = "expired"))]
    Expired(Option<Expiry>),
    /// The write would exceed the host's quota. Nothing was stored.
    #[cfg_attr(feature = "component", component(name = "quota-exceeded"))]
    QuotaExceeded,
    /// Any other failure; the text is for people, never for models.
    #[cfg_attr(feature = "component", component(name = "other"))]
    Other(String),
}
