// Written by `cargo xtask contract` from wit/; do not edit.

//! The records of the interface `planning`.

use serde::{Deserialize, Serialize};
#[cfg(feature = "component")]
use wasmtime::component::{ComponentType, Lift, Lower};

use super::{BudgetConfig, CacheConfig, CompactionConfig, PairSummary};

/// The settings of a trim.
#[derive(Clone, Debug, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "component", derive(ComponentType, Lift, Lower), component(record))]
pub struct TrimTask {
    /// The context window in tokens, at least 1.
    #[cfg_attr(feature = "component", component(name = "context-window"))]
    pub context_window: u64,
    /// Limits for tool results.
    #[serde(default)]
    pub config: CacheConfig,
}

/// The settings of a budget.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "component", derive(ComponentType, Lift, Lower), component(record))]
pub struct BudgetTask {
    /// The buckets and the cascade.
    pub config: BudgetConfig,
    /// How the history is summarized, if the cascade gets that far. Its context limit defaults to
    /// the window.
    #[serde(default)]
    pub compaction: CompactionConfig,
}

/// Summaries of single calls and their results, which a model writes in the background before these
/// have to leave. When a trim would replace the result, the summary takes its place, and names the
/// artifact that has it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[cfg_attr(feature = "component", derive(ComponentType, Lift, Lower), component(record))]
pub struct PairConfig {
    /// Minimum tokens of a result whose summary is requested. Default: 500.
    #[cfg_attr(feature = "component", component(name = "min-tokens"))]
    pub min_tokens: u64,
    /// The answers so far to the requests in `step.background`: the state does not have them. An
    /// answer is ignored if its call or result has changed or gone, if it has nothing usable, or if
    /// it would not make the result smaller. Default: none.
    pub answers: Vec<PairSummary>,
}

impl Default for PairConfig {
    fn default() -> Self {
        PairConfig { min_tokens: 500, answers: Vec::new() }
    }
}

/// The settings for managing a conversation in an agent loop.
#[derive(Clone, Debug, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "component", derive(ComponentType, Lift, Lower), component(record))]
pub struct ManageTask {
    /// The context window in tokens, at least 1.
    #[cfg_attr(feature = "component", component(name = "context-window"))]
    pub context_window: u64,
    /// When tool results are trimmed.
    #[serde(default)]
    pub cache: CacheConfig,
    /// The budget by which messages are evicted; nothing is evicted if omitted.
    pub budget: Option<BudgetConfig>,
    /// When the history is summarized. Its context limit defaults to the window.
    #[serde(default)]
    pub compaction: CompactionConfig,
    /// The provider's error for the last request, as text or as JSON, if the provider refused this
    /// conversation. If it has too many tokens, everything that is permitted is done at once: the
    /// provider's limit lowers the window, its count replaces a lower one, and results are trimmed
    /// and messages summarized until the conversation has at most 60 % of the limit, whether or not
    /// that is due and `auto` is set. Default: none.
    pub refusal: Option<String>,
    /// How single calls and their results are summarized. Default: they are not.
    pub pairs: Option<PairConfig>,
}

/// Why a provider refused a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(not(feature = "exhaustive"), non_exhaustive)]
#[cfg_attr(feature = "component", derive(ComponentType, Lift, Lower), component(enum))]
#[repr(u8)]
pub enum RefusalKind {
    /// The text names no known reason. Nothing is planned because of it.
    #[cfg_attr(feature = "component", component(name = "unknown"))]
    Unknown,
    /// The caller sent too much in a short time. A later request may succeed; nothing is planned
    /// because of it.
    #[cfg_attr(feature = "component", component(name = "rate-limit"))]
    RateLimit,
    /// The conversation and the requested answer exceed the context window, or a single request
    /// exceeds the tokens allowed in a minute. Figures are tokens.
    #[cfg_attr(feature = "component", component(name = "too-many-tokens"))]
    TooManyTokens,
    /// The request is too large. Figures are bytes.
    #[cfg_attr(feature = "component", component(name = "request-too-large"))]
    RequestTooLarge,
    /// The request has too many images or files. Figures are their number.
    #[cfg_attr(feature = "component", component(name = "too-many-images"))]
    TooManyImages,
    /// An image is too large. Figures are bytes.
    #[cfg_attr(feature = "component", component(name = "image-too-large"))]
    ImageTooLarge,
    /// A side of an image is too long. Figures are pixels.
    #[cfg_attr(feature = "component", component(name = "image-too-wide"))]
    ImageTooWide,
}

impl RefusalKind {
    /// All cases, in the order of the contract.
    pub const ALL: [RefusalKind; 7] = [
        RefusalKind::Unknown,
        RefusalKind::RateLimit,
        RefusalKind::TooManyTokens,
        RefusalKind::RequestTooLarge,
        RefusalKind::TooManyImages,
        RefusalKind::ImageTooLarge,
        RefusalKind::ImageTooWide,
    ];

    /// Returns the name of the case, as JSON has it.
    pub const fn name(self) -> &'static str {
        match self {
            RefusalKind::Unknown => "unknown",
            RefusalKind::RateLimit => "rate_limit",
            RefusalKind::TooManyTokens => "too_many_tokens",
            RefusalKind::RequestTooLarge => "request_too_large",
            RefusalKind::TooManyImages => "too_many_images",
            RefusalKind::ImageTooLarge => "image_too_large",
            RefusalKind::ImageTooWide => "image_too_wide",
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

/// The figures in the error with which a provider refused a request. A figure that the error lacks
/// is none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(not(feature = "exhaustive"), non_exhaustive)]
#[cfg_attr(feature = "component", derive(ComponentType, Lift, Lower), component(record))]
pub struct ProviderRefusal {
    /// Why the request was refused.
    pub kind: RefusalKind,
    /// The limit of the provider, including the answer.
    pub limit: Option<u64>,
    /// The figure of the request, without the answer. If the error names only the sum of both, it
    /// is the sum.
    pub actual: Option<u64>,
    /// The tokens that the request asks for as its answer.
    pub answer: Option<u64>,
    /// The excess over the limit, if the error names only that.
    pub excess: Option<u64>,
}

/// A task to plan.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "component", derive(ComponentType, Lift, Lower), component(variant))]
pub enum Task {
    /// Measures only: the plan is empty and has the account of the conversation.
    #[cfg_attr(feature = "component", component(name = "account"))]
    Account,
    /// If results, large arguments and media together exceed their token budget, or media a limit
    /// of the provider, replaces them with placeholders: first results that a later call with the
    /// same arguments superseded, then the oldest. Content without an artifact is stored first.
    /// Then replaces new results that repeat earlier ones.
    #[cfg_attr(feature = "component", component(name = "trim"))]
    Trim(TrimTask),
    /// Replaces messages older than the newest turns with retained content and a summary, whether
    /// or not that is due. Pinned messages stay. A history that does not fit the model's window is
    /// summarized in steps, each continuing the previous summary. A summary is refused if an answer
    /// has nothing usable, which ends the requests; if the history would not become smaller, and
    /// then the messages stay; and after three consecutive compactions without progress. Messages
    /// that earlier plans inserted are summarized again only with others.
    #[cfg_attr(feature = "component", component(name = "compact"))]
    Compact(CompactionConfig),
    /// Evicts the part of the conversation that exceeds the budget. Removed messages are stored
    /// first, as an artifact of the tool `conversation`: NDJSON, one message with its index per
    /// line.
    #[cfg_attr(feature = "component", component(name = "budget"))]
    Budget(BudgetTask),
    /// Trims, evicts and summarizes, in this order, each only if due. Then replaces new results
    /// that repeat earlier ones. If the conversation is at the threshold nevertheless, views
    /// replace the largest results that the model has not read yet.
    #[cfg_attr(feature = "component", component(name = "manage"))]
    Manage(ManageTask),
}
