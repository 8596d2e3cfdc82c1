//! The engine composed with a store over WASI, in wasmtime with wasmtime's own implementations of
//! `wasi:filesystem` and `wasi:keyvalue`.
//!
//! ```text
//! World of a case ─► initial artifacts ─► files or keys ─► Host ─► component ─► answer, own store
//! ```

mod counted;
mod host;
mod program;
mod stored;
mod subject;

pub use counted::Counted;
pub use host::{Host, Setup};
pub use program::{AdapterStore, Program};
pub use subject::Composed;
pub use xtask::component::Home;
