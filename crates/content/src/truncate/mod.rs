//! Truncation shared by kinds: head, notice and tail of a text, lines by priority,
//! sentences, a table of contents for omitted lines.

pub mod contents;
pub mod lines;
pub mod select;
pub mod sentences;
pub mod text;

/// The size whose text in a notice is the longest: `999 bytes`.
pub const WIDEST_SIZE: usize = 999;
