//! The kinds of content that are detected.

use crate::error::ToJsonError;

/// The kind of an output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// One JSON document.
    Json,
    /// Several JSON documents, none a bare scalar: NDJSON or concatenated.
    JsonSequence,
    /// Values as Python and JavaScript write them, and JSON with comments.
    Literal,
    /// Rows of values between commas, semicolons or bars.
    Csv,
    /// Rows of values between tabs.
    Tsv,
    /// A table as a program prints it: aligned columns, or cells between bars.
    Table,
    /// One or more YAML documents.
    Yaml,
    /// A TOML document.
    Toml,
    /// An XML document.
    Xml,
    /// An HTML page, or a part of one.
    Html,
    /// Prose with Markdown's headings, lists and code.
    Markdown,
    /// A unified diff, or several.
    Diff,
    /// A stack trace, perhaps with other text around it.
    Trace,
    /// The output of a build or a test run.
    Build,
    /// Lines of a log: most begin with a time or a level.
    Log,
    /// Results of a search, each with its file.
    Search,
    /// Paths of files, with their sizes, times or checksums.
    Listing,
    /// A snapshot of a page: its elements by role and name, with references.
    Page,
    /// Fields with names, in records.
    Records,
    /// Source code.
    Source,
    /// Sentences in paragraphs.
    Prose,
    /// Base64, bare or as a data URL.
    Base64,
    /// An image.
    Image,
    /// Audio.
    Audio,
    /// Video.
    Video,
    /// A PDF document.
    Pdf,
    /// An archive, a program, a database; or else bytes that are not text.
    Binary,
    /// Any other text.
    Text,
}

/// Converts content to JSON of at most this many bytes.
pub type ToJson = fn(&[u8], usize) -> Result<AsJson, ToJsonError>;

/// Content as JSON.
pub struct AsJson {
    /// One or more documents.
    pub json: Vec<u8>,
    /// A note on the content and the layout of the JSON, for a model: at most 120 bytes.
    pub note: String,
}
