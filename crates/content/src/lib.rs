//! Kinds of content: what an output is, its outline, and what survives when it is
//! truncated.
//!
//! ```text
//! bytes ─► inspect ─► Kind, outline as bounded JSON
//! text, Kind ─► clean ─► truncate ─► bounded text
//! ```
//!
//! Each kind is a folder in `kinds/` and a row of the table in `table.rs`, which alone
//! decides which kind wins. What kinds share is below them: `line`, `stack`, `outline`,
//! `truncate`.

#![forbid(unsafe_code)]

mod annotated;
mod bytes;
mod error;
mod framed;
mod hashes;
mod inspect;
mod kind;
mod kinds;
mod line;
mod nested;
mod outline;
mod sample;
mod stack;
mod table;
mod truncate;
pub mod wording;

pub use error::ToJsonError;
pub use inspect::{
    Inspected, binary_name, clean, detect, detect_by_head, detect_by_sample, inspect, media_type, note,
    to_json, truncate, truncate_again,
};
pub use kind::{AsJson, Kind, ToJson};
pub use kinds::json::is_record;
pub use line::error::looks_like_error;
pub use outline::Layout;
pub use sample::Sample;
pub use truncate::lines::Middle;

/// The most bytes of an outline if the caller names no bound.
pub const DEFAULT_OUTLINE_BYTES: usize = 2_048;
/// The least bytes of a useful outline.
pub const MIN_OUTLINE_BYTES: usize = 256;
/// The least bytes of a truncated view.
pub const MIN_VIEW_BYTES: usize = 512;
