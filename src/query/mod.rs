//! x
pub mod grep;
pub mod jq;
pub mod read;
