//! What an extraction needs from its surroundings.

use tuckaway_search::source::ByteSource;

/// The host failed to read the document. It knows why.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Failed;

/// How the records of a document are separated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// One JSON document: by its commas.
    Json,
    /// CSV or TSV: by line feeds outside of quotes.
    Table,
    /// Everything else: by line feeds.
    Lines,
    /// Bytes that are not text.
    Binary,
}

/// A reply to a call of `Read` or `Grep`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reply {
    /// The text.
    pub text: String,
    /// Whether it reports a mistake.
    pub is_error: bool,
    /// The bytes of the document that it shows completely, if it is of `Read`.
    pub read: Option<(u64, u64)>,
}

/// The document, as text, and what else the machine asks for.
pub trait Host: ByteSource<Error = Failed> {
    /// Returns the tool that produced the document.
    fn tool(&self) -> &str;
    /// Returns the lines of the document.
    fn line_count(&self) -> u64;
    /// Returns how its records are separated.
    fn format(&self) -> Format;
    /// Counts the tokens of a text; none if that failed.
    fn count(&self, text: &str) -> Option<u64>;
    /// Returns the head and the tail of the document in at most `max_bytes`, at least 512.
    fn truncated(&self, max_bytes: usize) -> Result<String, Failed>;
    /// Returns the definitions of `Read` and `Grep`: name, description, schema.
    fn tools(&self) -> Vec<crate::ToolDefinition>;
    /// Answers a call of one of them in at most `max_bytes`.
    fn call(&self, name: &str, arguments: &str, max_bytes: u32) -> Result<Reply, Failed>;
}

/// Why an extraction did not begin or go on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Error {
    /// An argument is malformed: one or two sentences that say what to do.
    Invalid(String),
    /// The document has no text: what to do.
    Unsupported(String),
    /// The host failed. It knows why.
    Host,
}

impl From<Failed> for Error {
    fn from(_: Failed) -> Self {
        Error::Host
    }
}

impl Error {
    /// Creates an error for a malformed argument.
    pub(crate) fn invalid(message: impl Into<String>) -> Self {
        Error::Invalid(message.into())
    }
}
