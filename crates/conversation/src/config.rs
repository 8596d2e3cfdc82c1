//! The settings of callers, with the names and defaults of the compaction document and the
//! budgeting document (docs/origins.md). The contract is `wit/cache.wit`, `wit/compaction.wit` and
//! `wit/budget.wit`.

use crate::model::Bucket;

/// Maximum number of names, directives and layers in a configuration.
pub const MAX_ITEMS: usize = 1_000;

/// `ToolOutputCacheConfig` of the compaction document, section 1.3, with additions.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case", default, deny_unknown_fields))]
pub struct CacheConfig {
    /// If false, nothing is trimmed. Default: true.
    pub enabled: bool,
    /// The token budget for all tool results; beyond it, the oldest are trimmed. Default: `None`,
    /// which is a quarter of the context window, clamped to 20,000–60,000.
    pub context_budget_tokens: Option<u64>,
    /// Maximum bytes of a view. Default: 51,200.
    pub max_message_bytes: u64,
    /// Maximum characters of a line in a view. Default: 2,000.
    pub max_line_length: u32,
    /// The fraction of the budget that a trim leaves in use: 0 to 1. Default: 0.5.
    pub target_ratio: f64,
    /// Trims that would save fewer tokens are skipped. Default: 0.
    pub clear_at_least_tokens: u64,
    /// The number of newest results that are never trimmed. Default: 1.
    pub keep_last: u32,
    /// Globs of tools whose results are never trimmed. Default: none.
    pub protected_tools: Vec<String>,
    /// The costs of a warm prompt cache: a trim that costs more than it saves is skipped. Default:
    /// `None`.
    pub prompt_cache: Option<PromptCache>,
}

/// What changing earlier messages costs with a warm prompt cache.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case", default, deny_unknown_fields))]
pub struct PromptCache {
    /// The number of requests expected to follow. Default: 20.
    pub remaining_turns: u32,
    /// The price of a token read from the cache, relative to an uncached token. Default: 0.1.
    pub read_price: f64,
    /// The price of a token written to the cache, relative to an uncached token. Default: 1.25.
    pub write_price: f64,
}

/// `CompactionConfig` of the compaction document, section 2.2, with additions.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case", default, deny_unknown_fields))]
pub struct CompactionConfig {
    /// If false, the history is never summarized. Default: true.
    pub enabled: bool,
    /// If false, it is summarized only when the caller asks for it. Default: true.
    pub auto: bool,
    /// The share of the context limit at which it is summarized: above 0, at most 1. Default: 0.8.
    pub threshold_ratio: f64,
    /// Maximum tokens of the conversation: `max_input_tokens` or `max_tokens` of the model.
    /// Required; an unknown limit is an error. Default: `None`.
    pub context_limit: Option<u64>,
    /// The model that writes summaries. Default: `None`, which is the agent's model.
    pub model: Option<String>,
    /// The context limit of the summary model. Default: `None`, which is `context_limit`.
    pub summary_context_limit: Option<u64>,
    /// Maximum tokens of a summary answer, including retained content: at least 64. An eighth of
    /// the context limit applies instead if it is lower. Default: 4,096.
    pub max_summary_tokens: u64,
    /// Replaces the summary prompt. Default: `None`.
    pub summary_prompt: Option<String>,
    /// Items of a list added to the summary prompt. Default: none.
    pub summary_directives: Vec<String>,
    /// The prompt for content to retain word for word. Default: `None`, and the model is not asked
    /// to retain anything.
    pub retain_prompt: Option<String>,
    /// Items of a list added to the retain prompt. Default: none.
    pub retain_directives: Vec<String>,
    /// The number of newest turns to keep. Default: 1.
    pub retain_last_turns: u32,
    /// Maximum bytes of the user's own words to carry over; about a tenth of the context limit
    /// applies instead if it is lower. Default: 8,192.
    pub max_user_bytes: u64,
    /// Maximum number of artifacts listed as readable. Default: 50.
    pub max_references: u32,
}

/// What happens when a bucket exceeds its cap.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum Overflow {
    /// An alarm reports it; the agent has to shrink the bucket.
    Reject,
    /// A model summarizes the bucket.
    Summarize,
    /// The oldest entries are removed.
    Truncate,
    /// Definitions of tools that were not called recently are removed.
    PruneUnused,
}

/// The cap of a bucket.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case", deny_unknown_fields))]
pub struct BucketCap {
    /// Maximum tokens.
    pub max_tokens: u64,
    /// What happens when the bucket exceeds them.
    pub on_overflow: Overflow,
}

/// How a layer of the eviction cascade frees tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum Strategy {
    /// Replaces tool results with placeholders, largest first.
    TruncateLargest,
    /// Removes the oldest turns.
    SlidingWindow,
    /// Has a model summarize the oldest part, including earlier summaries.
    RecursiveSummarize,
}

/// A layer of the eviction cascade. It acts only if the earlier layers did not suffice.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case", deny_unknown_fields))]
pub struct Layer {
    /// The bucket to shrink: `tool_outputs` or `history`.
    pub target: Bucket,
    /// How.
    pub strategy: Strategy,
    /// The fill level, in percent, at which the layer acts: 1 to 100. It compares the fill level of
    /// the bucket, or of the window without headroom and working, whichever is higher.
    pub at_pct: u32,
    /// The fill level, in percent, at which the layer stops: below `at_pct`.
    pub to_pct: u32,
    /// The number of newest turns that a sliding window keeps. Default: 8.
    pub keep_recent_turns: u32,
    /// The share of the history that a summary replaces, in percent: 1 to 100. Default: 70.
    pub evict_pct: u32,
}

/// `context_budget` of the budgeting document.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case", deny_unknown_fields))]
pub struct BudgetConfig {
    /// The context window in tokens, at least 1.
    pub total_window: u64,
    /// The system prompt.
    pub system: BucketCap,
    /// The definitions of tools.
    pub tools: BucketCap,
    /// Messages of user and model, and tool calls.
    pub history: BucketCap,
    /// Tool results.
    pub tool_outputs: BucketCap,
    /// Reserved for the model's answer.
    pub working: BucketCap,
    /// Reserved; plans never use these tokens.
    pub headroom_tokens: u64,
    /// The cascade, in order.
    pub layers: Vec<Layer>,
    /// A tool that was not called in this many turns counts as unused.
    pub unused_turns: u32,
}

/// The runtime configuration and the worked examples of the budgeting document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum Preset {
    /// The runtime configuration of "Per-bucket caps and triggers".
    General,
    /// Example 1.
    CustomerSupport,
    /// Example 2.
    CodeEditing,
    /// Example 3.
    Research,
    /// Example 4.
    Voice,
    /// Example 5.
    Automation,
}

/// A task to plan: `wit/planning.wit`.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case", deny_unknown_fields))]
pub enum Task {
    /// Measures only: the plan is empty and has the account of the conversation.
    Account,
    /// Replaces results with placeholders if together they exceed their budget.
    Trim {
        /// The context window in tokens, at least 1.
        context_window: u64,
        /// The limits.
        #[cfg_attr(feature = "serde", serde(default))]
        config: CacheConfig,
    },
    /// Replaces messages older than the newest turns with a summary, whether or not that is due.
    Compact(CompactionConfig),
    /// Evicts the part of the conversation that exceeds the budget.
    Budget {
        /// The buckets and the cascade.
        config: BudgetConfig,
        /// How the history is summarized, if the cascade gets that far. Its context limit defaults
        /// to the window.
        #[cfg_attr(feature = "serde", serde(default))]
        compaction: CompactionConfig,
    },
    /// Trims, evicts and summarizes, in this order, each only if due: everything to manage a
    /// conversation in an agent loop.
    Manage {
        /// The context window in tokens, at least 1.
        context_window: u64,
        /// When tool results are trimmed.
        #[cfg_attr(feature = "serde", serde(default))]
        cache: CacheConfig,
        /// What is evicted; nothing if `None`.
        #[cfg_attr(feature = "serde", serde(default))]
        budget: Option<BudgetConfig>,
        /// When the history is summarized. Its context limit defaults to the window.
        #[cfg_attr(feature = "serde", serde(default))]
        compaction: CompactionConfig,
    },
}

impl Default for CacheConfig {
    fn default() -> Self {
        CacheConfig {
            enabled: true,
            context_budget_tokens: None,
            max_message_bytes: 50 * 1024,
            max_line_length: 2_000,
            target_ratio: 0.5,
            clear_at_least_tokens: 0,
            keep_last: 1,
            protected_tools: Vec::new(),
            prompt_cache: None,
        }
    }
}

impl Default for PromptCache {
    fn default() -> Self {
        PromptCache { remaining_turns: 20, read_price: 0.1, write_price: 1.25 }
    }
}

impl Default for CompactionConfig {
    fn default() -> Self {
        CompactionConfig {
            enabled: true,
            auto: true,
            threshold_ratio: 0.8,
            context_limit: None,
            model: None,
            summary_context_limit: None,
            max_summary_tokens: 4_096,
            summary_prompt: None,
            summary_directives: Vec::new(),
            retain_prompt: None,
            retain_directives: Vec::new(),
            retain_last_turns: 1,
            max_user_bytes: 8 * 1024,
            max_references: 50,
        }
    }
}
