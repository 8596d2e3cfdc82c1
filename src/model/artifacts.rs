//! Queries on a stored artifact, and their answers.

use crate::error::Error;

/// Which part of an artifact to read.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case", deny_unknown_fields))]
pub enum Range {
    /// Lines, counted from 1, both ends included.
    Lines {
        /// The first line, from 1. A line past the last one is
        /// [`InvalidInput`](crate::ErrorKind::InvalidInput), except line 1 of an empty artifact.
        start: u64,
        /// The last line, not before `start`. A line past the last one means the last line.
        end: u64,
    },
    /// The last lines, this many, at least 1; all lines if there are fewer.
    LastLines(u64),
    /// Bytes, counted from 0, widened to character boundaries.
    Bytes {
        /// The first byte. A byte past the artifact's size is
        /// [`InvalidInput`](crate::ErrorKind::InvalidInput).
        start: u64,
        /// The byte before which to stop, not before `start`. A byte past the artifact's size means
        /// its size.
        end: u64,
    },
    /// [`Page::next`] of an earlier page.
    Cursor(String),
}

/// Part of an artifact.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case", deny_unknown_fields))]
pub struct Page {
    /// The text, with its line endings as stored; invalid UTF-8 is replaced with U+FFFD.
    pub text: String,
    /// The cursor of the next page, for [`Range::Cursor`]; `None` on the last page.
    pub next: Option<String>,
}

/// A search pattern and its options.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case", default, deny_unknown_fields))]
pub struct GrepQuery {
    /// A regular expression of at most 4096 bytes, in the syntax of the regex-lite crate (Rust's
    /// regex syntax; `\d`, `\w`, `\s` and case folding are ASCII only), matched against each line
    /// without its line ending.
    pub pattern: String,
    /// Matches the pattern as a plain string. Default: false.
    pub fixed_string: bool,
    /// Ignores the case of ASCII letters. Default: false.
    pub ignore_case: bool,
    /// Selects the lines that do not match. Default: false.
    pub invert: bool,
    /// Lines to show before each match: 0 to 100. Default: 0.
    pub before_context: u32,
    /// Lines to show after each match: 0 to 100. Default: 0.
    pub after_context: u32,
    /// Returns every match in a line of more than 400 bytes, not only the first: the line then
    /// appears once for each match. Default: false.
    pub each_match: bool,
    /// Matches per page, at least 1; 100 if `None`.
    pub max_matches: Option<u32>,
    /// [`Matches::next`] of an earlier page of the same query.
    pub cursor: Option<String>,
}

/// One matching line. A long line is an excerpt centred on its first match.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case", deny_unknown_fields))]
pub struct Match {
    /// The number of the line, from 1.
    pub line: u64,
    /// Where the match begins, in characters from 1; without [`GrepQuery::each_match`], where the
    /// line's first match begins. Always 1 if inverted.
    pub column: u64,
    /// Where the match begins, in bytes from the start of the artifact.
    pub byte_offset: u64,
    /// The line, without its line ending.
    pub text: String,
    /// Whether `text`, `before` or `after` contains excerpts. A read returns the whole lines.
    pub clipped: bool,
    /// The lines before the match, in order. A line appears only once in a page.
    pub before: Vec<String>,
    /// The lines after the match, in order, up to the next match.
    pub after: Vec<String>,
}

/// One page of matching lines.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case", deny_unknown_fields))]
pub struct Matches {
    /// The matching lines, in the order of the artifact.
    pub matches: Vec<Match>,
    /// Matching lines in the whole artifact; `None` on pages after the first.
    pub total: Option<u64>,
    /// With [`GrepQuery::each_match`]: the same count, but with every match of a long line; `None`
    /// if there were too many to count.
    pub match_count: Option<u64>,
    /// The cursor of the next page, for [`GrepQuery::cursor`]; `None` on the last page.
    pub next: Option<String>,
}

/// A filter, and the format of its outputs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case", default, deny_unknown_fields))]
pub struct JqQuery {
    /// A jq filter of at most 16384 bytes.
    pub filter: String,
    /// Writes strings without quotes or escapes. Default: false.
    pub raw: bool,
    /// Writes each output on one line, without indentation. Default: false.
    pub compact: bool,
    /// Runs the filter once, on an array of all documents. A filter that only iterates over the
    /// array (`.[] | f`, `map(f)`, `reduce .[] as $x (…)`, `length`) holds one document in memory
    /// at a time; any other filter holds all of them. Default: false.
    pub slurp: bool,
    /// Runs the filter once, on null; `input` and `inputs` return the documents. If false, they
    /// return the documents after the current one, as in jq, and the filter runs again on the next
    /// unread document. Default: false.
    pub null_input: bool,
    /// Maximum steps, about one for each term that the filter evaluates: at least 1, clamped to
    /// 100,000,000,000; 5,000,000 if `None`. Each byte read from the artifact adds four steps to
    /// this limit.
    pub max_steps: Option<u64>,
    /// Maximum memory in bytes for the filter and its document together: clamped to 1 MiB–3 GiB; 1
    /// GiB if `None`. Five eighths are for the values of a document, the rest is for the values
    /// that the filter builds. Usage is estimated, with the same result on every platform.
    pub max_memory: Option<u64>,
    /// [`Outputs::next`] of an earlier page of the same query.
    pub cursor: Option<String>,
}

/// One page of a filter's outputs.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case", deny_unknown_fields))]
pub struct Outputs {
    /// The outputs in order, each terminated by a line feed.
    pub text: String,
    /// The cursor of the next page, for [`JqQuery::cursor`]; `None` on the last page.
    pub next: Option<String>,
    /// Why the filter stopped, after these outputs or before the first one: it raised an error, or
    /// it does not apply to a value. If present, `next` is `None`.
    pub failure: Option<Error>,
    /// If the filter returned nothing, or only nulls: where its path leaves the document, and the
    /// keys that exist there. After other outputs, and with a failure: a requested key that no
    /// object has, and the most similar key that exists. On the first page only; at most 1024
    /// bytes.
    pub hint: Option<String>,
    /// How the content was read if it is not a single JSON document, such as `CSV read as an array
    /// of 2000 objects, keyed by its header`, and what was skipped: text around JSON, or the
    /// incomplete end of a document. At most 200 bytes, which do not count towards the size of the
    /// page.
    pub parsed_as: Option<String>,
}
