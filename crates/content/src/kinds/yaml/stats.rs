//! Statistics of a text read as YAML, and the reasons why reading stops.

use tuckaway_search::find;

/// The reason why reading stopped before the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// The input ends within brackets or quotes.
    Ended,
    /// It is malformed, or unsupported YAML: the problem, and its offset.
    Rejected(&'static str, usize),
    /// The JSON is too long, or aliases repeat too much of it.
    TooLarge,
}

impl Stop {
    /// Describes where and why reading stopped.
    pub fn reason(self, bytes: &[u8], stats: &Stats) -> String {
        let (what, at) = match self {
            Stop::Ended => ("brackets or quotes that are not closed", stats.stopped),
            Stop::Rejected(what, at) => (what, at),
            Stop::TooLarge => ("too much JSON, which aliases make of it", stats.stopped),
        };
        let line = find::count(b'\n', &bytes[..at.min(bytes.len())]) + 1;
        format!("line {line}: {what}")
    }
}

/// Statistics that distinguish YAML from texts that look like it.
#[derive(Default)]
pub struct Stats {
    /// Documents that are not empty.
    pub documents: u64,
    /// They are all sequences, or all mappings.
    pub is_alike: bool,
    /// The last document is a sequence; none if it is a scalar.
    pub is_sequence: Option<bool>,
    /// Keys of blocks.
    pub keys: u64,
    /// Keys with spaces in them.
    pub spaced_keys: u64,
    /// Keys in a form that is rare: after a `?`, empty, in brackets, aliases.
    pub odd_keys: u64,
    /// Mappings with two keys or more.
    pub records: u64,
    /// Blocks in blocks.
    pub nested: u64,
    /// Blocks of text, brackets, anchors and tags.
    pub marks: u64,
    /// Plain scalars of several lines.
    pub folded: u64,
    /// Merge keys were applied.
    pub merged: bool,
    /// Tags were omitted.
    pub tagged: bool,
    /// Bytes of the lines that are in the JSON: all, unless reading stopped.
    pub read: usize,
    /// The start of the line in which reading stopped.
    pub stopped: usize,
}
