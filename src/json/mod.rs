//! JSON as bytes: one scanner for all that reads it ([`mod@scan`]) and the few rules
//! for writing it within a bound ([`mod@write`]).

mod containers;
pub mod scan;
pub mod unescape;
pub mod write;
