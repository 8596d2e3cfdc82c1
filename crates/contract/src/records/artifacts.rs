// Written by `cargo xtask contract` from wit/; do not edit.

//! The records of the interface `artifacts`.

use serde::{Deserialize, Serialize};
#[cfg(feature = "component")]
use wasmtime::component::{ComponentType, Lift, Lower};

use super::{Artifact, Error, Shape};

/// Lines, counted from 1, both ends included. An `end` past the last line means the last line. A
/// `start` past the last line is `invalid_input`, except line 1 of an empty artifact, which is an
/// empty page. A `start` of 0, or past `end`, is `invalid_input`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "component", derive(ComponentType, Lift, Lower), component(record))]
pub struct LineRange {
    /// The first line, from 1.
    pub start: u64,
    /// The last line, included.
    pub end: u64,
}

/// Bytes, counted from 0, `end` excluded; widened to character boundaries. An `end` past the
/// artifact's size means its size. A `start` past the artifact's size, or past `end`, is
/// `invalid_input`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "component", derive(ComponentType, Lift, Lower), component(record))]
pub struct ByteRange {
    /// The first byte, from 0.
    pub start: u64,
    /// The end, excluded.
    pub end: u64,
}

/// The part of an artifact to read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "component", derive(ComponentType, Lift, Lower), component(variant))]
pub enum Range {
    /// A range of lines.
    #[cfg_attr(feature = "component", component(name = "lines"))]
    Lines(LineRange),
    /// The last lines, this many; all lines if there are fewer. Only the end of the artifact is
    /// read. 0 is `invalid_input`.
    #[cfg_attr(feature = "component", component(name = "last-lines"))]
    LastLines(u64),
    /// A range of bytes.
    #[cfg_attr(feature = "component", component(name = "bytes"))]
    Bytes(ByteRange),
    /// `next` of an earlier page.
    #[cfg_attr(feature = "component", component(name = "cursor"))]
    Cursor(String),
}

/// Part of an artifact.
#[derive(Clone, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(not(feature = "exhaustive"), non_exhaustive)]
#[cfg_attr(feature = "component", derive(ComponentType, Lift, Lower), component(record))]
pub struct Page {
    /// Line endings are kept as stored; invalid UTF-8 is replaced with U+FFFD.
    pub text: String,
    /// The cursor of the next page; none on the last page.
    pub next: Option<String>,
}

/// A search pattern and its options.
#[derive(Clone, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "component", derive(ComponentType, Lift, Lower), component(record))]
pub struct GrepQuery {
    /// A regular expression of at most 4096 bytes, in the syntax of the regex-lite crate (Rust's
    /// regex syntax; `\d`, `\w`, `\s` and case folding are ASCII only). It is matched against each
    /// line without its line ending and without a byte order mark; a carriage return is part of the
    /// line if the pattern names one. Overstruck characters, as in manual pages, are searched as
    /// they appear on screen.
    pub pattern: String,
    /// Matches the pattern as a plain string. Default: false.
    #[serde(default)]
    #[cfg_attr(feature = "component", component(name = "fixed-string"))]
    pub fixed_string: bool,
    /// Ignores the case of ASCII letters. Default: false.
    #[serde(default)]
    #[cfg_attr(feature = "component", component(name = "ignore-case"))]
    pub ignore_case: bool,
    /// Selects the lines that do not match. Default: false.
    #[serde(default)]
    pub invert: bool,
    /// Lines to show before each match: 0 to 100. Default: 0.
    #[serde(default)]
    #[cfg_attr(feature = "component", component(name = "before-context"))]
    pub before_context: u32,
    /// Lines to show after each match: 0 to 100. Default: 0.
    #[serde(default)]
    #[cfg_attr(feature = "component", component(name = "after-context"))]
    pub after_context: u32,
    /// Returns every match in a line of more than 400 bytes, not only the first: the line then
    /// appears once for each match. Default: false.
    #[serde(default)]
    #[cfg_attr(feature = "component", component(name = "each-match"))]
    pub each_match: bool,
    /// Matches per page, at least 1. Default: 100.
    #[cfg_attr(feature = "component", component(name = "max-matches"))]
    pub max_matches: Option<u32>,
    /// `next` of an earlier page of the same query.
    pub cursor: Option<String>,
}

/// One matching line. A long line is an excerpt centred on its match.
#[derive(Clone, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(not(feature = "exhaustive"), non_exhaustive)]
#[cfg_attr(feature = "component", derive(ComponentType, Lift, Lower), component(record))]
pub struct Match {
    /// The number of the line, from 1.
    pub line: u64,
    /// Where the match begins, in characters from 1; without `each_match`, where the line's first
    /// match begins. Always 1 if inverted.
    pub column: u64,
    /// Where the match begins, in bytes from the start of the artifact.
    #[cfg_attr(feature = "component", component(name = "byte-offset"))]
    pub byte_offset: u64,
    /// The line, without its line ending.
    pub text: String,
    /// True if `text`, `before` or `after` contains excerpts. `read` returns the whole lines.
    pub clipped: bool,
    /// The lines before the match. A line appears only once in a page.
    pub before: Vec<String>,
    /// The lines after the match, up to the next match.
    pub after: Vec<String>,
}

/// One page of matching lines.
#[derive(Clone, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(not(feature = "exhaustive"), non_exhaustive)]
#[cfg_attr(feature = "component", derive(ComponentType, Lift, Lower), component(record))]
pub struct Matches {
    /// The matching lines, in the order of the artifact.
    pub matches: Vec<Match>,
    /// Matching lines in the whole artifact; none on pages after the first.
    pub total: Option<u64>,
    /// With `each_match`: the same count, but with every match of a long line; none if there were
    /// too many to count.
    #[cfg_attr(feature = "component", component(name = "match-count"))]
    pub match_count: Option<u64>,
    /// The cursor of the next page; none on the last page.
    pub next: Option<String>,
}

/// The matching lines of one artifact, in a search of all.
#[derive(Clone, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(not(feature = "exhaustive"), non_exhaustive)]
#[cfg_attr(feature = "component", derive(ComponentType, Lift, Lower), component(record))]
pub struct ArtifactMatches {
    /// The artifact.
    pub artifact: Artifact,
    /// The matching lines, at least one, in the order of the artifact.
    pub matches: Vec<Match>,
    /// Matching lines in the whole artifact; none if an earlier page has the first of them.
    pub total: Option<u64>,
    /// With `each_match`: the same count, but with every match of a long line; none if there were
    /// too many to count.
    #[cfg_attr(feature = "component", component(name = "match-count"))]
    pub match_count: Option<u64>,
}

/// An artifact that a search of all could not read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(not(feature = "exhaustive"), non_exhaustive)]
#[cfg_attr(feature = "component", derive(ComponentType, Lift, Lower), component(record))]
pub struct SkippedArtifact {
    /// The artifact.
    pub artifact: Artifact,
    /// Why: `unsupported` if its content is binary; `not_found`, `expired` or `store` from the
    /// store.
    pub error: Error,
}

/// One page of a search of all artifacts.
#[derive(Clone, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(not(feature = "exhaustive"), non_exhaustive)]
#[cfg_attr(feature = "component", derive(ComponentType, Lift, Lower), component(record))]
pub struct AllMatches {
    /// The artifacts with matching lines, newest first. An artifact whose lines take several pages
    /// is in each of them.
    pub groups: Vec<ArtifactMatches>,
    /// The artifacts whose search ended on this page, whether or not they have matching lines.
    pub searched: u64,
    /// The sizes of these artifacts, added up.
    #[cfg_attr(feature = "component", component(name = "searched-bytes"))]
    pub searched_bytes: u64,
    /// The artifacts of this page that could not be read.
    pub skipped: Vec<SkippedArtifact>,
    /// The artifacts that are left for the next pages, including one whose first lines are on this
    /// page.
    pub remaining: u64,
    /// The cursor of the next page; none on the last page.
    pub next: Option<String>,
}

/// A variable of a filter, whose value is another artifact.
#[derive(Clone, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "component", derive(ComponentType, Lift, Lower), component(record))]
pub struct JqVariable {
    /// The name without the dollar sign: a letter or an underscore, then letters, digits and
    /// underscores, at most 64 bytes. `ENV` and `__loc__` are reserved.
    pub name: String,
    /// The artifact, read as `jq` reads its input. If it has one document, that is the value;
    /// otherwise the value is an array of its documents.
    pub artifact: String,
}

/// A filter, and the format of its outputs.
#[derive(Clone, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "component", derive(ComponentType, Lift, Lower), component(record))]
pub struct JqQuery {
    /// A jq filter of at most 16384 bytes.
    pub filter: String,
    /// Writes strings without quotes or escapes. Default: false.
    #[serde(default)]
    pub raw: bool,
    /// Writes each output on one line, without indentation. Default: false.
    #[serde(default)]
    pub compact: bool,
    /// Runs the filter once, on an array of all documents. A filter that only iterates over the
    /// array (`.[] | f`, `map(f)`, `reduce .[] as $x (…)`, `length`) holds one document in memory
    /// at a time; any other filter holds all of them. Default: false.
    #[serde(default)]
    pub slurp: bool,
    /// Runs the filter once, on null; `input` and `inputs` return the documents. If false, they
    /// return the documents after the current one, as in jq, and the filter runs again on the next
    /// unread document. Default: false.
    #[serde(default)]
    #[cfg_attr(feature = "component", component(name = "null-input"))]
    pub null_input: bool,
    /// Maximum steps, about two for each term that the filter evaluates: at least 1, clamped to
    /// 100000000000. Default: 20000000. Each 16 bytes that are read from the artifact give a used
    /// step back.
    #[cfg_attr(feature = "component", component(name = "max-steps"))]
    pub max_steps: Option<u64>,
    /// Maximum memory in bytes for the filter and its document together: clamped to the range from
    /// 1 MiB to 3 GiB. Default: 1 GiB. Five eighths are for the values of a document, the rest is
    /// for the values that the filter builds. Usage is estimated, with the same result on every
    /// platform.
    #[cfg_attr(feature = "component", component(name = "max-memory"))]
    pub max_memory: Option<u64>,
    /// Other artifacts for the filter: at most 8, each with another name. They are read as a whole,
    /// and share the memory for the values of a document with the artifact that is queried. CSV,
    /// YAML and TOML among them have at most 64 MiB as JSON together. Default: none.
    #[serde(default)]
    pub variables: Vec<JqVariable>,
    /// Stores all outputs as a new artifact in place of a page, one on each line, as `compact`
    /// writes them. This is the artifact's `tool`: 1 to 64 bytes, not only white space. The outputs
    /// may have at most 64 MiB, which count towards `max_memory`. Not with `cursor` or `max_bytes`.
    #[cfg_attr(feature = "component", component(name = "save-as"))]
    pub save_as: Option<String>,
    /// `next` of an earlier page of the same query.
    pub cursor: Option<String>,
}

/// The outputs of a filter, stored as an artifact.
#[derive(Clone, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(not(feature = "exhaustive"), non_exhaustive)]
#[cfg_attr(feature = "component", derive(ComponentType, Lift, Lower), component(record))]
pub struct SavedOutputs {
    /// The new artifact. Its media type is that of the outputs: JSON, NDJSON or, with `raw`, any
    /// text.
    pub artifact: Artifact,
    /// The number of outputs.
    pub count: u64,
    /// The description of the outputs, at most 2048 bytes.
    pub shape: Shape,
}

/// One page of a filter's outputs.
#[derive(Clone, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(not(feature = "exhaustive"), non_exhaustive)]
#[cfg_attr(feature = "component", derive(ComponentType, Lift, Lower), component(record))]
pub struct Outputs {
    /// The outputs in order, each terminated by a line feed.
    pub text: String,
    /// The cursor of the next page; none on the last page.
    pub next: Option<String>,
    /// Why the filter stopped, after these outputs or before the first one: it raised an error, or
    /// it does not apply to a value. If present, `next` is none.
    pub failure: Option<Error>,
    /// If the filter returned nothing or only nulls: where its path leaves the document, and the
    /// keys that exist there, such as `.row: no such key; keys here: rows, next_cursor`. After
    /// other outputs, and with a failure: a requested key that no object has, and the most similar
    /// key that exists. On the first page only; at most 1024 bytes.
    pub hint: Option<String>,
    /// How the content was read if it is not a single JSON document, such as
    /// `CSV read as an array of 2000 objects, keyed by its header`, and the skipped parts: text
    /// around JSON, or the incomplete end of a document. At most 200 bytes, which do not count
    /// towards `max_bytes`.
    #[cfg_attr(feature = "component", component(name = "parsed-as"))]
    pub parsed_as: Option<String>,
    /// With `save_as`: the artifact with the outputs. `text` is empty, and `next` and `failure` are
    /// none.
    pub saved: Option<SavedOutputs>,
}
