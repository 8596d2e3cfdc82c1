//! Stack traces: which error was raised, where, and what caused it.

mod detect;
mod outline;
mod truncate;

pub use detect::{can_be, detect, ends_with_a_trace};
pub use outline::outline;
pub use truncate::truncate;
