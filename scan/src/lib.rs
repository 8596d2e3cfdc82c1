//! Loops that look at every byte of an artifact.
//!
//! The component is compiled for size, which leaves such loops at a byte a turn.
//! These are a crate of their own, so that a profile can have them compiled for
//! speed, and work on sixteen bytes at once by `lanes`: WebAssembly's vectors
//! where it has them, arrays elsewhere, with the same answers.

#![forbid(unsafe_code)]

mod control;
mod either;
pub mod find;
pub mod json;
mod lanes;
mod lines;
mod needles;
mod quoted;
pub mod skim;

pub use control::next_control;
pub use either::Either;
pub use lines::{Lines, Place, Places};
pub use needles::{Byte, Needles};
pub use quoted::Quoted;
