//! Unified diffs: from git, `diff -u`, Subversion and Mercurial, alone or after a
//! commit's message; and the output of `diff` without options.
//!
//! ```text
//! lines ─► DiffWalker (the kind of each line) ─┬─► detect
//!                                              ├─► outline: files and hunks by line number
//!                                              └─► Parts ─► truncate: headers stay, bodies are cut
//! ```
//!
//! The format has a dozen rules about how a line begins. The parsers on crates.io wrap
//! them into trees of owned strings, so the walker is our own.

mod detect;
mod outline;
mod parts;
mod truncate;
mod walker;
mod words;

pub use detect::detect;
pub use outline::outline;
pub use truncate::truncate;
