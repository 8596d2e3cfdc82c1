//! JSON as bytes: one scanner for all that reads it ([`scan`]) and the few rules
//! for writing it within a bound ([`write`]).

pub mod scan;
pub mod write;
