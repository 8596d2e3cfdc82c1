//! What the stores of tuckaway share, so that one reads what another wrote: ids, metadata, limits,
//! names of sessions, and the store in a directory, which waits for the disk.
//!
//! ```text
//! id, names ─┐
//! meta ──────┼─► dir (files named after ids)
//! limits ────┘
//! meta ─► record (content in segments, under keys)
//! ```
//!
//! `tuckaway-host` makes its asynchronous stores of it, and the components in `adapters/` their
//! stores over WASI.
#![forbid(unsafe_code)]

mod dir;
mod error;
mod garbage;
mod id;
mod limits;
mod meta;
mod names;
mod record;
mod settings;

pub use dir::Directory;
pub use error::broken;
pub use garbage::Garbage;
pub use id::{LONG, mint, mint_with};
pub use limits::{ABANDONED, Limits, SWEEP_EVERY};
pub use names::{check_name, is_session_name};
pub use record::{Record, Sealed, random_seal};
pub use settings::{MaxAge, Quota};
