// Written by `cargo xtask contract` from wit/; do not edit.

//! The records of the interface `reduce`.

use serde::{Deserialize, Serialize};
#[cfg(feature = "component")]
use wasmtime::component::{ComponentType, Lift, Lower};

/// A description of content.
#[derive(Clone, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(not(feature = "exhaustive"), non_exhaustive)]
#[cfg_attr(feature = "component", derive(ComponentType, Lift, Lower), component(record))]
pub struct Shape {
    /// The detected format: `application/json`, `text/plain`, …
    #[cfg_attr(feature = "component", component(name = "media-type"))]
    pub media_type: String,
    /// A JSON value that a model can read at a glance, at most `max_bytes`.
    pub json: String,
}
