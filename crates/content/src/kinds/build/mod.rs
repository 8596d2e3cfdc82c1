//! Builds and tests: the tool that printed the output, and the failures with their locations.
//! `runs` has the tools.
//!
//! ```text
//! line ─► runs::classify ─► ToolLine ─► detect | outline | truncate
//! ```

mod context;
mod detect;
mod messages;
mod outline;
mod truncate;

pub use detect::{detect, is_concluded};
pub use outline::outline;
pub use truncate::truncate;
