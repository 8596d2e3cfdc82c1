//! JSON as bytes: a scanner that every reader uses ([`mod@scan`], from an [`input`]), a loop that
//! skips values no reader needs ([`mod@skim`]), the common structure of a document's values
//! ([`summary`]), comparison by value ([`mod@digest`]), the rules for reading and writing strings
//! ([`mod@unescape`], [`mod@write`]), documents without white space ([`mod@compact`]), the
//! positions of a text's values ([`mod@spans`]), the complete part of truncated JSON
//! ([`mod@whole`]), and the start of JSON after other text ([`mod@within`]).

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
pub mod whole;
pub mod within;
pub mod write;
