//! What planning needs from its surroundings.

/// Counts tokens, and keeps what a plan removes.
pub trait Host {
    /// Counts the tokens of a text; none if that failed.
    fn count(&self, text: &str) -> Option<u64>;
    /// Keeps bytes as an artifact and returns its id, or says why it cannot. The media
    /// type is detected if it is none.
    fn keep(&self, tool: &str, media_type: Option<&str>, bytes: &[u8]) -> Result<String, String>;
    /// Returns what is known about an artifact; none if it cannot be read any more.
    fn about(&self, id: &str) -> Option<Stored>;
}

/// What is known about an artifact.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stored {
    /// The tool that produced it.
    pub tool: String,
    /// Its media type.
    pub media_type: String,
    /// Its size in bytes.
    pub size_bytes: u64,
}

/// An argument that is malformed: one or two sentences that say what to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Invalid(pub String);

impl Invalid {
    /// Creates an error.
    pub fn new(message: impl Into<String>) -> Self {
        Invalid(message.into())
    }
}
