// Written by `cargo xtask contract` from wit/; do not edit.

//! The records of the interface `budget`.

use serde::{Deserialize, Serialize};
#[cfg(feature = "component")]
use wasmtime::component::{ComponentType, Lift, Lower};

use super::Bucket;

/// The action taken when a bucket exceeds its cap.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(not(feature = "exhaustive"), non_exhaustive)]
#[cfg_attr(feature = "component", derive(ComponentType, Lift, Lower), component(enum))]
#[repr(u8)]
pub enum Overflow {
    /// An alarm reports it; the agent has to shrink the bucket.
    #[cfg_attr(feature = "component", component(name = "reject"))]
    Reject,
    /// A model summarizes the bucket.
    #[cfg_attr(feature = "component", component(name = "summarize"))]
    Summarize,
    /// The oldest entries are removed.
    #[cfg_attr(feature = "component", component(name = "truncate"))]
    Truncate,
    /// Definitions of tools that were not called recently are removed.
    #[cfg_attr(feature = "component", component(name = "prune-unused"))]
    PruneUnused,
}

impl Overflow {
    /// All cases, in the order of the contract.
    pub const ALL: [Overflow; 4] =
        [Overflow::Reject, Overflow::Summarize, Overflow::Truncate, Overflow::PruneUnused];

    /// Returns the name of the case, as JSON has it.
    pub const fn name(self) -> &'static str {
        match self {
            Overflow::Reject => "reject",
            Overflow::Summarize => "summarize",
            Overflow::Truncate => "truncate",
            Overflow::PruneUnused => "prune_unused",
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

/// The cap of a bucket.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "component", derive(ComponentType, Lift, Lower), component(record))]
pub struct BucketCap {
    /// Maximum tokens.
    #[cfg_attr(feature = "component", component(name = "max-tokens"))]
    pub max_tokens: u64,
    /// The action taken when the bucket exceeds them.
    #[cfg_attr(feature = "component", component(name = "on-overflow"))]
    pub on_overflow: Overflow,
}

/// How a layer of the eviction cascade frees tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(not(feature = "exhaustive"), non_exhaustive)]
#[cfg_attr(feature = "component", derive(ComponentType, Lift, Lower), component(enum))]
#[repr(u8)]
pub enum Strategy {
    /// Replaces tool results with placeholders, largest first.
    #[cfg_attr(feature = "component", component(name = "truncate-largest"))]
    TruncateLargest,
    /// Removes the oldest turns.
    #[cfg_attr(feature = "component", component(name = "sliding-window"))]
    SlidingWindow,
    /// Has a model summarize the oldest part, including earlier summaries.
    #[cfg_attr(feature = "component", component(name = "recursive-summarize"))]
    RecursiveSummarize,
}

impl Strategy {
    /// All cases, in the order of the contract.
    pub const ALL: [Strategy; 3] =
        [Strategy::TruncateLargest, Strategy::SlidingWindow, Strategy::RecursiveSummarize];

    /// Returns the name of the case, as JSON has it.
    pub const fn name(self) -> &'static str {
        match self {
            Strategy::TruncateLargest => "truncate_largest",
            Strategy::SlidingWindow => "sliding_window",
            Strategy::RecursiveSummarize => "recursive_summarize",
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

/// A layer of the cascade. It acts only if the earlier layers did not suffice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "component", derive(ComponentType, Lift, Lower), component(record))]
pub struct Layer {
    /// The bucket to shrink: `tool_outputs` or `history`.
    pub target: Bucket,
    /// How to shrink it.
    pub strategy: Strategy,
    /// The fill level, in percent, at which the layer acts: 1 to 100. It compares the fill level of
    /// the bucket, or of the window without headroom and working, whichever is higher.
    #[cfg_attr(feature = "component", component(name = "at-pct"))]
    pub at_pct: u32,
    /// The fill level, in percent, at which the layer stops: below `at_pct`.
    #[cfg_attr(feature = "component", component(name = "to-pct"))]
    pub to_pct: u32,
    /// The number of newest turns that a sliding window keeps.
    #[cfg_attr(feature = "component", component(name = "keep-recent-turns"))]
    pub keep_recent_turns: u32,
    /// The share of the history that a summary replaces, in percent: 1 to 100.
    #[cfg_attr(feature = "component", component(name = "evict-pct"))]
    pub evict_pct: u32,
}

/// The token budget of a context window.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "component", derive(ComponentType, Lift, Lower), component(record))]
pub struct BudgetConfig {
    /// The context window in tokens, at least 1.
    #[cfg_attr(feature = "component", component(name = "total-window"))]
    pub total_window: u64,
    /// The system prompt.
    pub system: BucketCap,
    /// The definitions of tools.
    pub tools: BucketCap,
    /// Messages of user and model, and tool calls.
    pub history: BucketCap,
    /// Tool results.
    #[cfg_attr(feature = "component", component(name = "tool-outputs"))]
    pub tool_outputs: BucketCap,
    /// Reserved for the model's answer.
    pub working: BucketCap,
    /// Reserved; plans never use these tokens.
    #[cfg_attr(feature = "component", component(name = "headroom-tokens"))]
    pub headroom_tokens: u64,
    /// The layers of the cascade, in order: at most 1,000.
    pub layers: Vec<Layer>,
    /// A tool that was not called in this many turns counts as unused.
    #[cfg_attr(feature = "component", component(name = "unused-turns"))]
    pub unused_turns: u32,
}

/// Budgets for common kinds of agents.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "component", derive(ComponentType, Lift, Lower), component(enum))]
#[repr(u8)]
pub enum Preset {
    /// General use: a window of 128,000 tokens, with 8,000 of headroom.
    #[cfg_attr(feature = "component", component(name = "general"))]
    General,
    /// Customer support: 128,000.
    #[cfg_attr(feature = "component", component(name = "customer-support"))]
    CustomerSupport,
    /// Code editing: 200,000.
    #[cfg_attr(feature = "component", component(name = "code-editing"))]
    CodeEditing,
    /// Research with web search: 256,000.
    #[cfg_attr(feature = "component", component(name = "research"))]
    Research,
    /// Voice agents: 32,000.
    #[cfg_attr(feature = "component", component(name = "voice"))]
    Voice,
    /// Long-running automation: 128,000.
    #[cfg_attr(feature = "component", component(name = "automation"))]
    Automation,
}

impl Preset {
    /// All cases, in the order of the contract.
    pub const ALL: [Preset; 6] = [
        Preset::General,
        Preset::CustomerSupport,
        Preset::CodeEditing,
        Preset::Research,
        Preset::Voice,
        Preset::Automation,
    ];

    /// Returns the name of the case, as JSON has it.
    pub const fn name(self) -> &'static str {
        match self {
            Preset::General => "general",
            Preset::CustomerSupport => "customer_support",
            Preset::CodeEditing => "code_editing",
            Preset::Research => "research",
            Preset::Voice => "voice",
            Preset::Automation => "automation",
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
