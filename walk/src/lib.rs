//! What goes over every tag, cell or line of an output of some kind, before anything
//! is said of it; and [`hashes`], what such a pass remembers.
//!
//! The component is compiled for size. These loops are most of what a shape takes:
//! a crate of their own, so that a profile can have them compiled for speed.

#![forbid(unsafe_code)]

pub mod build;
mod bytes;
pub mod diff;
pub mod elements;
pub mod hashes;
pub mod markdown;
pub mod source;
pub mod table;
pub mod tags;
pub mod trace;
