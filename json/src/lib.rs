//! JSON as bytes: one scanner for all that reads it ([`mod@scan`], off an
//! [`input`]) and the few rules for writing it within a bound ([`mod@write`]).

#![forbid(unsafe_code)]

mod containers;
pub mod digest;
pub mod input;
pub mod scan;
pub mod summary;
pub mod unescape;
pub mod write;
