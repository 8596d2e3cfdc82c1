//! JSON as bytes: a scanner that every reader uses ([`mod@scan`], from an [`input`]), a
//! loop that skips what no reader needs ([`mod@skim`]), the common structure of a
//! document's values ([`summary`]), comparison by value ([`mod@digest`]), what is whole of JSON that was cut off
//! ([`mod@whole`]), where it begins behind other text ([`mod@within`]), and the rules for reading and writing strings ([`mod@unescape`], [`mod@write`]).

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
pub mod whole;
pub mod within;
pub mod write;

pub use quoted::Quoted;
