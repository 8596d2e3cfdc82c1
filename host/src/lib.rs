//! # tuckaway in a Rust program
//!
//! Embeds the tuckaway component with wasmtime: the engine runs in a sandbox that has access to
//! a store and a token counter and to nothing else, with limits on memory and time. The types
//! come from the `tuckaway-contract` crate, so the sandboxed engine and the native one
//! accept and return the same values.
//!
//! ```text
//! Tuckaway ─► pool of instances ─► component ─┬─► Store        (memory, directory, yours)
//!  (tuckaway.rs)  (guest.rs)      (runtime.rs) └─► CountTokens  (tiktoken, estimate, yours)
//!                                              (imports.rs)
//! ```
//!
//! The result of an MCP tool becomes a [`ToolOutput`] with one [`Block`] for each item of
//! its content: text as [`Content::Text`], images and audio as [`Content::Bytes`]
//! with their media type, so that they are passed on (their bytes are not inspected
//! and may be omitted), and `structuredContent` as JSON text in `structured`.
//! Alternatively, one text block may contain a JSON-encoded MCP result, which is unwrapped
//! when it is stored.
//!
//! A conversation is planned with [`Tuckaway::plan`]; for the history of a provider,
//! [`Tuckaway::manage_history`] plans, applies, and asks for summaries
//! (`host/examples/conversation.rs`).
//!
//! [`Tuckaway::extract`] answers a question about an artifact with a model. The trait [`Model`]
//! stands for any model; the feature `http` has adapters for the APIs of OpenAI and Anthropic.
//!
//! A complete embedder, `host/examples/embed.rs`:
#![cfg_attr(feature = "tiktoken", doc = concat!("```\n", include_str!("../examples/embed.rs"), "```"))]
// Allowed in `machine_code` alone, where the reason is.
#![deny(unsafe_code)]

mod exports;
pub mod fork;
mod guest;
mod imports;
mod machine_code;
mod models;
mod open_error;
mod runtime;
mod settings;
mod state;
pub mod store;
#[cfg(any(feature = "http", feature = "object-store"))]
mod tls;
pub mod tokens;
mod tuckaway;

mod extraction;
mod history;
mod planning;

/// For implementations of [`Store`] and [`CountTokens`].
pub use async_trait::async_trait;
#[cfg(feature = "http")]
pub use models::{AnthropicModel, Endpoint, OpenAiModel};
pub use models::{Model, ModelError};
pub use open_error::OpenError;
pub use runtime::COMPONENT;
#[cfg(feature = "object-store")]
pub use store::BucketStore;
pub use store::{DirStore, Garbage, Limits, MemoryStore, ReadAhead, Sessions, Store};
#[cfg(feature = "tiktoken")]
pub use tokens::Tiktoken;
pub use tokens::{CountTokens, Estimate};

/// The records of the contract and its errors, shared with the engine.
pub use tuckaway_contract::*;

pub use self::extraction::{ExtractOptions, ExtractionProgress};
pub use self::tuckaway::{Builder, Tuckaway};
