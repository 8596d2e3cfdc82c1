//! Tables as programs print them for people: columns aligned below a header, or cells between
//! bars.
//!
//! ```text
//! head ─► Layout ─┬─► detect
//!                 ├─► Rows ─► columns ─► outline
//!                 └─► Rows ─► to_json ─► jq
//! ```
//!
//! A program that prints one is a row in [`programs`]. They are truncated like plain text: head and
//! tail are whole rows, and the header is in the head.

mod bars;
mod columns;
mod head;
mod layout;
mod outline;
mod programs;
mod rows;
mod to_json;

pub use outline::outline;
pub use to_json::to_json;

use crate::sample::Sample;

/// Returns whether a sample is a printed table.
pub fn detect(sample: &Sample) -> bool {
    head::layout(sample.head.as_bytes()).is_some()
}

#[cfg(test)]
mod tests;
