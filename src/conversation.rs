//! The conversation as a whole: plans over the host's store and token counter.

use tuckaway_content as content;
use tuckaway_conversation::{Host, Invalid, Stored};
use tuckaway_text::count_lines;

use crate::artifact;
use crate::error::Error;
use crate::ports::{CountTokens, Store};

/// What planning needs, over the imports of the engine.
pub struct Surroundings<'a> {
    /// Keeps what is removed.
    pub store: &'a dyn Store,
    /// Counts.
    pub tokens: &'a dyn CountTokens,
}

impl Host for Surroundings<'_> {
    fn count(&self, text: &str) -> Option<u64> {
        self.tokens.count(text).ok()
    }

    fn keep(&self, tool: &str, media_type: Option<&str>, bytes: &[u8]) -> Result<String, String> {
        let detected = || content::media_type(content::detect(bytes, None), bytes);
        let media_type = media_type.unwrap_or_else(detected);
        let stored = artifact::write(self.store, tool, media_type, bytes, count_lines(bytes));
        stored.map(|artifact| artifact.id).map_err(|error| error.message)
    }

    fn about(&self, id: &str) -> Option<Stored> {
        let artifact = artifact::stat(self.store, id).ok()?;
        Some(Stored { tool: artifact.tool, media_type: artifact.media_type, size_bytes: artifact.size_bytes })
    }
}

impl From<Invalid> for Error {
    fn from(invalid: Invalid) -> Self {
        Error::invalid(invalid.0)
    }
}
