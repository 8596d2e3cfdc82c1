// Written by `cargo xtask contract` from wit/; do not edit.

//! The records of the interface `histories`.

use serde::{Deserialize, Serialize};
#[cfg(feature = "component")]
use wasmtime::component::{ComponentType, Lift, Lower};

use super::{Account, Alarm, Receipt, Span, SummaryRequest};

/// The format of a history.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(not(feature = "exhaustive"), non_exhaustive)]
#[cfg_attr(feature = "component", derive(ComponentType, Lift, Lower), component(enum))]
#[repr(u8)]
pub enum HistoryFormat {
    /// Messages of OpenAI's Chat Completions and of compatible servers.
    #[cfg_attr(feature = "component", component(name = "openai-chat"))]
    OpenaiChat,
    /// Input items of OpenAI's Responses.
    #[cfg_attr(feature = "component", component(name = "openai-responses"))]
    OpenaiResponses,
    /// Messages of Anthropic.
    #[cfg_attr(feature = "component", component(name = "anthropic"))]
    Anthropic,
    /// Model messages of the AI SDK.
    #[cfg_attr(feature = "component", component(name = "ai-sdk"))]
    AiSdk,
    /// UI messages of the AI SDK.
    #[cfg_attr(feature = "component", component(name = "ai-sdk-ui"))]
    AiSdkUi,
    /// Contents of Gemini.
    #[cfg_attr(feature = "component", component(name = "gemini"))]
    Gemini,
    /// Messages of Amazon Bedrock's Converse.
    #[cfg_attr(feature = "component", component(name = "bedrock"))]
    Bedrock,
    /// LangChain's messages, as `messages_to_dict` writes them.
    #[cfg_attr(feature = "component", component(name = "langchain"))]
    Langchain,
    /// A conversation of this contract, with names in snake case.
    #[cfg_attr(feature = "component", component(name = "neutral"))]
    Neutral,
}

impl HistoryFormat {
    /// All cases, in the order of the contract.
    pub const ALL: [HistoryFormat; 9] = [
        HistoryFormat::OpenaiChat,
        HistoryFormat::OpenaiResponses,
        HistoryFormat::Anthropic,
        HistoryFormat::AiSdk,
        HistoryFormat::AiSdkUi,
        HistoryFormat::Gemini,
        HistoryFormat::Bedrock,
        HistoryFormat::Langchain,
        HistoryFormat::Neutral,
    ];

    /// Returns the name of the case, as JSON has it.
    pub const fn name(self) -> &'static str {
        match self {
            HistoryFormat::OpenaiChat => "openai-chat",
            HistoryFormat::OpenaiResponses => "openai-responses",
            HistoryFormat::Anthropic => "anthropic",
            HistoryFormat::AiSdk => "ai-sdk",
            HistoryFormat::AiSdkUi => "ai-sdk-ui",
            HistoryFormat::Gemini => "gemini",
            HistoryFormat::Bedrock => "bedrock",
            HistoryFormat::Langchain => "langchain",
            HistoryFormat::Neutral => "neutral",
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

/// An artifact that has the result of a call.
#[derive(Clone, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "component", derive(ComponentType, Lift, Lower), component(record))]
pub struct KnownArtifact {
    /// The id of the call.
    #[cfg_attr(feature = "component", component(name = "call-id"))]
    pub call_id: String,
    /// The text of the result in the history. With a text, the artifact belongs only to a result
    /// with this text; without one, only to a result whose call id no other result has.
    pub text: Option<String>,
    /// The artifact.
    pub artifact: String,
}

/// A history, and the facts known about it.
#[derive(Clone, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "component", derive(ComponentType, Lift, Lower), component(record))]
pub struct HistoryInput {
    /// The history as JSON: the list of items, or an object with the items as `items` or under the
    /// provider's name (`messages`, `input`, `contents`), and optionally with the system prompt
    /// (`system` or the provider's name) and `tools`.
    pub json: String,
    /// The format; detected if omitted.
    pub format: Option<HistoryFormat>,
    /// The usage of the last answer, as the provider reported it, as JSON. If omitted, the member
    /// `usage` of the object counts.
    pub usage: Option<String>,
    /// Artifacts that have results. Default: none.
    #[serde(default)]
    pub artifacts: Vec<KnownArtifact>,
    /// The indexes of items that must stay unchanged. Default: none.
    #[serde(default)]
    pub pinned: Vec<u32>,
    /// If true, a call without a result before the next message, and a result without a call, are
    /// `invalid_input`. If false, they are repaired: the call gets a result that says that it was
    /// interrupted, and the result becomes a text. Default: false.
    #[serde(default)]
    #[cfg_attr(feature = "component", component(name = "is-strict"))]
    pub is_strict: bool,
    /// Whether the new history is also returned as JSON. Default: false.
    #[serde(default)]
    #[cfg_attr(feature = "component", component(name = "with-json"))]
    pub with_json: bool,
}

/// A piece of the new history.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "component", derive(ComponentType, Lift, Lower), component(variant))]
pub enum HistoryItem {
    /// Items of the given history that stay unchanged.
    #[cfg_attr(feature = "component", component(name = "keep"))]
    Keep(Span),
    /// A new or changed item, as JSON.
    #[cfg_attr(feature = "component", component(name = "insert"))]
    Insert(String),
}

/// The changes to a history, and their figures.
#[derive(Clone, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(not(feature = "exhaustive"), non_exhaustive)]
#[cfg_attr(feature = "component", derive(ComponentType, Lift, Lower), component(record))]
pub struct HistoryReport {
    /// Whether the history or its tools changed.
    #[cfg_attr(feature = "component", component(name = "is-changed"))]
    pub is_changed: bool,
    /// The number of items of the given history.
    #[cfg_attr(feature = "component", component(name = "item-count"))]
    pub item_count: u32,
    /// The account of the given history.
    pub before: Account,
    /// The account of the new history.
    pub after: Account,
    /// The removed parts, and the artifacts that have them. Messages are items of the given
    /// history.
    pub receipts: Vec<Receipt>,
    /// Warnings for the caller.
    pub alarms: Vec<Alarm>,
    /// The number of answered requests for summaries.
    pub requests: u32,
    /// Why summaries could not be obtained.
    #[cfg_attr(feature = "component", component(name = "summary-errors"))]
    pub summary_errors: Vec<String>,
    /// Why a summary was refused; none if it was not refused or not needed.
    pub refusal: Option<String>,
    /// Artifacts with the removed items that had images or files, as NDJSON. Their texts are in the
    /// artifacts of `receipts`.
    pub originals: Vec<String>,
    /// Repairs, one sentence each.
    pub repairs: Vec<String>,
}

/// A history after the steps so far.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(not(feature = "exhaustive"), non_exhaustive)]
#[cfg_attr(feature = "component", derive(ComponentType, Lift, Lower), component(record))]
pub struct ManagedHistory {
    /// The format that was read.
    pub format: HistoryFormat,
    /// The new history, in order.
    pub items: Vec<HistoryItem>,
    /// The indexes of the tools that stay: elements of the list, or members of the object. None if
    /// all stay.
    #[cfg_attr(feature = "component", component(name = "kept-tools"))]
    pub kept_tools: Option<Vec<u32>>,
    /// The new history as JSON, in the form of the given one, if it was asked for. Everything that
    /// stays is preserved byte for byte.
    pub json: Option<String>,
    /// The memory for the next call, as JSON: small, without texts, and the same in every home.
    pub memory: String,
    /// The changes and their figures.
    pub report: HistoryReport,
    /// The requests of `step.background`.
    pub background: Vec<SummaryRequest>,
}

/// A step of managing a history.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(not(feature = "exhaustive"), non_exhaustive)]
#[cfg_attr(feature = "component", derive(ComponentType, Lift, Lower), component(record))]
pub struct HistoryStep {
    /// The state for the next step; empty if this is the last one.
    pub state: String,
    /// The request to send to the model; none if this is the last step.
    pub request: Option<SummaryRequest>,
    /// The items that the provider's own compaction may replace instead: those that the request
    /// covers, without messages of the developer. Empty if the format's provider has none, if the
    /// summary needs several requests, or if the run has already answered one.
    pub compactable: Vec<HistoryItem>,
    /// The history after the steps so far. The host may end with it at any time.
    pub history: ManagedHistory,
}

/// The model's answer to a request for a summary.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "component", derive(ComponentType, Lift, Lower), component(variant))]
pub enum SummaryAnswer {
    /// The text of the answer.
    #[cfg_attr(feature = "component", component(name = "text"))]
    Text(String),
    /// Why the model could not be asked. The history is then planned without a summary.
    #[cfg_attr(feature = "component", component(name = "failed"))]
    Failed(String),
    /// The items that the provider's own compaction returned for `compactable`, as a JSON list; one
    /// of them is the compaction. They replace the items that the request covers, followed by
    /// pinned items and a message with the artifacts that can still be read. If they are malformed,
    /// or the history would not become smaller, `summary_errors` says so, and the next step repeats
    /// the request with `compactable` empty.
    #[cfg_attr(feature = "component", component(name = "compacted"))]
    Compacted(String),
}
