//! # The cases, and what runs them
//!
//! `cases/` holds what goes into tuckaway and the exact bytes that come out, in
//! a form that every language reads (`cases/README.md`). This crate runs them
//! natively, in wasmtime, and as a `wasm32-wasip2` component: the same files,
//! byte for byte the same answers.
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
pub mod content;
pub mod corpus;
pub mod diff;
pub mod expect;
pub mod large;
pub mod layout;
pub mod pages;
pub mod subject;
pub mod suites;
pub mod world;

#[cfg(feature = "sandbox")]
mod sandbox;
#[cfg(feature = "sandbox")]
mod wasi;

pub use call::Call;
pub use corpus::{Skip, run};
#[cfg(feature = "sandbox")]
pub use sandbox::{Doors, Sandboxed};
pub use subject::{Answer, Native, Subject};
#[cfg(feature = "sandbox")]
pub use wasi::Wasi;
pub use world::World;

use std::path::{Path, PathBuf};

/// The directory of the workspace.
pub fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("this package is in a workspace").to_owned()
}
