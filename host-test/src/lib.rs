//! # Runs the cases
//!
//! `cases/` contains inputs of tuckaway and the exact bytes of its answers, in a format
//! that every language can read (`cases/README.md`). This crate runs them natively, in
//! wasmtime, as a `wasm32-wasip2` component, and composed with a store over WASI: the same files must give the same
//! answers, byte for byte.
//!
//! ```text
//! case file ─► input ─► Call ─┬─► Native    ─┐
//!  (corpus.rs)  (content.rs,  ├─► Sandboxed ─┼─► answer ─┬─► expectation: agree, or a diff
//!                call.rs)     └─► Wasi      ─┘           │    (expect.rs, diff.rs)
//!              World: scripted store, token counter ─────┘
//!               (world.rs)
//! ```
#![forbid(unsafe_code)]

pub mod call;
pub mod confusion;
pub mod content;
pub mod corpus;
pub mod diff;
pub mod expect;
pub mod extract;
pub mod extraction;
pub mod histories;
pub mod large;
pub mod layout;
pub mod pages;
pub mod planning;
pub mod subject;
pub mod suites;
pub mod verdicts;
pub mod world;

#[cfg(feature = "sandbox")]
mod sandbox;
#[cfg(feature = "sandbox")]
mod wasi;

pub use call::Call;
pub use corpus::{Adapted, Skip, run, run_with_own_store};
pub use extraction::Extraction;
pub use histories::Histories;
pub use planning::Planning;
#[cfg(feature = "sandbox")]
pub use sandbox::{Immediate, Sandboxed};
pub use subject::{Answer, Native, Subject};
#[cfg(feature = "sandbox")]
pub use wasi::Wasi;
#[cfg(feature = "wasi")]
pub use wasi::composed;
pub use world::World;

use std::path::{Path, PathBuf};

/// Returns the directory of the workspace.
pub fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("this package is in a workspace").to_owned()
}
