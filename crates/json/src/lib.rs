//! JSON as bytes: one scanner for all that reads it ([`mod@scan`], from an
//! [`input`]), a loop that skips what nobody asks for ([`mod@skim`]), what a
//! document has in common ([`summary`]), and the few rules for writing JSON
//! within a bound ([`mod@write`]).

#![forbid(unsafe_code)]

mod blocks;
mod containers;
pub mod digest;
pub mod input;
mod quoted;
pub mod scan;
pub mod skim;
pub mod summary;
pub mod unescape;
pub mod write;

pub use quoted::Quoted;
