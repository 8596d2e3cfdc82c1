//! The records of the contract as plain Rust, one module for each interface of `wit/`, with the
//! same names and meanings.

mod artifacts;
mod offload;
mod reduce;
mod store;
mod tools;

pub use artifacts::{GrepQuery, JqQuery, Match, Matches, Outputs, Page, Range};
pub use offload::{
    Action, Block, Content, Decision, Gate, Mode, Policy, ToolOutput, ToolOverride, Turn, View,
};
pub use reduce::Shape;
pub use store::Artifact;
pub use tools::{ArtifactTool, ArtifactTools, Dialect, ToolReply};
pub use tuckaway_extraction::ToolDefinition;
