//! Builds and tests: which tool printed the output, what failed, and where.
//!
//! ```text
//! line ─► classify (prefixes, refine, forms) ─► ToolLine ─► detect | outline | truncate
//! ```

mod classify;
#[cfg(test)]
mod classify_tests;
mod context;
mod detect;
mod excerpt;
mod forms;
mod line;
mod messages;
mod outline;
mod prefixes;
mod refine;
mod truncate;
mod verdict;
#[cfg(test)]
mod verdict_tests;
mod why;

pub use detect::{detect, is_concluded};
pub use outline::outline;
pub use truncate::truncate;
