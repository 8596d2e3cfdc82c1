// Written by `cargo xtask contract` from wit/; do not edit.

//! The records of the interface `offload`.

use serde::{Deserialize, Serialize};
#[cfg(feature = "component")]
use wasmtime::component::{ComponentType, Lift, Lower};

use super::{Artifact, ArtifactTool, Dialect, Error};

/// How a large output is reduced.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(not(feature = "exhaustive"), non_exhaustive)]
#[cfg_attr(feature = "component", derive(ComponentType, Lift, Lower), component(enum))]
#[repr(u8)]
pub enum Mode {
    /// `artifact` if the model can call an artifact tool, otherwise `truncate`.
    #[cfg_attr(feature = "component", component(name = "auto"))]
    Auto,
    /// Stores the output; the model sees an envelope that describes it, or the dialect's
    /// equivalent.
    #[cfg_attr(feature = "component", component(name = "artifact"))]
    Artifact,
    /// Keeps the head and the tail; nothing is stored.
    #[cfg_attr(feature = "component", component(name = "truncate"))]
    Truncate,
}

impl Mode {
    /// All cases, in the order of the contract.
    pub const ALL: [Mode; 3] = [Mode::Auto, Mode::Artifact, Mode::Truncate];

    /// Returns the name of the case, as JSON has it.
    pub const fn name(self) -> &'static str {
        match self {
            Mode::Auto => "auto",
            Mode::Artifact => "artifact",
            Mode::Truncate => "truncate",
        }
    }

    /// Returns the case with this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|case| case.name() == name)
    }

    /// Returns the case with this index, as wit-bindgen asks for it; the first one if there is none.
    #[cfg(feature = "guest")]
    #[doc(hidden)]
    pub fn _lift(index: u8) -> Self {
        Self::ALL.get(usize::from(index)).copied().unwrap_or(Self::ALL[0])
    }
}

/// Changes the policy for tools whose names match a glob.
#[derive(Clone, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "component", derive(ComponentType, Lift, Lower), component(record))]
pub struct ToolOverride {
    /// The glob, 1 to 256 bytes: `*` matches any run of characters, `?` one character, everything
    /// else itself (`sql_*`).
    pub tools: String,
    /// Passes every output: for a skill, or a file that the user asked for. Default: false.
    #[serde(default)]
    pub exempt: bool,
    /// Replaces the policy's mode; omitted, the policy's mode applies.
    pub mode: Option<Mode>,
    /// Replaces the policy's ceiling and lowers a floor above it; omitted, the policy's ceiling
    /// applies.
    #[cfg_attr(feature = "component", component(name = "max-threshold-bytes"))]
    pub max_threshold_bytes: Option<u64>,
}

/// All limits and switches. The defaults below are those of the dialect `artifact`;
/// `default-policy` returns those of any dialect. A policy that contradicts itself is
/// `invalid_input`, and the message names every violation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[cfg_attr(feature = "component", derive(ComponentType, Lift, Lower), component(record))]
pub struct Policy {
    /// If false, every output passes inline. Default: true.
    pub enabled: bool,
    /// The format of views, and the tools that they name. Outputs of this dialect's tools always
    /// pass; outputs of other dialects' tools are treated like any other. Default: `artifact`.
    pub dialect: Dialect,
    /// How large outputs are reduced. Default: `auto`.
    pub mode: Mode,
    /// Also stores outputs that pass inline, so that a reference can replace them later. Default:
    /// false.
    #[cfg_attr(feature = "component", component(name = "keep-all"))]
    pub keep_all: bool,
    /// The per-output gate, as a fraction of the context window: 0 to 1. Larger outputs are
    /// reduced. Default: 0.25.
    #[cfg_attr(feature = "component", component(name = "context-percentage"))]
    pub context_percentage: f64,
    /// The floor in bytes: smaller outputs always pass. At most `max_threshold_bytes`. Default:
    /// 4096.
    #[cfg_attr(feature = "component", component(name = "min-threshold-bytes"))]
    pub min_threshold_bytes: u64,
    /// The ceiling in bytes: larger outputs never pass. Default: 1048576.
    #[cfg_attr(feature = "component", component(name = "max-threshold-bytes"))]
    pub max_threshold_bytes: u64,
    /// The headroom gate, as a fraction of the context window: 0 to 1. Outputs that would fill the
    /// window beyond it are reduced; 1 turns the gate off. Default: 0.7.
    #[cfg_attr(feature = "component", component(name = "headroom-percentage"))]
    pub headroom_percentage: f64,
    /// Maximum tokens of an output, and of its view: at least 1. Views are counted by the host and
    /// truncated again until they fit, but not below 512 bytes (768 bytes for each part of an
    /// envelope). Default: no limit.
    #[cfg_attr(feature = "component", component(name = "max-output-tokens"))]
    pub max_output_tokens: Option<u64>,
    /// Bytes per token, for texts that are not tokenized: above 0, at most 1024. Default: 4.
    #[cfg_attr(feature = "component", component(name = "bytes-per-token"))]
    pub bytes_per_token: f64,
    /// Maximum bytes of a truncated view, and of any view in the dialect `cache`; values below 512
    /// are raised to 512. Default: the per-output threshold.
    #[cfg_attr(feature = "component", component(name = "max-view-bytes"))]
    pub max_view_bytes: Option<u64>,
    /// Maximum bytes of the preview in an envelope, including escapes; 0 omits the preview. In the
    /// dialect `file`, the preview also has at most half as many characters as `max_output_tokens`
    /// (10000 if omitted). The dialects `cache` and `handle` have no preview. Default: 384.
    #[cfg_attr(feature = "component", component(name = "preview-bytes"))]
    pub preview_bytes: u32,
    /// Tokens that the headroom gate counts for each block that is passed on. Default: 1600. This
    /// is close to Anthropic's maximum for an image (width x height / 750, scaled down to 1568
    /// pixels); OpenAI counts 765 for 1024 x 1024.
    #[cfg_attr(feature = "component", component(name = "image-tokens"))]
    pub image_tokens: u32,
    /// Exceptions by tool name; the first match applies. At most 1,000. Default: none.
    pub overrides: Vec<ToolOverride>,
}

impl Default for Policy {
    fn default() -> Self {
        Policy {
            enabled: true,
            dialect: Dialect::Artifact,
            mode: Mode::Auto,
            keep_all: false,
            context_percentage: 0.25,
            min_threshold_bytes: 4096,
            max_threshold_bytes: 1_048_576,
            headroom_percentage: 0.7,
            max_output_tokens: None,
            bytes_per_token: 4.0,
            max_view_bytes: None,
            preview_bytes: 384,
            image_tokens: 1600,
            overrides: Vec::new(),
        }
    }
}

/// The state of the conversation when an output arrives.
#[derive(Clone, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "component", derive(ComponentType, Lift, Lower), component(record))]
pub struct Turn {
    /// The model's context window in tokens; 0 is `invalid_input`.
    #[cfg_attr(feature = "component", component(name = "context-window"))]
    pub context_window: u64,
    /// Input tokens already used. Default: 0.
    #[serde(default)]
    #[cfg_attr(feature = "component", component(name = "used-tokens"))]
    pub used_tokens: u64,
    /// The artifact tools that the model can call, in any order.
    pub tools: Vec<ArtifactTool>,
}

/// The content of a block.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "component", derive(ComponentType, Lift, Lower), component(variant))]
pub enum Content {
    /// Text.
    #[cfg_attr(feature = "component", component(name = "text"))]
    Text(String),
    /// Any bytes. Text that is not valid UTF-8 is stored unchanged. It is shown decoded if it is
    /// certainly UTF-16 or Windows-1252, otherwise with U+FFFD; binary content is shown as one line
    /// that identifies it.
    #[cfg_attr(feature = "component", component(name = "bytes"))]
    Bytes(Vec<u8>),
    /// The id of an artifact: its content is already in the store and is not passed again. It must
    /// be the only block of its output.
    #[cfg_attr(feature = "component", component(name = "stored"))]
    Stored(String),
}

/// One part of an output.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "component", derive(ComponentType, Lift, Lower), component(record))]
pub struct Block {
    /// The content.
    pub content: Content,
    /// A hint; if it is omitted or wrong, the format is detected from the content.
    #[cfg_attr(feature = "component", component(name = "media-type"))]
    pub media_type: Option<String>,
}

/// The output of a tool call.
#[derive(Clone, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "component", derive(ComponentType, Lift, Lower), component(record))]
pub struct ToolOutput {
    /// The name under which the model called the tool. The names of the dialect's tools are
    /// reserved: their outputs always pass.
    pub tool: String,
    /// Whether the output is an error message of the tool. Default: false.
    #[serde(default)]
    #[cfg_attr(feature = "component", component(name = "is-error"))]
    pub is_error: bool,
    /// The blocks, in order; an empty list is an empty output.
    ///
    /// Images, audio and video are passed on unchanged: blocks with an `image/…`, `audio/…` or
    /// `video/…` media type, and bytes without a media type that are detected as such. All other
    /// blocks are measured, and shown inline, as one text, joined by a line feed where a block does
    /// not end in one.
    ///
    /// If they are reduced, adjacent blocks of plain text without a media type form one part, and
    /// every other block is a separate part; more than 16 parts are merged into one text. Each part
    /// that is not small is stored as one artifact. Each part has a section in the view.
    ///
    /// A single block that is a JSON-encoded tool result (an MCP `CallToolResult`, or an array of
    /// content parts in the format of OpenAI or Anthropic, and nothing else) passes inline
    /// unchanged. If it is reduced or stored, its inner blocks are used instead: texts without JSON
    /// escapes, images and other media as bytes; `isError` marks an error.
    pub blocks: Vec<Block>,
    /// The result as JSON text, in addition to the blocks: MCP's `structuredContent`. If it repeats
    /// the value of a block, or the texts of the blocks, also as the only member of an object, it
    /// is counted and stored once. If its only string is the text of a block, the text counts once.
    /// Otherwise it is an additional block of type `application/json`. Not allowed with a `stored`
    /// block.
    pub structured: Option<String>,
}

/// How an output was handled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(not(feature = "exhaustive"), non_exhaustive)]
#[cfg_attr(feature = "component", derive(ComponentType, Lift, Lower), component(enum))]
#[repr(u8)]
pub enum Action {
    /// Passed unchanged.
    #[cfg_attr(feature = "component", component(name = "inline"))]
    Inline,
    /// Stored; the view is an envelope.
    #[cfg_attr(feature = "component", component(name = "artifact"))]
    Artifact,
    /// Truncated; the view is the output's head and tail.
    #[cfg_attr(feature = "component", component(name = "truncate"))]
    Truncate,
}

impl Action {
    /// All cases, in the order of the contract.
    pub const ALL: [Action; 3] = [Action::Inline, Action::Artifact, Action::Truncate];

    /// Returns the name of the case, as JSON has it.
    pub const fn name(self) -> &'static str {
        match self {
            Action::Inline => "inline",
            Action::Artifact => "artifact",
            Action::Truncate => "truncate",
        }
    }

    /// Returns the case with this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|case| case.name() == name)
    }

    /// Returns the case with this index, as wit-bindgen asks for it; the first one if there is none.
    #[cfg(feature = "guest")]
    #[doc(hidden)]
    pub fn _lift(index: u8) -> Self {
        Self::ALL.get(usize::from(index)).copied().unwrap_or(Self::ALL[0])
    }
}

/// The rule that decided. Rules are checked in this order: `disabled`, `exempt`, `artifact_tool`,
/// `below_floor`, `ceiling`, `per_output`, `token_cap`, `headroom`, `fits`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(not(feature = "exhaustive"), non_exhaustive)]
#[cfg_attr(feature = "component", derive(ComponentType, Lift, Lower), component(enum))]
#[repr(u8)]
pub enum Gate {
    /// The policy is not enabled.
    #[cfg_attr(feature = "component", component(name = "disabled"))]
    Disabled,
    /// An override exempts the tool.
    #[cfg_attr(feature = "component", component(name = "exempt"))]
    Exempt,
    /// The output comes from a tool of the policy's dialect.
    #[cfg_attr(feature = "component", component(name = "artifact-tool"))]
    ArtifactTool,
    /// The output is smaller than the floor. For this rule, `ceiling` and `per_output`, each byte
    /// that is not valid UTF-8 counts as three, the size of U+FFFD.
    #[cfg_attr(feature = "component", component(name = "below-floor"))]
    BelowFloor,
    /// No other rule applies.
    #[cfg_attr(feature = "component", component(name = "fits"))]
    Fits,
    /// The output is larger than the ceiling.
    #[cfg_attr(feature = "component", component(name = "ceiling"))]
    Ceiling,
    /// The output is larger than its share of the context window.
    #[cfg_attr(feature = "component", component(name = "per-output"))]
    PerOutput,
    /// The output has more tokens than `max_output_tokens`.
    #[cfg_attr(feature = "component", component(name = "token-cap"))]
    TokenCap,
    /// The output does not fit into the remaining headroom.
    #[cfg_attr(feature = "component", component(name = "headroom"))]
    Headroom,
}

impl Gate {
    /// All cases, in the order of the contract.
    pub const ALL: [Gate; 9] = [
        Gate::Disabled,
        Gate::Exempt,
        Gate::ArtifactTool,
        Gate::BelowFloor,
        Gate::Fits,
        Gate::Ceiling,
        Gate::PerOutput,
        Gate::TokenCap,
        Gate::Headroom,
    ];

    /// Returns the name of the case, as JSON has it.
    pub const fn name(self) -> &'static str {
        match self {
            Gate::Disabled => "disabled",
            Gate::Exempt => "exempt",
            Gate::ArtifactTool => "artifact_tool",
            Gate::BelowFloor => "below_floor",
            Gate::Fits => "fits",
            Gate::Ceiling => "ceiling",
            Gate::PerOutput => "per_output",
            Gate::TokenCap => "token_cap",
            Gate::Headroom => "headroom",
        }
    }

    /// Returns the case with this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|case| case.name() == name)
    }

    /// Returns the case with this index, as wit-bindgen asks for it; the first one if there is none.
    #[cfg(feature = "guest")]
    #[doc(hidden)]
    pub fn _lift(index: u8) -> Self {
        Self::ALL.get(usize::from(index)).copied().unwrap_or(Self::ALL[0])
    }
}

/// A decision, with the measurements and limits behind it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(not(feature = "exhaustive"), non_exhaustive)]
#[cfg_attr(feature = "component", derive(ComponentType, Lift, Lower), component(record))]
pub struct Decision {
    /// How the output is handled.
    pub action: Action,
    /// The rule that decided.
    pub gate: Gate,
    /// The original size of the output, without the blocks that are passed on.
    #[cfg_attr(feature = "component", component(name = "size-bytes"))]
    pub size_bytes: u64,
    /// Lines of the output.
    #[cfg_attr(feature = "component", component(name = "line-count"))]
    pub line_count: u64,
    /// Tokens of the output; none if no count could change the decision.
    #[cfg_attr(feature = "component", component(name = "token-count"))]
    pub token_count: Option<u64>,
    /// True if `token_count` is the size divided by `bytes_per_token`, because the tokenizer
    /// failed.
    #[cfg_attr(feature = "component", component(name = "tokens-estimated"))]
    pub tokens_estimated: bool,
    /// The floor, which an override may have lowered.
    #[cfg_attr(feature = "component", component(name = "min-threshold-bytes"))]
    pub min_threshold_bytes: u64,
    /// The per-output threshold: the fraction of the window in bytes, clamped to floor and ceiling.
    #[cfg_attr(feature = "component", component(name = "threshold-bytes"))]
    pub threshold_bytes: u64,
    /// The ceiling, which an override may have replaced.
    #[cfg_attr(feature = "component", component(name = "max-threshold-bytes"))]
    pub max_threshold_bytes: u64,
    /// The policy's limit in tokens, if it has one.
    #[cfg_attr(feature = "component", component(name = "max-output-tokens"))]
    pub max_output_tokens: Option<u64>,
    /// Tokens that the headroom gate leaves for this output; negative if the conversation already
    /// exceeds the limit, none if the gate is off. In a turn, the tokens of the other outputs are
    /// subtracted.
    #[cfg_attr(feature = "component", component(name = "headroom-tokens"))]
    pub headroom_tokens: Option<i64>,
    /// Tokens of the blocks that are passed on, `image_tokens` for each; none if there are no such
    /// blocks. They are subtracted from the headroom, too.
    #[cfg_attr(feature = "component", component(name = "kept-tokens"))]
    pub kept_tokens: Option<u64>,
    /// The glob of the applied override.
    #[cfg_attr(feature = "component", component(name = "matched-override"))]
    pub matched_override: Option<String>,
    /// Failures that did not prevent a view: if the store did not accept the output or a part of
    /// it, that part is truncated instead; if the tokenizer failed for the output or its view,
    /// tokens are estimated.
    pub failures: Vec<Error>,
}

/// The text that the model sees instead of an output.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(not(feature = "exhaustive"), non_exhaustive)]
#[cfg_attr(feature = "component", derive(ComponentType, Lift, Lower), component(record))]
pub struct View {
    /// Replaces the output's text in the conversation.
    pub text: String,
    /// Blocks to pass on unchanged (images), as indexes into `blocks`.
    pub kept: Vec<u32>,
    /// The stored artifacts, in the order of the output's parts: at least one if the action is
    /// `artifact`, one for every part if `keep_all` is set, otherwise none.
    pub artifacts: Vec<Artifact>,
    /// The decision that led to this view.
    pub decision: Decision,
}
