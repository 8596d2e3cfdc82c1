//! Plain prose: sentences in paragraphs, truncated between sentences.

mod detect;
mod outline;
mod sentence;
mod truncate;

pub use detect::detect;
pub use outline::outline;
pub use truncate::truncate;
