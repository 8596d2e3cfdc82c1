//! The interface that plans need from their host.

use tuckaway_text::cut;

use crate::shape::Place;

/// Counts tokens, and stores the content that a plan removes.
pub trait Host {
    /// Counts the tokens of a text; returns none if counting failed.
    fn count(&self, text: &str) -> Option<u64>;
    /// Stores bytes as an artifact and returns its id, or the reason for a failure. If the media
    /// type is none, it is detected.
    fn keep(&self, tool: &str, media_type: Option<&str>, bytes: &[u8]) -> Result<String, String>;
    /// Returns the metadata of an artifact; none if it can no longer be read.
    fn about(&self, id: &str) -> Option<Stored>;
    /// Returns the most important content of a text in at most `max_bytes`, or its start and end.
    fn excerpt(&self, text: &str, max_bytes: usize) -> String {
        cut::excerpt(text.to_owned(), max_bytes)
    }
    /// Returns whether the host has the media that have a label. By default, it has none.
    fn has_media(&self) -> bool {
        false
    }
    /// Returns the media type and the bytes of the medium at a place in the conversation, if the host has
    /// it.
    fn medium(&self, place: Place) -> Option<(String, Vec<u8>)> {
        let _ = place;
        None
    }
}

/// The metadata of an artifact.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stored {
    /// The tool that produced it.
    pub tool: String,
    /// Its media type.
    pub media_type: String,
    /// Its size in bytes.
    pub size_bytes: u64,
}
