//! # tuckaway between an MCP client and its servers
//!
//! A proxy for existing agents: it stores results of MCP servers that are too large for the
//! model's context window, and gives the model an envelope and the artifact tools instead.
//! Everything else is passed on unchanged.
//!
//! ```text
//! client ─► downstream ─► session ─► upstream ─► servers
//!                           │           └► login (their tokens)
//!                           │ (names, lists, inputs, notices)
//!                           ├► surface (which definitions are listed)
//!                           └► reduce ─► tuckaway-host ─► component
//! ```
//!
//! Messages are kept as the JSON that was on the wire ([`wire`](self)), so that no member is
//! lost, not even if this crate does not know it.
#![forbid(unsafe_code)]

mod client;
pub mod config;
mod document;
mod downstream;
mod error;
pub mod install;
mod listed_tools;
mod local;
pub mod login;
mod nearest;
mod profile;
mod proxy;
pub mod reduce;
mod session;
mod stores;
mod surface;
mod tls;
mod upstream;
mod wire;

pub use config::Settings;
pub use downstream::Listening;
pub use error::ProxyError;
pub use listed_tools::{ListedTools, seen_by_model};
pub use proxy::{MakeEngine, Proxy};
pub use stores::Stores;
