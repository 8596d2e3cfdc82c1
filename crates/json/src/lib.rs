//! JSON as bytes: a scanner that every reader uses ([`mod@scan`], from an [`input`]), a
//! loop that skips what no reader needs ([`mod@skim`]), the common structure of a
//! document's values ([`summary`]), comparison by value ([`mod@digest`]), and the rules for
//! reading and writing strings ([`mod@unescape`], [`mod@write`]), documents without white
//! space ([`mod@compact`]), and where the values of a text are ([`mod@spans`]).

#![forbid(unsafe_code)]

mod blocks;
pub mod compact;
mod containers;
pub mod digest;
pub mod input;
mod quoted;
pub mod scan;
pub mod skim;
pub mod spans;
pub mod summary;
pub mod unescape;
pub mod write;

pub use quoted::Quoted;
