//! Plain prose: sentences in paragraphs, truncated between sentences.

mod detect;
mod outline;

pub use detect::detect;
pub use outline::outline;

pub use crate::truncate::sentences::truncate;
