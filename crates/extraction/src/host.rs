//! The port to the document, the token counter and the tools.

use tuckaway_search::source::ByteSource;

/// The host failed to read the document; the host keeps the reason.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Failed;

/// How a document separates its records.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// One JSON document: commas separate records.
    Json,
    /// CSV or TSV: line feeds outside quotes separate records.
    Table,
    /// Any other text: line feeds separate records.
    Lines,
    /// Bytes that are not text.
    Binary,
}

/// A reply to a call of `Read` or `Grep`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reply {
    /// The text.
    pub text: String,
    /// Whether the text reports an error.
    pub is_error: bool,
    /// The range of bytes of the document that a reply of `Read` shows completely.
    pub read: Option<(u64, u64)>,
}

/// The document as text, and everything else that the machine needs from its host.
pub trait Host: ByteSource<Error = Failed> {
    /// Returns the tool that produced the document.
    fn tool(&self) -> &str;
    /// Returns the number of lines of the document.
    fn line_count(&self) -> u64;
    /// Returns how the document separates its records.
    fn format(&self) -> Format;
    /// Counts the tokens of a text; none if counting failed.
    fn count(&self, text: &str) -> Option<u64>;
    /// Returns the head and the tail of the document in at most `max_bytes`, at least 512.
    fn truncated(&self, max_bytes: usize) -> Result<String, Failed>;
    /// Returns the definitions of `Read` and `Grep`: name, description, schema.
    fn tools(&self) -> Vec<tuckaway_contract::ToolDefinition>;
    /// Answers a call of `Read` or `Grep` in at most `max_bytes`.
    fn call(&self, name: &str, arguments: &str, max_bytes: u32) -> Result<Reply, Failed>;
}

/// The reason why an extraction did not start or continue.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Error {
    /// An argument is malformed, or the document has no text.
    Rejected(tuckaway_contract::Error),
    /// The host failed; the host keeps the reason.
    Host,
}

impl From<tuckaway_contract::Error> for Error {
    fn from(error: tuckaway_contract::Error) -> Self {
        Error::Rejected(error)
    }
}

impl From<Failed> for Error {
    fn from(_: Failed) -> Self {
        Error::Host
    }
}

impl Error {
    /// Creates an error for a malformed argument.
    pub(crate) fn invalid(argument: &str, message: impl Into<String>) -> Self {
        tuckaway_contract::Error::invalid(message).about(&[argument]).into()
    }
}
