//! A folder for each kind of content. It answers up to four questions, as far as it
//! knows better than the default for text: how the kind is detected, what its outline
//! says, what survives when it is truncated, and how it becomes JSON for jq.
//!
//! None of them decides which kind wins: that is the table's alone.

pub mod base64;
pub mod build;
pub mod csv;
pub mod diff;
pub mod json;
pub mod listing;
pub mod log;
pub mod markdown;
pub mod markup;
pub mod media;
pub mod prose;
pub mod search;
pub mod source;
pub mod table;
pub mod text;
pub mod toml;
pub mod trace;
pub mod yaml;
