//! Token counters.

mod estimate;
#[cfg(feature = "tiktoken")]
mod tiktoken;

pub use estimate::Estimate;
#[cfg(feature = "tiktoken")]
pub use tiktoken::{PIECE_BYTES, Tiktoken};

use async_trait::async_trait;

/// Counts the tokens of the model that the host serves. After an error, the component
/// estimates tokens from bytes, and the decision says so.
#[async_trait]
pub trait CountTokens: Send + Sync {
    /// Counts the tokens of one text on its own.
    async fn count(&self, text: &str) -> Result<u64, String>;
}
