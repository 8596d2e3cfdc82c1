//! The records of the contract (`wit/`) as plain Rust: the same names, the same
//! meaning; `wit/` documents each field.

use crate::error::Error;

/// What the store knows of one artifact.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case", deny_unknown_fields))]
pub struct Artifact {
    /// Its name in the store.
    pub id: String,
    /// The tool that produced it.
    pub tool: String,
    /// `application/json`, `text/plain`, …
    pub media_type: String,
    /// Its length.
    pub size_bytes: u64,
    /// Line feeds, and one more for a last line that has none.
    pub line_count: u64,
    /// Unix seconds, from the host's clock.
    pub created_at: u64,
}

/// An artifact tool. The order is that in which tools are listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum ArtifactTool {
    /// `artifact_read`
    Read,
    /// `artifact_grep`
    Grep,
    /// `artifact_jq`
    Jq,
}

impl ArtifactTool {
    /// All of them, in the order in which they are listed.
    pub const ALL: [ArtifactTool; 3] = [ArtifactTool::Read, ArtifactTool::Grep, ArtifactTool::Jq];

    /// The name under which a model calls it.
    pub fn name(self) -> &'static str {
        match self {
            ArtifactTool::Read => "artifact_read",
            ArtifactTool::Grep => "artifact_grep",
            ArtifactTool::Jq => "artifact_jq",
        }
    }

    /// The tool that is called so, if it is one of these.
    pub fn from_name(name: &str) -> Option<Self> {
        ArtifactTool::ALL.into_iter().find(|tool| tool.name() == name)
    }
}

/// The artifact tools that the model can call in this turn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(from = "Vec<ArtifactTool>", into = "Vec<ArtifactTool>"))]
pub struct ArtifactTools {
    /// For each of [`ArtifactTool::ALL`], whether it is one of them.
    callable: [bool; ArtifactTool::ALL.len()],
}

impl ArtifactTools {
    /// None of them.
    pub fn new() -> Self {
        ArtifactTools::default()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        !self.callable.contains(&true)
    }

    /// Those that the model can call, in the order in which they are listed.
    pub fn iter(&self) -> impl Iterator<Item = ArtifactTool> {
        ArtifactTool::ALL.into_iter().filter(|&tool| self.callable[tool as usize])
    }
}

impl FromIterator<ArtifactTool> for ArtifactTools {
    fn from_iter<I: IntoIterator<Item = ArtifactTool>>(tools: I) -> Self {
        let mut callable = [false; ArtifactTool::ALL.len()];
        tools.into_iter().for_each(|tool| callable[tool as usize] = true);
        ArtifactTools { callable }
    }
}

impl<const N: usize> From<[ArtifactTool; N]> for ArtifactTools {
    fn from(tools: [ArtifactTool; N]) -> Self {
        tools.into_iter().collect()
    }
}

#[cfg(feature = "serde")]
impl From<Vec<ArtifactTool>> for ArtifactTools {
    fn from(tools: Vec<ArtifactTool>) -> Self {
        tools.into_iter().collect()
    }
}

#[cfg(feature = "serde")]
impl From<ArtifactTools> for Vec<ArtifactTool> {
    fn from(tools: ArtifactTools) -> Self {
        tools.iter().collect()
    }
}

/// How an output that is too big is reduced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum Mode {
    /// `Artifact` if any artifact tool is callable, else `Truncate`.
    Auto,
    /// Put away, with an envelope in its place.
    Artifact,
    /// Head and tail.
    Truncate,
}

/// Every bound and every switch, as the host gives them; [`crate::policy`]
/// parses it once.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case", default, deny_unknown_fields))]
#[allow(missing_docs)] // wit/offload.wit documents each field
pub struct Policy {
    pub enabled: bool,
    pub mode: Mode,
    pub keep_all: bool,
    pub context_percentage: f64,
    pub min_threshold_bytes: u64,
    pub max_threshold_bytes: u64,
    pub headroom_percentage: f64,
    pub max_output_tokens: Option<u64>,
    pub bytes_per_token: f64,
    pub max_view_bytes: Option<u64>,
    pub preview_bytes: u32,
    pub image_tokens: u32,
    pub overrides: Vec<ToolOverride>,
}

/// A policy for the tools whose name matches a glob.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case", deny_unknown_fields))]
#[allow(missing_docs)] // wit/offload.wit documents each field
pub struct ToolOverride {
    pub tools: String,
    #[cfg_attr(feature = "serde", serde(default))]
    pub exempt: bool,
    pub mode: Option<Mode>,
    pub max_threshold_bytes: Option<u64>,
}

/// Where the conversation stands as the output arrives.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case", deny_unknown_fields))]
pub struct Turn {
    /// In tokens.
    pub context_window: u64,
    /// Input tokens already used.
    pub used_tokens: u64,
    /// What the model can call.
    pub tools: ArtifactTools,
}

/// What a block holds.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum Content {
    /// Text.
    Text(String),
    /// Any bytes.
    Bytes(Vec<u8>),
    /// The id of an artifact that holds it.
    Stored(String),
}

/// One part of an output.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case", deny_unknown_fields))]
pub struct Block {
    /// What it holds.
    pub content: Content,
    /// Inferred if none.
    #[cfg_attr(feature = "serde", serde(default))]
    pub media_type: Option<String>,
}

/// What a tool returned.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case", deny_unknown_fields))]
pub struct ToolOutput {
    /// The tool's name as the model called it.
    pub tool: String,
    /// The tool failed and says why.
    #[cfg_attr(feature = "serde", serde(default))]
    pub is_error: bool,
    /// None is an empty output.
    pub blocks: Vec<Block>,
    /// The same or more as JSON text: MCP's `structuredContent`.
    #[cfg_attr(feature = "serde", serde(default))]
    pub structured: Option<String>,
}

/// What is done with an output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum Action {
    /// Passed as it is.
    Inline,
    /// Put away, with an envelope in its place.
    Artifact,
    /// Head and tail.
    Truncate,
}

/// Which rule decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
#[allow(missing_docs)] // wit/offload.wit and gate.rs document each
pub enum Gate {
    Disabled,
    Exempt,
    ArtifactTool,
    BelowFloor,
    Fits,
    Ceiling,
    PerOutput,
    TokenCap,
    Headroom,
}

/// The record of a decision: what was measured against what.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case", deny_unknown_fields))]
#[allow(missing_docs)] // wit/offload.wit documents each field
pub struct Decision {
    pub action: Action,
    pub gate: Gate,
    pub size_bytes: u64,
    pub line_count: u64,
    pub token_count: Option<u64>,
    pub tokens_estimated: bool,
    pub min_threshold_bytes: u64,
    pub threshold_bytes: u64,
    pub max_threshold_bytes: u64,
    pub max_output_tokens: Option<u64>,
    pub headroom_tokens: Option<i64>,
    pub kept_tokens: Option<u64>,
    pub matched_override: Option<String>,
    pub failures: Vec<Error>,
}

/// What the model sees in place of an output.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case", deny_unknown_fields))]
#[allow(missing_docs)] // wit/offload.wit documents each field
pub struct View {
    pub text: String,
    pub kept: Vec<u32>,
    pub artifacts: Vec<Artifact>,
    pub decision: Decision,
}

/// What is in a text.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case", deny_unknown_fields))]
pub struct Shape {
    /// `application/json`, `text/plain`, …
    pub media_type: String,
    /// A JSON value, bounded.
    pub json: String,
}

/// Which part of an artifact to read.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum Range {
    /// From 1, both ends included.
    Lines(u64, u64),
    /// So many lines at the end.
    LastLines(u64),
    /// From 0, end excluded.
    Bytes(u64, u64),
    /// Where an earlier reply left off.
    Cursor(String),
}

/// A part of an artifact.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case", deny_unknown_fields))]
pub struct Page {
    /// The part.
    pub text: String,
    /// Pass it to go on; none at the end.
    pub next: Option<String>,
}

/// What to search for, and how.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case", default, deny_unknown_fields))]
#[allow(missing_docs)] // wit/artifacts.wit documents each field
pub struct GrepQuery {
    pub pattern: String,
    pub fixed_string: bool,
    pub ignore_case: bool,
    pub invert: bool,
    pub before_context: u32,
    pub after_context: u32,
    pub max_matches: u32,
    pub cursor: Option<String>,
}

/// One matching line.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case", deny_unknown_fields))]
#[allow(missing_docs)] // wit/artifacts.wit documents each field
pub struct Match {
    pub line: u64,
    pub column: u64,
    pub byte_offset: u64,
    pub text: String,
    pub clipped: bool,
    pub before: Vec<String>,
    pub after: Vec<String>,
}

/// The matching lines of one reply.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case", deny_unknown_fields))]
pub struct Matches {
    /// In the order of the artifact.
    pub matches: Vec<Match>,
    /// Over the whole artifact, if this query read all of it.
    pub total: Option<u64>,
    /// Pass it to go on; none at the end.
    pub next: Option<String>,
}

/// A filter and how its outputs are written.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case", default, deny_unknown_fields))]
#[allow(missing_docs)] // wit/artifacts.wit documents each field
pub struct JqQuery {
    pub filter: String,
    pub raw: bool,
    pub compact: bool,
    pub max_steps: u64,
    pub max_memory: u64,
    pub cursor: Option<String>,
}

/// The outputs of a filter.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case", deny_unknown_fields))]
pub struct Outputs {
    /// One after the other, each ended by a line feed.
    pub text: String,
    /// Pass it to go on; none at the end.
    pub next: Option<String>,
    /// What stopped the filter after these outputs.
    pub failure: Option<Error>,
    /// Where the filter left the document, if it gave nothing but nulls.
    pub hint: Option<String>,
    /// How the content was read, if not as the one JSON document that it is.
    pub parsed_as: Option<String>,
}

/// A tool as a provider takes it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case", deny_unknown_fields))]
pub struct ToolDefinition {
    /// `artifact_read`, `artifact_grep` or `artifact_jq`.
    pub name: String,
    /// What it does, for the model.
    pub description: String,
    /// A JSON Schema object.
    pub input_schema: String,
}

/// What a called tool says to the model.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case", deny_unknown_fields))]
pub struct ToolReply {
    /// The reply.
    pub text: String,
    /// It is a mistake that the model can mend.
    pub is_error: bool,
}
