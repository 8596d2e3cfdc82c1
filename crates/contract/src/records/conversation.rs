// Written by `cargo xtask contract` from wit/; do not edit.

//! The records of the interface `conversation`.

use serde::{Deserialize, Serialize};
#[cfg(feature = "component")]
use wasmtime::component::{ComponentType, Lift, Lower};

/// The sender of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(not(feature = "exhaustive"), non_exhaustive)]
#[cfg_attr(feature = "component", derive(ComponentType, Lift, Lower), component(enum))]
#[repr(u8)]
pub enum Role {
    /// The developer of the agent: counted as part of the system prompt, never removed.
    #[cfg_attr(feature = "component", component(name = "system"))]
    System,
    /// The user. A message that has only tool results continues the turn, whichever role the
    /// provider gives it.
    #[cfg_attr(feature = "component", component(name = "user"))]
    User,
    /// The model.
    #[cfg_attr(feature = "component", component(name = "assistant"))]
    Assistant,
    /// A tool.
    #[cfg_attr(feature = "component", component(name = "tool"))]
    Tool,
}

impl Role {
    /// All cases, in the order of the contract.
    pub const ALL: [Role; 4] = [Role::System, Role::User, Role::Assistant, Role::Tool];

    /// Returns the name of the case, as JSON has it.
    pub const fn name(self) -> &'static str {
        match self {
            Role::System => "system",
            Role::User => "user",
            Role::Assistant => "assistant",
            Role::Tool => "tool",
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

/// A tool call by the model.
#[derive(Clone, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "component", derive(ComponentType, Lift, Lower), component(record))]
pub struct ToolCall {
    /// The id that its result refers to.
    pub id: String,
    /// The name of the tool.
    pub name: String,
    /// The arguments as JSON text.
    pub arguments: String,
    /// Whether the arguments must stay unchanged, such as those that a provider has signed.
    /// Default: false.
    #[serde(default)]
    pub pinned: bool,
}

/// The result of a tool call.
#[derive(Clone, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "component", derive(ComponentType, Lift, Lower), component(record))]
pub struct ToolResult {
    /// The id of the call.
    #[cfg_attr(feature = "component", component(name = "call-id"))]
    pub call_id: String,
    /// The text that the model sees.
    pub text: String,
    /// Whether the tool reports an error. Default: false.
    #[serde(default)]
    #[cfg_attr(feature = "component", component(name = "is-error"))]
    pub is_error: bool,
    /// The artifact that has the full output.
    pub artifact: Option<String>,
}

/// An image, a recording or another file.
#[derive(Clone, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "component", derive(ComponentType, Lift, Lower), component(record))]
pub struct Medium {
    /// Its size in tokens.
    pub tokens: u64,
    /// Its size in bytes, as sent. Default: 0.
    #[serde(default)]
    pub bytes: u64,
    /// A description in a few words, such as `image/png, 1280 x 720`. Default: none.
    pub label: Option<String>,
    /// The artifact that has it. Default: none.
    pub artifact: Option<String>,
}

/// A part of a message.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "component", derive(ComponentType, Lift, Lower), component(variant))]
pub enum Part {
    /// Text.
    #[cfg_attr(feature = "component", component(name = "text"))]
    Text(String),
    /// A tool call.
    #[cfg_attr(feature = "component", component(name = "tool-call"))]
    ToolCall(ToolCall),
    /// The result of a tool call.
    #[cfg_attr(feature = "component", component(name = "tool-result"))]
    ToolResult(ToolResult),
    /// An image, audio or a document.
    #[cfg_attr(feature = "component", component(name = "media"))]
    Media(Medium),
    /// Content that is kept unchanged, such as calls that the provider runs: its size in bytes.
    #[cfg_attr(feature = "component", component(name = "opaque"))]
    Opaque(u64),
    /// The model's thinking, which is kept unchanged unless `cache-config.keep-thinking` says
    /// otherwise: its size in bytes.
    #[cfg_attr(feature = "component", component(name = "thinking"))]
    Thinking(u64),
}

/// A message of a conversation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "component", derive(ComponentType, Lift, Lower), component(record))]
pub struct Message {
    /// The sender.
    pub role: Role,
    /// The parts, in order.
    pub parts: Vec<Part>,
    /// The token count, if known.
    pub tokens: Option<u64>,
    /// Whether the message must stay unchanged. Default: false.
    #[serde(default)]
    pub pinned: bool,
    /// Whether an earlier plan inserted the message. Such a message neither starts a turn nor
    /// counts as the user's own words. Default: false.
    #[serde(default)]
    pub inserted: bool,
    /// Whether this message and the next one stay or go together, such as thinking and the call
    /// that it belongs to. Default: false.
    #[serde(default)]
    pub joined: bool,
    /// Whether the message must stay, although parts of it may be trimmed. Default: false.
    #[serde(default)]
    pub kept: bool,
}

/// The definition of a tool that the model can call.
#[derive(Clone, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "component", derive(ComponentType, Lift, Lower), component(record))]
pub struct ToolSpec {
    /// The name of the tool.
    pub name: String,
    /// The definition as JSON text.
    pub definition: String,
    /// The token count, if known.
    pub tokens: Option<u64>,
    /// Whether the definition stays even if the tool is unused. Default: false.
    #[serde(default)]
    pub pinned: bool,
}

/// The token counts that a provider reported. The total is their sum.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[cfg_attr(feature = "component", derive(ComponentType, Lift, Lower), component(record))]
pub struct TokenUsage {
    /// Input tokens outside the prompt cache. Default: 0.
    #[cfg_attr(feature = "component", component(name = "input-tokens"))]
    pub input_tokens: u64,
    /// Tokens of the answer. Default: 0.
    #[cfg_attr(feature = "component", component(name = "output-tokens"))]
    pub output_tokens: u64,
    /// Tokens written to the provider's prompt cache. Default: 0.
    #[cfg_attr(feature = "component", component(name = "cache-creation-tokens"))]
    pub cache_creation_tokens: u64,
    /// Tokens read from the provider's prompt cache. Default: 0.
    #[cfg_attr(feature = "component", component(name = "cache-read-tokens"))]
    pub cache_read_tokens: u64,
}

/// A reported usage and the messages that it covers. The host counts only the messages after those.
/// A usage is ignored, with an alarm, if it is less than an eighth or more than eight times the
/// estimate for its messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "component", derive(ComponentType, Lift, Lower), component(record))]
pub struct Usage {
    /// The reported token counts.
    #[serde(default)]
    pub tokens: TokenUsage,
    /// The number of messages that it covers: all up to and including the answer that it was
    /// reported with.
    pub messages: u32,
}

/// The conversation of an agent.
#[derive(Clone, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "component", derive(ComponentType, Lift, Lower), component(record))]
pub struct Conversation {
    /// The messages, including those of the developer.
    pub messages: Vec<Message>,
    /// The tools sent with every request. Default: none.
    #[serde(default)]
    pub tools: Vec<ToolSpec>,
    /// The latest usage that the provider reported.
    pub usage: Option<Usage>,
}

/// The parts of a context window.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(not(feature = "exhaustive"), non_exhaustive)]
#[cfg_attr(feature = "component", derive(ComponentType, Lift, Lower), component(enum))]
#[repr(u8)]
pub enum Bucket {
    /// Messages of the developer.
    #[cfg_attr(feature = "component", component(name = "system"))]
    System,
    /// Definitions of tools.
    #[cfg_attr(feature = "component", component(name = "tools"))]
    Tools,
    /// Messages of user and model, and tool calls.
    #[cfg_attr(feature = "component", component(name = "history"))]
    History,
    /// Tool results.
    #[cfg_attr(feature = "component", component(name = "tool-outputs"))]
    ToolOutputs,
    /// Reserved for the model's answer.
    #[cfg_attr(feature = "component", component(name = "working"))]
    Working,
}

impl Bucket {
    /// All cases, in the order of the contract.
    pub const ALL: [Bucket; 5] =
        [Bucket::System, Bucket::Tools, Bucket::History, Bucket::ToolOutputs, Bucket::Working];

    /// Returns the name of the case, as JSON has it.
    pub const fn name(self) -> &'static str {
        match self {
            Bucket::System => "system",
            Bucket::Tools => "tools",
            Bucket::History => "history",
            Bucket::ToolOutputs => "tool_outputs",
            Bucket::Working => "working",
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

/// The tokens of a conversation, by bucket.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(not(feature = "exhaustive"), non_exhaustive)]
#[cfg_attr(feature = "component", derive(ComponentType, Lift, Lower), component(record))]
pub struct Account {
    /// The system prompt.
    pub system: u64,
    /// The definitions of tools.
    pub tools: u64,
    /// Messages of user and model, and tool calls.
    pub history: u64,
    /// Tool results.
    #[cfg_attr(feature = "component", component(name = "tool-outputs"))]
    pub tool_outputs: u64,
    /// The sum of the above.
    pub total: u64,
    /// The index of the first message that is not the developer's. A cache breakpoint belongs
    /// before it.
    #[cfg_attr(feature = "component", component(name = "cache-breakpoint"))]
    pub cache_breakpoint: u32,
}

/// A range of message indexes, `end` excluded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(not(feature = "exhaustive"), non_exhaustive)]
#[cfg_attr(feature = "component", derive(ComponentType, Lift, Lower), component(record))]
pub struct Span {
    /// The index of the first message.
    pub start: u32,
    /// The index after the last message.
    pub end: u32,
}

/// A message with a single text. Messages that a plan inserts have the role `user`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(not(feature = "exhaustive"), non_exhaustive)]
#[cfg_attr(feature = "component", derive(ComponentType, Lift, Lower), component(record))]
pub struct TextMessage {
    /// The sender.
    pub role: Role,
    /// The text.
    pub text: String,
}

/// A piece of the new history.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "component", derive(ComponentType, Lift, Lower), component(variant))]
pub enum Entry {
    /// Messages to keep.
    #[cfg_attr(feature = "component", component(name = "keep"))]
    Keep(Span),
    /// A new message.
    #[cfg_attr(feature = "component", component(name = "insert"))]
    Insert(TextMessage),
}

/// A part whose text changes: a tool result; a call, whose arguments change; a text of the user; or
/// a medium, which becomes a text. If a result has the same text as before, only its artifact is
/// new.
#[derive(Clone, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(not(feature = "exhaustive"), non_exhaustive)]
#[cfg_attr(feature = "component", derive(ComponentType, Lift, Lower), component(record))]
pub struct Replacement {
    /// The index of the message.
    pub message: u32,
    /// The index of the part in the message.
    pub part: u32,
    /// The new text; for a call, the new arguments as JSON text.
    pub text: String,
    /// The artifact that has the previous content.
    pub artifact: String,
}

/// The position of a part.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(not(feature = "exhaustive"), non_exhaustive)]
#[cfg_attr(feature = "component", derive(ComponentType, Lift, Lower), component(record))]
pub struct PartPlace {
    /// The index of the message.
    pub message: u32,
    /// The index of the part in the message.
    pub part: u32,
}

/// How a part of the conversation was removed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(not(feature = "exhaustive"), non_exhaustive)]
#[cfg_attr(feature = "component", derive(ComponentType, Lift, Lower), component(enum))]
#[repr(u8)]
pub enum Removal {
    /// A placeholder replaced the text of a tool result (with its summary, if `manage-task.pairs`
    /// has one), large texts in the arguments of a call, the middle of a text of the user, or a
    /// medium; or a reference to an earlier result replaced one that repeats it.
    #[cfg_attr(feature = "component", component(name = "trimmed"))]
    Trimmed,
    /// Messages were removed.
    #[cfg_attr(feature = "component", component(name = "evicted"))]
    Evicted,
    /// A summary replaced messages.
    #[cfg_attr(feature = "component", component(name = "summarized"))]
    Summarized,
    /// The definition of a tool was removed.
    #[cfg_attr(feature = "component", component(name = "pruned"))]
    Pruned,
    /// The thinking of a message was removed. It is not stored.
    #[cfg_attr(feature = "component", component(name = "cleared"))]
    Cleared,
}

impl Removal {
    /// All cases, in the order of the contract.
    pub const ALL: [Removal; 5] =
        [Removal::Trimmed, Removal::Evicted, Removal::Summarized, Removal::Pruned, Removal::Cleared];

    /// Returns the name of the case, as JSON has it.
    pub const fn name(self) -> &'static str {
        match self {
            Removal::Trimmed => "trimmed",
            Removal::Evicted => "evicted",
            Removal::Summarized => "summarized",
            Removal::Pruned => "pruned",
            Removal::Cleared => "cleared",
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

/// A part that a plan removes from the conversation, and the artifact that has it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(not(feature = "exhaustive"), non_exhaustive)]
#[cfg_attr(feature = "component", derive(ComponentType, Lift, Lower), component(record))]
pub struct Receipt {
    /// How the part was removed.
    pub removal: Removal,
    /// The messages concerned; an empty range for a definition.
    pub messages: Span,
    /// The tool whose result, arguments or definition were removed; none for a medium or a text.
    pub tool: Option<String>,
    /// Tokens of the part before.
    #[cfg_attr(feature = "component", component(name = "tokens-before"))]
    pub tokens_before: u64,
    /// Tokens of the part after, including its replacement.
    #[cfg_attr(feature = "component", component(name = "tokens-after"))]
    pub tokens_after: u64,
    /// The artifact that has the removed content.
    pub artifact: Option<String>,
}

/// The cause of an alarm.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(not(feature = "exhaustive"), non_exhaustive)]
#[cfg_attr(feature = "component", derive(ComponentType, Lift, Lower), component(enum))]
#[repr(u8)]
pub enum AlarmKind {
    /// The conversation uses part of the headroom.
    #[cfg_attr(feature = "component", component(name = "headroom"))]
    Headroom,
    /// A bucket exceeds its cap, and no permitted step can shrink it.
    #[cfg_attr(feature = "component", component(name = "over-cap"))]
    OverCap,
    /// The store did not accept content that was to be removed, so the content stays.
    #[cfg_attr(feature = "component", component(name = "not-stored"))]
    NotStored,
    /// The tools or the system prompt differ from those of the last plan.
    #[cfg_attr(feature = "component", component(name = "prefix-changed"))]
    PrefixChanged,
    /// The reported usage contradicts the messages and was ignored.
    #[cfg_attr(feature = "component", component(name = "usage-ignored"))]
    UsageIgnored,
    /// The host's tokenizer failed, so token counts are estimates.
    #[cfg_attr(feature = "component", component(name = "tokens-estimated"))]
    TokensEstimated,
    /// A summary was unusable; the plan has none.
    #[cfg_attr(feature = "component", component(name = "no-summary"))]
    NoSummary,
    /// A setting is valid but unusual, such as buckets that add up to more than 90 % of the window,
    /// or a window above the provider's limit.
    #[cfg_attr(feature = "component", component(name = "setting"))]
    Setting,
    /// The provider refused a request for a reason that a plan does not remove.
    #[cfg_attr(feature = "component", component(name = "refused"))]
    Refused,
    /// The provider refused the conversation as too large, and it still does not fit although
    /// everything that is permitted was removed.
    #[cfg_attr(feature = "component", component(name = "cannot-fit"))]
    CannotFit,
    /// An image has a longer side than the provider accepts. It was replaced, even if it is new, or
    /// it stays because it is pinned or could not be stored.
    #[cfg_attr(feature = "component", component(name = "image-too-wide"))]
    ImageTooWide,
}

impl AlarmKind {
    /// All cases, in the order of the contract.
    pub const ALL: [AlarmKind; 11] = [
        AlarmKind::Headroom,
        AlarmKind::OverCap,
        AlarmKind::NotStored,
        AlarmKind::PrefixChanged,
        AlarmKind::UsageIgnored,
        AlarmKind::TokensEstimated,
        AlarmKind::NoSummary,
        AlarmKind::Setting,
        AlarmKind::Refused,
        AlarmKind::CannotFit,
        AlarmKind::ImageTooWide,
    ];

    /// Returns the name of the case, as JSON has it.
    pub const fn name(self) -> &'static str {
        match self {
            AlarmKind::Headroom => "headroom",
            AlarmKind::OverCap => "over_cap",
            AlarmKind::NotStored => "not_stored",
            AlarmKind::PrefixChanged => "prefix_changed",
            AlarmKind::UsageIgnored => "usage_ignored",
            AlarmKind::TokensEstimated => "tokens_estimated",
            AlarmKind::NoSummary => "no_summary",
            AlarmKind::Setting => "setting",
            AlarmKind::Refused => "refused",
            AlarmKind::CannotFit => "cannot_fit",
            AlarmKind::ImageTooWide => "image_too_wide",
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

/// A warning about a plan.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(not(feature = "exhaustive"), non_exhaustive)]
#[cfg_attr(feature = "component", derive(ComponentType, Lift, Lower), component(record))]
pub struct Alarm {
    /// The cause.
    pub kind: AlarmKind,
    /// The bucket concerned, if any.
    pub bucket: Option<Bucket>,
    /// One or two sentences for people, at most 1 KiB.
    pub message: String,
}

/// The answer to a request for the summary of a call and its result.
#[derive(Clone, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "component", derive(ComponentType, Lift, Lower), component(record))]
pub struct PairSummary {
    /// The call and its result: `summary-request.pair`.
    pub pair: u64,
    /// The text of the answer.
    pub text: String,
}

/// The state that a caller keeps between plans.
#[derive(Clone, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[cfg_attr(feature = "component", derive(ComponentType, Lift, Lower), component(record))]
pub struct PlanState {
    /// A fingerprint of the tools and the system prompt; none at first.
    pub prefix: Option<String>,
    /// Consecutive compactions that did not make the conversation smaller. Default: 0.
    pub failures: u32,
    /// The calls and results whose summaries were requested, as `summary-request.pair`, as long as
    /// they are in the conversation. Default: none.
    pub requested: Vec<u64>,
}

/// The changes to make to a conversation.
#[derive(Clone, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(not(feature = "exhaustive"), non_exhaustive)]
#[cfg_attr(feature = "component", derive(ComponentType, Lift, Lower), component(record))]
pub struct Plan {
    /// Whether the plan changes nothing.
    #[cfg_attr(feature = "component", component(name = "is-empty"))]
    pub is_empty: bool,
    /// The new history, in order. `replacements` apply to the kept messages.
    pub history: Vec<Entry>,
    /// The parts whose text changes, in order; only in kept messages.
    pub replacements: Vec<Replacement>,
    /// The names of the tools whose definitions are removed.
    #[cfg_attr(feature = "component", component(name = "removed-tools"))]
    pub removed_tools: Vec<String>,
    /// The account of the conversation before the plan.
    pub before: Account,
    /// The account of the conversation after the plan.
    pub after: Account,
    /// The usage for the new history, so that the next plan counts from the same figures.
    pub usage: Option<Usage>,
    /// The removed parts, and the artifacts that have them.
    pub receipts: Vec<Receipt>,
    /// Warnings for the caller.
    pub alarms: Vec<Alarm>,
    /// The state to pass to the next plan.
    #[serde(default)]
    pub state: PlanState,
    /// The thinking that is removed, in order; only in kept messages, each of which keeps another
    /// part. The indexes are those before the plan.
    #[cfg_attr(feature = "component", component(name = "removed-parts"))]
    pub removed_parts: Vec<PartPlace>,
}

/// A request to the model that writes summaries. It offers no tools, and neither the request nor
/// its answer becomes part of the history.
#[derive(Clone, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(not(feature = "exhaustive"), non_exhaustive)]
#[cfg_attr(feature = "component", derive(ComponentType, Lift, Lower), component(record))]
pub struct SummaryRequest {
    /// The model to ask; none means the agent's model.
    pub model: Option<String>,
    /// The messages to summarize as texts that every provider accepts, including calls and results.
    /// The first is the user's, and roles alternate.
    pub messages: Vec<TextMessage>,
    /// The last message, with the role `user`: the instructions for the summary.
    pub prompt: String,
    /// The number of history messages that this request covers.
    pub through: u32,
    /// Whether this request covers everything to be summarized. If so, a host that wants to use its
    /// prompt cache may send the history's messages up to `through` unchanged, followed by
    /// `prompt`.
    #[cfg_attr(feature = "component", component(name = "is-whole"))]
    pub is_whole: bool,
    /// The number of requests expected to follow.
    pub remaining: u32,
    /// Maximum tokens of the answer.
    #[cfg_attr(feature = "component", component(name = "max-output-tokens"))]
    pub max_output_tokens: u64,
    /// For a request of `step.background`, a fingerprint of its call and result, below 2^53;
    /// `through` is 0.
    pub pair: Option<u64>,
}

/// The host's next step: it applies the plan and then, if there is a request, asks the model and
/// calls again with the new history and one more answer.
#[derive(Clone, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(not(feature = "exhaustive"), non_exhaustive)]
#[cfg_attr(feature = "component", derive(ComponentType, Lift, Lower), component(record))]
pub struct Step {
    /// The changes that need no model.
    pub plan: Plan,
    /// The request for the changes that need a model.
    pub request: Option<SummaryRequest>,
    /// Why a summary was refused, if the plan proceeds without one. It then stores and removes the
    /// messages that should have been summarized.
    pub refusal: Option<String>,
    /// With `manage-task.pairs`, the requests for summaries of calls and their results that the
    /// next trim will remove, each made once. The host need not wait for the answers: it passes
    /// them to later plans. Empty if there is a `request`.
    pub background: Vec<SummaryRequest>,
}
