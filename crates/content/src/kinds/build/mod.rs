//! Builds and tests: which tool printed the output, what failed, and where. `runs` knows the
//! tools.
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
