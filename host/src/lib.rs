//! # tuckaway in a Rust program
//!
//! Embeds the tuckaway component with wasmtime: the engine runs in a sandbox
//! that has a store, a token counter, and no other way out, within limits of
//! memory and time. The types are those of the [`tuckaway`](::tuckaway) crate, so the sandboxed
//! engine and the native one take and give the same values.
//!
//! ```text
//! Tuckaway ─► pool of instances ─► component ─┬─► Store        (memory, directory, yours)
//!  (tuckaway.rs)  (guest.rs)      (runtime.rs) └─► CountTokens  (tiktoken, estimate, yours)
//!                                              (imports.rs)
//! ```
//!
//! A whole embedder, `host/examples/embed.rs`:
//!
//! ```
#![doc = include_str!("../examples/embed.rs")]
//! ```
#![forbid(unsafe_code)]

mod bindings;
mod guest;
mod imports;
mod runtime;
pub mod store;
pub mod tokens;
mod tuckaway;

pub use ::tuckaway::*;
/// For implementations of [`Store`] and [`CountTokens`].
pub use async_trait::async_trait;
pub use runtime::COMPONENT;
pub use store::{DirStore, MemoryStore, Store};
pub use tokens::{CountTokens, Estimate, Tiktoken};

pub use self::tuckaway::{Builder, Tuckaway};
