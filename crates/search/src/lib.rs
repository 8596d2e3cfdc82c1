//! Byte search: a byte, one of several texts, the next delimiter, lines; the [sources](source)
//! of the bytes and [hashes](hash). With the feature `regex`, also the pattern language and grep's
//! line matcher.
//!
//! Loops over every byte of an artifact compare sixteen at once, as [`lanes`]: WebAssembly's
//! vectors where available, arrays elsewhere, with the same results.

#![forbid(unsafe_code)]

mod buckets;
mod byte;
mod either;
pub mod find;
mod fingerprints;
pub mod hash;
pub mod lanes;
mod lines;
#[cfg(feature = "regex")]
pub mod matcher;
mod needles;
#[cfg(feature = "regex")]
pub mod pattern;
pub mod source;

pub use byte::Byte;
pub use either::EitherByte;
pub use lines::{LineSpan, LineSpans, Lines, feeds};
pub use needles::Needles;
