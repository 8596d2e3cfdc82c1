//! # tuckaway in a Rust program
//!
//! Embeds the tuckaway component with wasmtime: the engine runs in a sandbox that has
//! a store, a token counter and no other access, with limits on memory and time. The types are those of the [`tuckaway`](::tuckaway) crate, so the sandboxed
//! engine and the native one accept and return the same values.
//!
//! ```text
//! Tuckaway ─► pool of instances ─► component ─┬─► Store        (memory, directory, yours)
//!  (tuckaway.rs)  (guest.rs)      (runtime.rs) └─► CountTokens  (tiktoken, estimate, yours)
//!                                              (imports.rs)
//! ```
//!
//! The result of an MCP tool is a [`ToolOutput`] of one [`Block`] for each item of
//! its content: text as [`Content::Text`], images and audio as [`Content::Bytes`]
//! with their media type, so that they are passed on (their bytes are not inspected
//! and may be omitted); `structuredContent` as JSON text in `structured`.
//! Alternatively, one text block contains the whole result as JSON, which is unwrapped
//! when it is stored.
//!
//! A complete embedder, `host/examples/embed.rs`:
#![cfg_attr(feature = "tiktoken", doc = concat!("```\n", include_str!("../examples/embed.rs"), "```"))]
#![forbid(unsafe_code)]

mod bindings;
mod guest;
mod imports;
mod runtime;
mod state;
pub mod store;
pub mod tokens;
mod tuckaway;

/// For implementations of [`Store`] and [`CountTokens`].
pub use async_trait::async_trait;
pub use runtime::COMPONENT;
pub use store::{DirStore, MemoryStore, Store};
#[cfg(feature = "tiktoken")]
pub use tokens::Tiktoken;
pub use tokens::{CountTokens, Estimate};

/// The records of the contract, its error and its limits, shared with the native
/// engine.
pub use ::tuckaway::{
    Action, Artifact, ArtifactTool, ArtifactTools, Block, Content, DEFAULT_PAGE_BYTES, Decision, Error,
    ErrorKind, Gate, GrepQuery, JqQuery, MIN_PAGE_BYTES, MIN_VIEW_BYTES, Match, Matches, Mode, Outputs, Page,
    Policy, Range, Shape, StoreError, ToolDefinition, ToolOutput, ToolOverride, ToolReply, Turn, View,
    check_artifact_id, is_artifact_id,
};

pub use self::tuckaway::{Builder, Tuckaway};
