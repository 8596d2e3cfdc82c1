//! A folder for each kind of content. It provides up to four functions, where it does
//! better than the default for text: detection, outline, truncation, and conversion to
//! JSON for jq.
//!
//! None of them decides which kind wins: that is the table's alone.

pub mod base64;
pub mod build;
pub mod csv;
pub mod diff;
pub mod json;
pub mod listing;
pub mod literal;
pub mod log;
pub mod markdown;
pub mod markup;
pub mod media;
pub mod page;
pub mod prose;
pub mod records;
pub mod search;
pub mod source;
pub mod table;
pub mod text;
pub mod toml;
pub mod trace;
pub mod yaml;
