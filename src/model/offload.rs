//! The input and the result of a decision.

use super::{Artifact, ArtifactTools, Dialect};
use crate::error::Error;

/// How an output that is too large is reduced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum Mode {
    /// `Artifact` if the model can call any artifact tool, else `Truncate`.
    Auto,
    /// Stores the output; the model sees an envelope that describes it, or what the
    /// dialect has in its place.
    Artifact,
    /// Keeps head and tail; nothing is stored.
    Truncate,
}

/// All limits and switches. [`Policy::for_dialect`] returns the defaults of a dialect;
/// those below, which missing fields have in JSON, are of [`Dialect::Artifact`]. A policy that contradicts itself is
/// [`InvalidInput`](crate::ErrorKind::InvalidInput); the message names every
/// violation.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case", default, deny_unknown_fields))]
pub struct Policy {
    /// If false, every output passes inline. Default: true.
    pub enabled: bool,
    /// What the view looks like, and which tools it names. Outputs of the tools of this
    /// dialect always pass; those of other dialects are like any other. Default:
    /// [`Dialect::Artifact`].
    pub dialect: Dialect,
    /// How outputs that are too large are reduced. Default: [`Mode::Auto`].
    pub mode: Mode,
    /// Also stores outputs that pass inline, so that they can be replaced by a
    /// reference later. Default: false.
    pub keep_all: bool,
    /// The per-output gate, as a fraction of the context window: 0 to 1. Larger
    /// outputs are reduced. Default: 0.25.
    pub context_percentage: f64,
    /// The floor in bytes: smaller outputs always pass. At most
    /// `max_threshold_bytes`. Default: 4096.
    pub min_threshold_bytes: u64,
    /// The ceiling in bytes: larger outputs never pass. Default: 1,048,576.
    pub max_threshold_bytes: u64,
    /// The headroom gate, as a fraction of the context window: 0 to 1. Outputs
    /// that would fill the window beyond it are reduced; 1 turns the gate off.
    /// Default: 0.7.
    pub headroom_percentage: f64,
    /// The most tokens that one output may have, and the most that its view has, at
    /// least 1; no limit if `None`. Views are counted by the host and cut again until
    /// they fit, though not below 512 bytes (an envelope: 768 bytes for each part).
    /// Default: `None`.
    pub max_output_tokens: Option<u64>,
    /// Bytes per token, for texts that are not tokenized: above 0, at most 1024.
    /// Default: 4.
    pub bytes_per_token: f64,
    /// The most bytes of a view that is truncated, and of any view in
    /// [`Dialect::Cache`]: raised to 512 if smaller; the per-output threshold if `None`.
    /// Default: `None`.
    pub max_view_bytes: Option<u64>,
    /// The most bytes of the preview in an envelope, escapes counted; 0 omits the
    /// preview. In [`Dialect::File`], the preview also has at most half as many
    /// characters as `max_output_tokens` (10000 if `None`). [`Dialect::Cache`] and
    /// [`Dialect::Handle`] have none. Default: 1024.
    pub preview_bytes: u32,
    /// Tokens that the headroom gate counts for each block that is passed on.
    /// Default: 1600, close to the most that an image costs.
    pub image_tokens: u32,
    /// Exceptions by tool name; the first match applies. At most 1,000. Default:
    /// none.
    pub overrides: Vec<ToolOverride>,
}

/// Changes the policy for the tools whose name matches a glob.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case", deny_unknown_fields))]
pub struct ToolOverride {
    /// The glob, 1 to 256 bytes: `*` matches any run of characters, `?` one
    /// character, everything else itself (`sql_*`).
    pub tools: String,
    /// Passes every output: a skill, a file that the user asked for.
    #[cfg_attr(feature = "serde", serde(default))]
    pub exempt: bool,
    /// Replaces [`Policy::mode`]; the policy's if `None`.
    pub mode: Option<Mode>,
    /// Replaces [`Policy::max_threshold_bytes`], and lowers a floor above it; the
    /// policy's if `None`.
    pub max_threshold_bytes: Option<u64>,
}

/// The state of the conversation when an output arrives.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case", deny_unknown_fields))]
pub struct Turn {
    /// The model's context window in tokens, at least 1.
    pub context_window: u64,
    /// Input tokens already used.
    pub used_tokens: u64,
    /// The artifact tools that the model can call.
    pub tools: ArtifactTools,
}

/// The content of a block.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum Content {
    /// Text.
    Text(String),
    /// Any bytes. Text that is not valid UTF-8 is stored unchanged, and shown with
    /// U+FFFD; binary content is shown as one line that says what it is.
    Bytes(Vec<u8>),
    /// The id of an artifact: content that is already in the store. It must be the
    /// only block of its output.
    Stored(String),
}

/// One part of an output.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case", deny_unknown_fields))]
pub struct Block {
    /// What the block contains.
    pub content: Content,
    /// A hint at its format; detected from the content if `None`, or if wrong.
    #[cfg_attr(feature = "serde", serde(default))]
    pub media_type: Option<String>,
}

/// What a tool returned.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case", deny_unknown_fields))]
pub struct ToolOutput {
    /// The tool's name as the model called it. The names of the dialect's tools are
    /// reserved: outputs under them always pass.
    pub tool: String,
    /// Whether the output is an error message of the tool.
    #[cfg_attr(feature = "serde", serde(default))]
    pub is_error: bool,
    /// The blocks, in order; none is an empty output.
    ///
    /// Images, audio and video are passed on: blocks of an `image/…`, `audio/…` or
    /// `video/…` media type, and bytes without a media type that are detected as
    /// such. All other blocks are measured, and shown inline, as one text.
    ///
    /// If they are reduced, adjacent blocks of plain text without a media type
    /// form one part, every other block is a part of its own, and more than 16
    /// parts are merged into one text. Each part that is not small is stored as
    /// one artifact.
    ///
    /// A single block that is a tool result as JSON (an MCP `CallToolResult`, or
    /// an array of content parts in the form of OpenAI or Anthropic, and nothing
    /// else) passes inline unchanged; if it is reduced or stored, its inner
    /// blocks are used instead.
    pub blocks: Vec<Block>,
    /// The result as JSON text, in addition to the blocks: MCP's
    /// `structuredContent`. If it repeats what the blocks contain, it is counted and
    /// stored once; otherwise it is one more block, of `application/json`. Not
    /// allowed with a [`Content::Stored`] block.
    #[cfg_attr(feature = "serde", serde(default))]
    pub structured: Option<String>,
}

/// How an output was handled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum Action {
    /// Passed unchanged.
    Inline,
    /// Stored; the view is an envelope.
    Artifact,
    /// Truncated; the view is its head and tail.
    Truncate,
}

/// The rule that decided. The rules are checked in this order: `Disabled`, `Exempt`,
/// `ArtifactTool`, `BelowFloor`, `Ceiling`, `PerOutput`, `TokenCap`, `Headroom`,
/// `Fits`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum Gate {
    /// [`Policy::enabled`] is false.
    Disabled,
    /// An override exempts the tool.
    Exempt,
    /// The output is a reply of a tool of [`Policy::dialect`].
    ArtifactTool,
    /// The output is smaller than the floor. To this rule and the next two, an output
    /// that is not valid UTF-8 has its size as text, in which an invalid byte is U+FFFD:
    /// three bytes.
    BelowFloor,
    /// No other rule applies.
    Fits,
    /// The output is larger than the ceiling.
    Ceiling,
    /// The output is larger than its share of the context window.
    PerOutput,
    /// The output has more tokens than [`Policy::max_output_tokens`].
    TokenCap,
    /// The output does not fit into the headroom that is left.
    Headroom,
}

/// The record of a decision: what was measured, and against what.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case", deny_unknown_fields))]
pub struct Decision {
    /// What is done with the output.
    pub action: Action,
    /// The rule that decided.
    pub gate: Gate,
    /// The size of the output in bytes as it came, without the blocks that are passed
    /// on.
    pub size_bytes: u64,
    /// Lines of the output.
    pub line_count: u64,
    /// Tokens of the output; `None` if no count could change the decision.
    pub token_count: Option<u64>,
    /// Whether `token_count` is the size divided by [`Policy::bytes_per_token`],
    /// because the tokenizer failed.
    pub tokens_estimated: bool,
    /// The floor in bytes, which an override may have lowered.
    pub min_threshold_bytes: u64,
    /// The per-output threshold: the fraction of the window in bytes, clamped to
    /// floor and ceiling.
    pub threshold_bytes: u64,
    /// The ceiling in bytes, which an override may have replaced.
    pub max_threshold_bytes: u64,
    /// The policy's limit in tokens, if it has one.
    pub max_output_tokens: Option<u64>,
    /// Tokens that the headroom gate left for this output; negative if the
    /// conversation already exceeds it, `None` if the gate is off. In a turn, the
    /// tokens of the other outputs are subtracted.
    pub headroom_tokens: Option<i64>,
    /// Tokens of the blocks that are passed on, [`Policy::image_tokens`] for each;
    /// none if there are no such blocks. They are subtracted from the headroom too.
    pub kept_tokens: Option<u64>,
    /// The glob of the override that was applied.
    pub matched_override: Option<String>,
    /// What failed and was worked around: a store that did not accept the output
    /// or a part of it (which is truncated instead), a tokenizer that did not
    /// answer for the output or its view (tokens are estimated instead).
    pub failures: Vec<Error>,
}

/// What the model sees in place of an output.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case", deny_unknown_fields))]
pub struct View {
    /// Replaces the output's text in the conversation.
    pub text: String,
    /// Blocks to pass on unchanged (images), as indexes into
    /// [`ToolOutput::blocks`].
    pub kept: Vec<u32>,
    /// What was stored, in the order of the output's parts: at least one artifact
    /// if the action is [`Action::Artifact`], every part if [`Policy::keep_all`] is
    /// set, otherwise none.
    pub artifacts: Vec<Artifact>,
    /// The decision that led to this view.
    pub decision: Decision,
}
