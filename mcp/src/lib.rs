//! # tuckaway between an MCP client and its servers
//!
//! A proxy for agents that cannot be changed: results of MCP servers that are too big for
//! the model's context window are put away, the model gets an envelope and the artifact
//! tools, and nothing else changes.
//!
//! ```text
//! client ─► downstream ─► session ─► upstream ─► servers
//!                           │ (names, lists, inputs, notices)
//!                           └► reduce ─► tuckaway-host ─► component
//! ```
//!
//! Messages are JSON as they are on the wire ([`wire`](self)), so that nothing that a
//! server or client says is lost, whether it is known here or not.
#![forbid(unsafe_code)]

mod client;
pub mod config;
mod document;
mod downstream;
pub mod install;
mod local;
mod proxy;
pub mod reduce;
mod session;
mod stores;
mod upstream;
mod wire;

pub use config::Settings;
pub use downstream::Listening;
pub use proxy::{MakeEngine, Proxy};
pub use stores::Stores;
