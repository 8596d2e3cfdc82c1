// Written by `cargo xtask contract` from wit/; do not edit.

//! The records of `wit/`, one module for each interface.

mod artifacts;
mod budget;
mod cache;
mod compaction;
mod conversation;
mod extraction;
mod histories;
mod offload;
mod planning;
mod reduce;
mod store;
mod tools;
mod types;

pub use artifacts::*;
pub use budget::*;
pub use cache::*;
pub use compaction::*;
pub use conversation::*;
pub use extraction::*;
pub use histories::*;
pub use offload::*;
pub use planning::*;
pub use reduce::*;
pub use store::*;
pub use tools::*;
pub use types::*;
