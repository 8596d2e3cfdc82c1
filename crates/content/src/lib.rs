//! Kinds of content: what an output is, its outline, and what survives when it is
//! truncated.

#![forbid(unsafe_code)]

mod error;
mod hashes;
pub mod kind;
pub mod shape;
pub mod truncate;
pub mod wording;

pub use error::ToJsonError;
