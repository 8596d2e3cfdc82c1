//! What callers choose, with the names and defaults of seeds 001 and 004. The contract is
//! `wit/cache.wit`, `wit/compaction.wit` and `wit/budget.wit`.

use crate::model::Bucket;

/// The largest number of names, directives and layers in a configuration.
pub const MAX_ITEMS: usize = 1_000;

/// `ToolOutputCacheConfig` of seed 001 §1.3, and what it lacks.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case", default, deny_unknown_fields))]
pub struct CacheConfig {
    /// If false, nothing is trimmed. Default: true.
    pub enabled: bool,
    /// The tokens of all tool results at which the oldest are trimmed. Default: none,
    /// which is a quarter of the context window, at least 20,000 and at most 60,000.
    pub context_budget_tokens: Option<u64>,
    /// The most bytes of a view. Default: 51,200.
    pub max_message_bytes: u64,
    /// The most characters of a line in a view. Default: 2,000.
    pub max_line_length: u32,
    /// How far a trim goes, as a fraction of the budget: 0 to 1. Default: 0.5.
    pub target_ratio: f64,
    /// A trim that saves fewer tokens is not made. Default: 0.
    pub clear_at_least_tokens: u64,
    /// How many of the newest results stay. Default: 1.
    pub keep_last: u32,
    /// Globs of tools whose results stay. Default: none.
    pub protected_tools: Vec<String>,
    /// What the provider's prompt cache costs, if it is warm: a trim that costs more than
    /// it saves is not made. Default: none.
    pub prompt_cache: Option<PromptCache>,
}

/// What a warm prompt cache makes of a change to the past.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case", default, deny_unknown_fields))]
pub struct PromptCache {
    /// How many requests are expected to follow. Default: 20.
    pub remaining_turns: u32,
    /// The price of a token that is read from the cache, where 1 is one that is not.
    /// Default: 0.1.
    pub read_price: f64,
    /// The price of a token that is written to the cache. Default: 1.25.
    pub write_price: f64,
}

/// `CompactionConfig` of seed 001 §2.2, and what it lacks.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case", default, deny_unknown_fields))]
pub struct CompactionConfig {
    /// If false, the history is never summarized. Default: true.
    pub enabled: bool,
    /// If false, it is only summarized when the caller says so. Default: true.
    pub auto: bool,
    /// The fill of the context limit at which it is summarized: above 0, at most 1.
    /// Default: 0.8.
    pub threshold_ratio: f64,
    /// The most tokens of the conversation: `max_input_tokens` or `max_tokens` of the
    /// model. Required; an unknown limit is an error. Default: none.
    pub context_limit: Option<u64>,
    /// The model that writes summaries. Default: none, which is that of the agent.
    pub model: Option<String>,
    /// The context limit of that model. Default: none, which is `context_limit`.
    pub summary_context_limit: Option<u64>,
    /// The most tokens of a summary, with what it retains: at least 64; an eighth of the
    /// context limit if that is less. Default: 4,096.
    pub max_summary_tokens: u64,
    /// Replaces the prompt for the summary. Default: none.
    pub summary_prompt: Option<String>,
    /// Added to the prompt, as a list. Default: none.
    pub summary_directives: Vec<String>,
    /// The prompt for what is retained word for word. Default: none, which asks for
    /// nothing.
    pub retain_prompt: Option<String>,
    /// Added to that prompt, as a list. Default: none.
    pub retain_directives: Vec<String>,
    /// How many of the newest turns stay. Default: 1.
    pub retain_last_turns: u32,
    /// The most bytes of the user's own words that are carried along, and at most about a
    /// tenth of the context limit. Default: 8,192.
    pub max_user_bytes: u64,
    /// The most artifacts that are named as readable. Default: 50.
    pub max_references: u32,
}

/// What is done when a bucket has more tokens than its cap.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum Overflow {
    /// An alarm says so: the agent has to shrink it.
    Reject,
    /// A model summarizes.
    Summarize,
    /// The oldest go first.
    Truncate,
    /// Definitions of tools that were not called lately go.
    PruneUnused,
}

/// The cap of a bucket.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case", deny_unknown_fields))]
pub struct BucketCap {
    /// The most tokens.
    pub max_tokens: u64,
    /// What is done beyond them.
    pub on_overflow: Overflow,
}

/// How a layer of the cascade frees tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum Strategy {
    /// Placeholders replace tool results, the largest first.
    TruncateLargest,
    /// The oldest turns go.
    SlidingWindow,
    /// A model summarizes the oldest part, with earlier summaries.
    RecursiveSummarize,
}

/// A layer of the eviction cascade. A layer acts only if those before it did not suffice.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case", deny_unknown_fields))]
pub struct Layer {
    /// The bucket that is made smaller: `tool_outputs` or `history`.
    pub target: Bucket,
    /// How.
    pub strategy: Strategy,
    /// The fill in percent at which the layer acts: 1 to 100. The fill is that of its
    /// bucket, or that of the window without its headroom, whichever is more.
    pub at_pct: u32,
    /// The fill in percent at which it stops: below `at_pct`.
    pub to_pct: u32,
    /// How many of the newest turns a sliding window keeps. Default: 8.
    pub keep_recent_turns: u32,
    /// How much of the messages a summary replaces, in percent: 1 to 100. Default: 70.
    pub evict_pct: u32,
}

/// `context_budget` of seed 004.
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
    /// What user and model say, and the calls.
    pub history: BucketCap,
    /// The results.
    pub tool_outputs: BucketCap,
    /// What is reserved for the answer.
    pub working: BucketCap,
    /// What is never planned to be used.
    pub headroom_tokens: u64,
    /// The cascade, in order.
    pub layers: Vec<Layer>,
    /// The turns in which a tool has to be called for its definition to stay.
    pub unused_turns: u32,
}

/// The worked examples of seed 004, and its runtime configuration.
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

/// What is planned: `wit/planning.wit`.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case", deny_unknown_fields))]
pub enum Task {
    /// Nothing: the plan is empty, and has the account of the conversation.
    Account,
    /// Placeholders replace results if all of them have more tokens than their budget.
    Trim {
        /// The context window in tokens, at least 1.
        context_window: u64,
        /// The limits.
        #[cfg_attr(feature = "serde", serde(default))]
        config: CacheConfig,
    },
    /// A summary replaces what is older than the newest turns, whether or not that is due.
    Compact(CompactionConfig),
    /// What a budget does not allow is evicted.
    Budget {
        /// The buckets and the cascade.
        config: BudgetConfig,
        /// How the history is summarized, if the cascade comes to that. Its context limit is
        /// the window if it names none.
        #[cfg_attr(feature = "serde", serde(default))]
        compaction: CompactionConfig,
    },
    /// Trims, evicts and summarizes, in this order, as far as each is due: everything for one
    /// look at a conversation in an agent loop.
    Manage {
        /// The context window in tokens, at least 1.
        context_window: u64,
        /// What is trimmed.
        #[cfg_attr(feature = "serde", serde(default))]
        cache: CacheConfig,
        /// What is evicted; nothing if `None`.
        #[cfg_attr(feature = "serde", serde(default))]
        budget: Option<BudgetConfig>,
        /// What is summarized. Its context limit is the window if it names none.
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
