//! Byte search: a byte, one of several texts, the next delimiter, lines.
//!
//! These loops look at every byte of an artifact, sixteen at once by [`lanes`]:
//! WebAssembly's vectors where it has them, arrays elsewhere, with the same
//! answers.

#![forbid(unsafe_code)]

mod either;
pub mod find;
pub mod lanes;
mod lines;
mod needles;
pub mod pattern;
pub mod source;

pub use either::Either;
pub use lines::{Lines, Place, Places};
pub use needles::{Byte, Needles};
