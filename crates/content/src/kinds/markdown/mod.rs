//! Markdown: detected by several of its marks, outlined by its headings, truncated
//! between its blocks.
//!
//! ```text
//! lines ─► MarkdownWalker (the kind of each line) ─► detect, outline, truncate
//! ```

mod detect;
mod outline;
mod truncate;
mod walker;

pub use detect::detect;
pub use outline::outline;
pub use truncate::truncate;
