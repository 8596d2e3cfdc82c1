//! The input and the result of a decision.

use super::{Artifact, ArtifactTools, Dialect};
use crate::error::Error;

/// How a large output is reduced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum Mode {
    /// `Artifact` if the model can call an artifact tool, otherwise `Truncate`.
    Auto,
    /// Stores the output; the model sees an envelope that describes it, or the dialect's
    /// equivalent.
    Artifact,
    /// Keeps the head and the tail; nothing is stored.
    Truncate,
}

/// All limits and switches. The defaults below, which also apply to fields missing from JSON, are
/// those of [`Dialect::Artifact`]; [`Policy::for_dialect`] returns those of any dialect. A policy
/// that contradicts itself is [`InvalidInput`](crate::ErrorKind::InvalidInput), and the message
/// names every violation.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case", default, deny_unknown_fields))]
pub struct Policy {
    /// If false, every output passes inline. Default: true.
    pub enabled: bool,
    /// The format of views, and the tools that they name. Outputs of this dialect's tools always
    /// pass; outputs of other dialects' tools are treated like any other. Default:
    /// [`Dialect::Artifact`].
    pub dialect: Dialect,
    /// How large outputs are reduced. Default: [`Mode::Auto`].
    pub mode: Mode,
    /// Also stores outputs that pass inline, so that a reference can replace them later. Default:
    /// false.
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
    /// Maximum tokens of an output, and of its view: at least 1; no limit if `None`. Views are
    /// counted by the host and truncated again until they fit, but not below 512 bytes (768 bytes
    /// for each part of an envelope). Default: `None`.
    pub max_output_tokens: Option<u64>,
    /// Bytes per token, for texts that are not tokenized: above 0, at most 1024.
    /// Default: 4.
    pub bytes_per_token: f64,
    /// Maximum bytes of a truncated view, and of any view in [`Dialect::Cache`]; values below 512
    /// are raised to 512. The per-output threshold if `None`. Default: `None`.
    pub max_view_bytes: Option<u64>,
    /// Maximum bytes of the preview in an envelope, including escapes; 0 omits the preview. In
    /// [`Dialect::File`], the preview also has at most half as many characters as
    /// `max_output_tokens` (10000 if `None`). [`Dialect::Cache`] and [`Dialect::Handle`] have no
    /// preview. Default: 1024.
    pub preview_bytes: u32,
    /// Tokens that the headroom gate counts for each block that is passed on. Default: 1600, close
    /// to the maximum cost of an image.
    pub image_tokens: u32,
    /// Exceptions by tool name; the first match applies. At most 1,000. Default:
    /// none.
    pub overrides: Vec<ToolOverride>,
}

/// Changes the policy for tools whose names match a glob.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case", deny_unknown_fields))]
pub struct ToolOverride {
    /// The glob, 1 to 256 bytes: `*` matches any run of characters, `?` one
    /// character, everything else itself (`sql_*`).
    pub tools: String,
    /// Passes every output: for a skill, or a file that the user asked for.
    #[cfg_attr(feature = "serde", serde(default))]
    pub exempt: bool,
    /// Replaces [`Policy::mode`] unless `None`.
    pub mode: Option<Mode>,
    /// Replaces [`Policy::max_threshold_bytes`], and lowers a floor above it, unless `None`.
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
    /// Any bytes. Text that is not valid UTF-8 is stored unchanged. It is shown decoded if it is
    /// certainly UTF-16 or Windows-1252, otherwise with U+FFFD; binary content is shown as one line
    /// that identifies it.
    Bytes(Vec<u8>),
    /// The id of an artifact: its content is already in the store. It must be the only block of its
    /// output.
    Stored(String),
}

/// One part of an output.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case", deny_unknown_fields))]
pub struct Block {
    /// The content.
    pub content: Content,
    /// A hint; if it is `None` or wrong, the format is detected from the content.
    #[cfg_attr(feature = "serde", serde(default))]
    pub media_type: Option<String>,
}

/// The output of a tool call.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case", deny_unknown_fields))]
pub struct ToolOutput {
    /// The name under which the model called the tool. The names of the dialect's tools are
    /// reserved: their outputs always pass.
    pub tool: String,
    /// Whether the output is an error message of the tool.
    #[cfg_attr(feature = "serde", serde(default))]
    pub is_error: bool,
    /// The blocks, in order; an empty list is an empty output.
    ///
    /// Images, audio and video are passed on unchanged: blocks with an `image/…`, `audio/…` or
    /// `video/…` media type, and bytes without a media type that are detected as such. All other
    /// blocks are measured, and shown inline, as one text.
    ///
    /// If they are reduced, adjacent blocks of plain text without a media type form one part, and
    /// every other block is a separate part; more than 16 parts are merged into one text. Each part
    /// that is not small is stored as one artifact.
    ///
    /// A single block that is a JSON-encoded tool result (an MCP `CallToolResult`, or an array of
    /// content parts in the format of OpenAI or Anthropic, and nothing else) passes inline
    /// unchanged. If it is reduced or stored, its inner blocks are used instead.
    pub blocks: Vec<Block>,
    /// The result as JSON text, in addition to the blocks: MCP's `structuredContent`. If it repeats
    /// the content of the blocks, it is counted and stored once; otherwise it is an additional
    /// block of type `application/json`. Not allowed with a [`Content::Stored`] block.
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
    /// Truncated; the view is the output's head and tail.
    Truncate,
}

/// The rule that decided. Rules are checked in this order: `Disabled`, `Exempt`, `ArtifactTool`,
/// `BelowFloor`, `Ceiling`, `PerOutput`, `TokenCap`, `Headroom`, `Fits`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum Gate {
    /// [`Policy::enabled`] is false.
    Disabled,
    /// An override exempts the tool.
    Exempt,
    /// The output comes from a tool of [`Policy::dialect`].
    ArtifactTool,
    /// The output is smaller than the floor. For this rule, `Ceiling` and `PerOutput`, each byte
    /// that is not valid UTF-8 counts as three, the size of U+FFFD.
    BelowFloor,
    /// No other rule applies.
    Fits,
    /// The output is larger than the ceiling.
    Ceiling,
    /// The output is larger than its share of the context window.
    PerOutput,
    /// The output has more tokens than [`Policy::max_output_tokens`].
    TokenCap,
    /// The output does not fit into the remaining headroom.
    Headroom,
}

/// A decision, with the measurements and limits behind it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case", deny_unknown_fields))]
pub struct Decision {
    /// How the output is handled.
    pub action: Action,
    /// The rule that decided.
    pub gate: Gate,
    /// The original size of the output in bytes, without the blocks that are passed on.
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
    /// Tokens that the headroom gate leaves for this output; negative if the conversation already
    /// exceeds the limit, `None` if the gate is off. In a turn, the tokens of the other outputs are
    /// subtracted.
    pub headroom_tokens: Option<i64>,
    /// Tokens of the blocks that are passed on, [`Policy::image_tokens`] for each; none if there
    /// are no such blocks. They are subtracted from the headroom, too.
    pub kept_tokens: Option<u64>,
    /// The glob of the applied override.
    pub matched_override: Option<String>,
    /// Failures that did not prevent a view: if the store did not accept the output or a part of
    /// it, that part is truncated instead; if the tokenizer failed for the output or its view,
    /// tokens are estimated.
    pub failures: Vec<Error>,
}

/// What the model sees instead of an output.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case", deny_unknown_fields))]
pub struct View {
    /// Replaces the output's text in the conversation.
    pub text: String,
    /// Blocks to pass on unchanged (images), as indexes into
    /// [`ToolOutput::blocks`].
    pub kept: Vec<u32>,
    /// The stored artifacts, in the order of the output's parts: at least one if the action is
    /// [`Action::Artifact`], one for every part if [`Policy::keep_all`] is set, otherwise none.
    pub artifacts: Vec<Artifact>,
    /// The decision that led to this view.
    pub decision: Decision,
}
