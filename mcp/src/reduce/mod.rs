//! What becomes of results.

mod settings;

pub use settings::ReduceSettings;
