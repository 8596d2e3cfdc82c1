//! The models that answer the requests of extractions: the trait, and adapters for HTTP APIs.

#[cfg(feature = "http")]
mod anthropic;
#[cfg(feature = "http")]
mod endpoint;
#[cfg(feature = "http")]
mod openai;
#[cfg(feature = "http")]
mod reading;
#[cfg(feature = "http")]
mod retry;
#[cfg(all(test, feature = "http"))]
mod tests;

use std::fmt;

use async_trait::async_trait;
use tuckaway_contract::{HistoryInput, ModelReply, ModelRequest};

#[cfg(feature = "http")]
pub use anthropic::AnthropicModel;
#[cfg(feature = "http")]
pub use endpoint::Endpoint;
#[cfg(feature = "http")]
pub use openai::OpenAiModel;

/// A model that answers the requests of an extraction, and whose provider may compact histories.
#[async_trait]
pub trait Model: Send + Sync {
    /// Sends a request and returns the answer. Retries as long as that makes sense: for the
    /// extraction, a failure of this request is final. Dropping the future ends the request.
    async fn complete(&self, request: &ModelRequest) -> Result<ModelReply, ModelError>;

    /// Has the provider compact items, a JSON list, and returns the items that take their place, as
    /// [`manage_history_with`](crate::Tuckaway::manage_history_with) needs them. The system prompt and the
    /// tools come from `history`, if it has the whole request.
    ///
    /// By default, the provider cannot.
    async fn compact(&self, items: &str, history: &HistoryInput) -> Result<String, ModelError> {
        let _ = (items, history);
        Err(ModelError::permanent("The provider of this model cannot compact a history."))
    }
}

/// The reason why a model did not answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ModelError {
    /// One or two sentences for the answer's warnings. They never contain a key.
    pub message: String,
    /// Whether every other request would also fail, for example because the key was refused.
    pub is_permanent: bool,
}

impl ModelError {
    /// Creates an error that concerns one request.
    pub fn new(message: impl Into<String>) -> Self {
        ModelError { message: message.into(), is_permanent: false }
    }

    /// Creates an error that every request would have.
    pub fn permanent(message: impl Into<String>) -> Self {
        ModelError { message: message.into(), is_permanent: true }
    }
}

impl fmt::Display for ModelError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for ModelError {}
