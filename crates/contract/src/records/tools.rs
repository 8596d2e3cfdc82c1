// Written by `cargo xtask contract` from wit/; do not edit.

//! The records of the interface `tools`.

use serde::{Deserialize, Serialize};
#[cfg(feature = "component")]
use wasmtime::component::{ComponentType, Lift, Lower};

/// A tool, in the form that model providers expect.
#[derive(Clone, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(not(feature = "exhaustive"), non_exhaustive)]
#[cfg_attr(feature = "component", derive(ComponentType, Lift, Lower), component(record))]
pub struct ToolDefinition {
    /// The name; each name belongs to one dialect only.
    pub name: String,
    /// A description for the model.
    pub description: String,
    /// The JSON Schema, of type object, of its arguments.
    #[cfg_attr(feature = "component", component(name = "input-schema"))]
    pub input_schema: String,
}

/// The reply of a tool to the model.
#[derive(Clone, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(not(feature = "exhaustive"), non_exhaustive)]
#[cfg_attr(feature = "component", derive(ComponentType, Lift, Lower), component(record))]
pub struct ToolReply {
    /// The result, or an explanation of how to correct the call.
    pub text: String,
    /// Whether `text` reports a mistake that the model can correct.
    #[cfg_attr(feature = "component", component(name = "is-error"))]
    pub is_error: bool,
}
