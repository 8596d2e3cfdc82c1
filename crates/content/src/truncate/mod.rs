//! What kinds share when they truncate: head, notice and tail of a text, lines by
//! their priority, a table of contents for what is omitted.

pub mod contents;
pub mod select;
mod share;
pub mod text;

pub use share::fair_share;

/// The size that takes the most bytes in a notice: `999 bytes`.
pub const WIDEST_SIZE: usize = 999;
