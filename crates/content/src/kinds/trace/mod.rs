//! Stack traces: the error, its location, and its cause.

mod detect;
mod outline;
mod truncate;

pub use detect::{can_be, detect, ends_with_a_trace};
pub use outline::outline;
pub use truncate::truncate;
