//! Logs in to servers that ask for it (OAuth), and gives the proxy their tokens.
//!
//! ```text
//! flow ─► discover ─► browser ─► callback ─► Logins (a file for each server)
//!                                              │
//! upstream ◄─ Tokens ◄─ renew ◄────────────────┘
//! ```
//!
//! rmcp speaks the protocol: it discovers the authorization server (RFC 9728, RFC 8414),
//! registers a client (RFC 7591), and exchanges codes with PKCE (RFC 7636) and tokens, each bound
//! to one server (RFC 8707). This module decides what may be sent where, stores the tokens, and
//! renews them once if several requests or proxies need it at the same time.

mod address;
mod callback;
mod discover;
mod error;
mod flow;
mod logins;
mod record;
mod renew;
mod revoke;
mod tokens;

#[cfg(test)]
mod tests;

pub use address::ServerUrl;
pub use error::LoginError;
pub use flow::{LoginRequest, PendingLogin};
pub use logins::Logins;
pub use record::{Login, Renewal};
pub use revoke::Revoked;
pub use tokens::Tokens;
