//! Byte search: a byte, one of several texts, the next delimiter, lines; the [sources](source)
//! of the bytes, the [pattern] language, grep's [line matcher](matcher) and [hashes](hash).
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
pub mod matcher;
mod needles;
pub mod pattern;
pub mod source;

pub use byte::Byte;
pub use either::EitherByte;
pub use lines::{LineSpan, LineSpans, Lines};
pub use needles::Needles;
