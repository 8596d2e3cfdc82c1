//! Kinds of content: detection, outlines, and truncation.
//!
//! ```text
//! bytes ─► inspect ─► Kind, outline as bounded JSON
//! text, Kind ─► clean ─► truncate ─► bounded text
//! ```
//!
//! Each kind is a folder in `kinds/` and a row of the table in `table.rs`. The order of the rows
//! decides which kind wins, and their columns answer every question that depends on the kind; no
//! other module names a kind. Kinds share the modules below them: `columns`, `line`,
//! `stack`, `outline`, `truncate`, `json`, `base64`, `formats`, `forms`, `runs`.

#![forbid(unsafe_code)]

mod annotated;
mod base64;
mod bytes;
mod columns;
mod error;
pub mod formats;
mod forms;
mod framed;
mod hashes;
mod inspect;
mod json;
mod kind;
mod kinds;
mod line;
mod nested;
mod outline;
mod runs;
mod sample;
mod stack;
mod table;
mod tags;
mod truncate;
pub mod wording;

pub use error::ToJsonError;
pub use inspect::{
    Facts, Inspected, binary_name, clean, clean_text, detect, detect_by_head, detect_by_sample, inspect,
    media_type, note, to_json, truncate, truncate_again,
};
pub use kind::{AsJson, Kind, ToJson};
pub use line::error::looks_like_error;
pub use outline::Layout;
pub use sample::Sample;
pub use truncate::lines::Middle;

/// Maximum bytes of an outline if the caller names no bound.
pub const DEFAULT_OUTLINE_BYTES: usize = 2_048;
/// Minimum bytes of a useful outline.
pub const MIN_OUTLINE_BYTES: usize = 256;
/// Minimum bytes of a truncated view.
pub const MIN_VIEW_BYTES: usize = 512;
