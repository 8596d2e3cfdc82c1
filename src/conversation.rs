//! The conversation as a whole: plans over the host's store and token counter.

use tuckaway_content as content;
use tuckaway_conversation::{Host, Stored};
use tuckaway_text::count_lines;

use crate::artifact;
use crate::ports::{CountTokens, Store};
use crate::reduce;

/// The host of a plan, implemented over the engine's imports.
pub struct PlanHost<'a> {
    /// Stores removed content.
    pub store: &'a dyn Store,
    /// Counts tokens.
    pub tokens: &'a dyn CountTokens,
}

impl Host for PlanHost<'_> {
    fn count(&self, text: &str) -> Option<u64> {
        self.tokens.count(text).ok()
    }

    fn keep(&self, tool: &str, media_type: Option<&str>, bytes: &[u8]) -> Result<String, String> {
        let detected = || match has_kind_to_detect(bytes) {
            true => content::media_type(content::detect(bytes, None), bytes),
            false => "text/plain",
        };
        let media_type = media_type.unwrap_or_else(detected);
        let stored = artifact::write(self.store, tool, media_type, bytes, count_lines(bytes));
        stored.map(|artifact| artifact.id).map_err(|error| error.message)
    }

    fn excerpt(&self, text: &str, max_bytes: usize) -> String {
        reduce::truncated(text.as_bytes(), max_bytes)
    }

    fn about(&self, id: &str) -> Option<Stored> {
        let artifact = artifact::stat(self.store, id).ok()?;
        Some(Stored { tool: artifact.tool, media_type: artifact.media_type, size_bytes: artifact.size_bytes })
    }
}

/// Texts of at most this many bytes are stored without detecting their kind: a plan may store
/// hundreds at once, and queries detect the kind again.
const SMALL_BYTES: usize = 1024;

/// Returns whether the kind of an output is detected: it is not small, or looks like JSON.
fn has_kind_to_detect(bytes: &[u8]) -> bool {
    bytes.len() > SMALL_BYTES || matches!(bytes.trim_ascii_start().first(), Some(b'{' | b'['))
}
