//! Queries on a stored artifact, and their answers.

use crate::error::Error;

/// Which part of an artifact to read.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case", deny_unknown_fields))]
pub enum Range {
    /// Lines, counted from 1, both ends included.
    Lines {
        /// The first line, from 1. Past the last line it is
        /// [`InvalidInput`](crate::ErrorKind::InvalidInput), except line 1 of an
        /// empty artifact.
        start: u64,
        /// The last line, not before `start`. Past the last line it means the
        /// last line.
        end: u64,
    },
    /// This many lines at the end, at least 1; all lines if there are fewer.
    LastLines(u64),
    /// Bytes, counted from 0, widened to character boundaries.
    Bytes {
        /// The first byte. Past the artifact's size it is
        /// [`InvalidInput`](crate::ErrorKind::InvalidInput).
        start: u64,
        /// The byte before which to stop, not before `start`. Past the
        /// artifact's size it means its size.
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
    /// The text, with its line ends as they are stored; invalid UTF-8 is replaced
    /// by U+FFFD.
    pub text: String,
    /// The cursor of the next page, for [`Range::Cursor`]; `None` on the last one.
    pub next: Option<String>,
}

/// What to search for, and how.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case", default, deny_unknown_fields))]
pub struct GrepQuery {
    /// A regular expression in the dialect of the regex-lite crate (Rust's regex
    /// syntax; `\d`, `\w`, `\s` and case folding are ASCII only), matched against
    /// each line without its line end. At most 4096 bytes.
    pub pattern: String,
    /// Matches the pattern as a plain string. Default: false.
    pub fixed_string: bool,
    /// Ignores the case of ASCII letters. Default: false.
    pub ignore_case: bool,
    /// Selects the lines that do not match. Default: false.
    pub invert: bool,
    /// Lines shown before each match: 0 to 100. Default: 0.
    pub before_context: u32,
    /// Lines shown after each match: 0 to 100. Default: 0.
    pub after_context: u32,
    /// Returns each match in a line of more than 400 bytes, not only the first: the line
    /// is in a page once for each of them. Default: false.
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
    /// Where the match begins, in characters from 1: the first one of the line without
    /// [`GrepQuery::each_match`]; 1 if inverted.
    pub column: u64,
    /// Where the match begins, in bytes from the artifact's start.
    pub byte_offset: u64,
    /// The line, without its line end.
    pub text: String,
    /// Whether `text`, `before` or `after` contain excerpts; the whole lines can
    /// be read.
    pub clipped: bool,
    /// Lines before it, in order. A line appears only once in a page.
    pub before: Vec<String>,
    /// Lines after it, in order, up to the next match.
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
    /// With [`GrepQuery::each_match`]: the same, with each match in a long line; `None` if
    /// these were too many to be counted, too.
    pub match_count: Option<u64>,
    /// The cursor of the next page, for [`GrepQuery::cursor`]; `None` on the last
    /// one.
    pub next: Option<String>,
}

/// A filter, and how its outputs are written.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case", default, deny_unknown_fields))]
pub struct JqQuery {
    /// A jq filter of at most 16384 bytes.
    pub filter: String,
    /// Writes strings without quotes and escapes. Default: false.
    pub raw: bool,
    /// Writes each output on one line, without indentation. Default: false.
    pub compact: bool,
    /// Runs the filter once, on an array of all documents. One that only goes through
    /// the array (`.[] | f`, `map(f)`, `reduce .[] as $x (…)`, `length`) holds one
    /// document at a time, others all of them. Default: false.
    pub slurp: bool,
    /// Runs the filter once, on null: `input` and `inputs` return the documents.
    /// Otherwise they return those that follow the input, as in jq, and the filter
    /// runs again on the next one that is left. Default: false.
    pub null_input: bool,
    /// Steps that the filter may take, about one for each term it evaluates: at
    /// least 1, clamped to 100,000,000,000; 5,000,000 if `None`. In addition, the
    /// filter gets four steps for each byte of the artifact that is read.
    pub max_steps: Option<u64>,
    /// Bytes of memory that the filter and its document may occupy at the same
    /// time: clamped to 1 MiB–3 GiB; 1 GiB if `None`. Five eighths are for the values
    /// of a document, the rest is for what the filter builds. Usage is an
    /// estimate that is the same on every platform.
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
    /// The cursor of the next page, for [`JqQuery::cursor`]; `None` on the last one.
    pub next: Option<String>,
    /// Why the filter stopped, after these outputs or before the first one: an
    /// error that the filter raised, or a value to which it cannot be applied. If
    /// present, `next` is `None`.
    pub failure: Option<Error>,
    /// If the filter returned nothing, or only nulls: where its path leaves the
    /// document, and which keys exist there. After other outputs, and beside a
    /// failure: a key that none of the objects had that the filter asked for it, and
    /// the nearest one that is there. On first pages only; at most 1024 bytes.
    pub hint: Option<String>,
    /// How the content was read if it is not a single JSON document, such as `CSV
    /// read as an array of 2000 objects, keyed by its header`, and what was skipped:
    /// text around JSON, a document that is cut off. At most 200 bytes,
    /// which do not count towards the size of the page.
    pub parsed_as: Option<String>,
}
