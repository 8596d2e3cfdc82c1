// Written by `cargo xtask contract` from wit/; do not edit.

//! The records of the interface `planning`.

use serde::{Deserialize, Serialize};
#[cfg(feature = "component")]
use wasmtime::component::{ComponentType, Lift, Lower};

use super::{BudgetConfig, CacheConfig, CompactionConfig};

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
    /// What is evicted; nothing if omitted.
    pub budget: Option<BudgetConfig>,
    /// When the history is summarized. Its context limit defaults to the window.
    #[serde(default)]
    pub compaction: CompactionConfig,
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
    /// same arguments superseded, then the oldest. What has no artifact is stored first.
    #[cfg_attr(feature = "component", component(name = "trim"))]
    Trim(TrimTask),
    /// Replaces messages older than the newest turns with retained content and a summary, whether
    /// or not that is due. Pinned messages stay. A history that does not fit the model's window is
    /// summarized in steps, each continuing the previous summary. A summary is refused if an answer
    /// has nothing usable, which ends the requests; if the history would not become smaller; and
    /// after three consecutive compactions without progress.
    #[cfg_attr(feature = "component", component(name = "compact"))]
    Compact(CompactionConfig),
    /// Evicts the part of the conversation that exceeds the budget. Removed messages are stored
    /// first, as an artifact of the tool `conversation`: NDJSON, one message with its index per
    /// line.
    #[cfg_attr(feature = "component", component(name = "budget"))]
    Budget(BudgetTask),
    /// Trims, evicts and summarizes, in this order, each only if due. If the conversation is at the
    /// threshold nevertheless, views replace the largest results that the model has not read yet.
    #[cfg_attr(feature = "component", component(name = "manage"))]
    Manage(ManageTask),
}
