//! Logs: lines that begin with a time, a level, or both.

mod detect;
mod outline;
mod rank;
mod seen;
mod templates;
mod truncate;

pub use detect::detect;
pub use outline::outline;
pub use truncate::truncate;
