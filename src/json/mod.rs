//! JSON as bytes: one scanner for all that reads it ([`mod@scan`]) and the few rules
//! for writing it within a bound ([`mod@write`]).

pub mod scan;
pub mod write;
