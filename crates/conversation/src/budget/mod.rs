//! The budget of the budgeting document (docs/origins.md): buckets, caps and evictions.

mod check;
mod evict;
mod layers;
mod presets;
mod tools;

pub use check::check;
pub use layers::{keep, report};
pub use presets::{preset, scaled};
