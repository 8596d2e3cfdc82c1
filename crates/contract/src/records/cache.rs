// Written by `cargo xtask contract` from wit/; do not edit.

//! The records of the interface `cache`.

use serde::{Deserialize, Serialize};
#[cfg(feature = "component")]
use wasmtime::component::{ComponentType, Lift, Lower};

/// What changing earlier messages costs with a warm prompt cache: everything after the change is
/// written to the cache again.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[cfg_attr(feature = "component", derive(ComponentType, Lift, Lower), component(record))]
pub struct PromptCache {
    /// The number of requests expected to follow. Default: 20.
    #[cfg_attr(feature = "component", component(name = "remaining-turns"))]
    pub remaining_turns: u32,
    /// The price of a token read from the cache, relative to an uncached token: 0 to 100. Default:
    /// 0.1.
    #[cfg_attr(feature = "component", component(name = "read-price"))]
    pub read_price: f64,
    /// The price of a token written to the cache, relative to an uncached token: 0 to 100. Default:
    /// 1.25.
    #[cfg_attr(feature = "component", component(name = "write-price"))]
    pub write_price: f64,
}

impl Default for PromptCache {
    fn default() -> Self {
        PromptCache { remaining_turns: 20, read_price: 0.1, write_price: 1.25 }
    }
}

/// Limits for each view and for all results together.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[cfg_attr(feature = "component", derive(ComponentType, Lift, Lower), component(record))]
pub struct CacheConfig {
    /// If false, nothing is trimmed. Default: true.
    pub enabled: bool,
    /// The token budget for all tool results; beyond it, the oldest are trimmed. Default: a quarter
    /// of the context window, clamped to between 20,000 and 60,000.
    #[cfg_attr(feature = "component", component(name = "context-budget-tokens"))]
    pub context_budget_tokens: Option<u64>,
    /// Maximum bytes of a view: at least 512. Default: 51200.
    #[cfg_attr(feature = "component", component(name = "max-message-bytes"))]
    pub max_message_bytes: u64,
    /// Maximum characters of a line in a view: at least 16. Default: 2000.
    #[cfg_attr(feature = "component", component(name = "max-line-length"))]
    pub max_line_length: u32,
    /// The fraction of the budget that a trim leaves in use: 0 to 1. Rare, large trims invalidate
    /// the prompt cache less often. Default: 0.5.
    #[cfg_attr(feature = "component", component(name = "target-ratio"))]
    pub target_ratio: f64,
    /// Trims that would save fewer tokens are skipped. Default: 0.
    #[cfg_attr(feature = "component", component(name = "clear-at-least-tokens"))]
    pub clear_at_least_tokens: u64,
    /// The number of newest results that are never trimmed. Default: 1.
    #[cfg_attr(feature = "component", component(name = "keep-last"))]
    pub keep_last: u32,
    /// Globs of tools whose results are never trimmed: at most 1,000. Default: none.
    #[cfg_attr(feature = "component", component(name = "protected-tools"))]
    pub protected_tools: Vec<String>,
    /// If true, results that report errors are never trimmed: a model repeats a mistake less often
    /// while it sees it. Default: false.
    #[cfg_attr(feature = "component", component(name = "keep-errors"))]
    pub keep_errors: bool,
    /// The costs of a warm prompt cache: a trim that costs more than it saves over the expected
    /// requests is skipped. Default: none.
    #[cfg_attr(feature = "component", component(name = "prompt-cache"))]
    pub prompt_cache: Option<PromptCache>,
}

impl Default for CacheConfig {
    fn default() -> Self {
        CacheConfig {
            enabled: true,
            context_budget_tokens: None,
            max_message_bytes: 51_200,
            max_line_length: 2000,
            target_ratio: 0.5,
            clear_at_least_tokens: 0,
            keep_last: 1,
            protected_tools: Vec::new(),
            keep_errors: false,
            prompt_cache: None,
        }
    }
}

/// An output as it appears in the conversation.
#[derive(Clone, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(not(feature = "exhaustive"), non_exhaustive)]
#[cfg_attr(feature = "component", derive(ComponentType, Lift, Lower), component(record))]
pub struct CacheView {
    /// The text; never empty.
    pub text: String,
    /// Whether anything was truncated.
    #[cfg_attr(feature = "component", component(name = "is-cut"))]
    pub is_cut: bool,
}
