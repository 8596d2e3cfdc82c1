// Written by `cargo xtask contract` from wit/; do not edit.

//! The records of the interface `compaction`.

use serde::{Deserialize, Serialize};
#[cfg(feature = "component")]
use wasmtime::component::{ComponentType, Lift, Lower};

/// When and how the history is summarized, and the content to keep.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[cfg_attr(feature = "component", derive(ComponentType, Lift, Lower), component(record))]
pub struct CompactionConfig {
    /// If false, the history is never summarized. Default: true.
    pub enabled: bool,
    /// If false, it is summarized only when the caller asks for it. Default: true.
    pub auto: bool,
    /// The share of the context limit at which it is summarized: above 0, at most 1. Default: 0.8.
    #[cfg_attr(feature = "component", component(name = "threshold-ratio"))]
    pub threshold_ratio: f64,
    /// Maximum tokens of the conversation: `max_input_tokens` or `max_tokens` of the model. An
    /// unknown limit is `invalid_input`; it is never guessed. Default: none.
    #[cfg_attr(feature = "component", component(name = "context-limit"))]
    pub context_limit: Option<u64>,
    /// The model that writes summaries. Default: the agent's model.
    pub model: Option<String>,
    /// The context limit of the summary model. Default: `context_limit`.
    #[cfg_attr(feature = "component", component(name = "summary-context-limit"))]
    pub summary_context_limit: Option<u64>,
    /// Maximum tokens of a summary answer: at least 64. An eighth of the context limit applies
    /// instead if it is lower. Default: 4096.
    #[cfg_attr(feature = "component", component(name = "max-summary-tokens"))]
    pub max_summary_tokens: u64,
    /// Replaces the summary prompt: at most 64 KiB. Default: none.
    #[cfg_attr(feature = "component", component(name = "summary-prompt"))]
    pub summary_prompt: Option<String>,
    /// Items of a list added to the summary prompt: at most 1,000. Default: none.
    #[cfg_attr(feature = "component", component(name = "summary-directives"))]
    pub summary_directives: Vec<String>,
    /// The prompt for content to retain word for word: at most 64 KiB. Default: none, and the model
    /// is not asked to retain anything.
    #[cfg_attr(feature = "component", component(name = "retain-prompt"))]
    pub retain_prompt: Option<String>,
    /// Items of a list added to the retain prompt: at most 1,000. Default: none.
    #[cfg_attr(feature = "component", component(name = "retain-directives"))]
    pub retain_directives: Vec<String>,
    /// The number of newest turns to keep: exactly this many if a compaction was requested, at
    /// least this many if it is due. In the latter case, as many of the newest turns stay as fit,
    /// together with the summary, into half of the threshold. If this many turns are too large,
    /// only their newest steps are kept. Default: 1.
    #[cfg_attr(feature = "component", component(name = "retain-last-turns"))]
    pub retain_last_turns: u32,
    /// Maximum bytes of the user's own words to carry over; about a tenth of the context limit
    /// applies instead if it is lower. Default: 8192.
    #[cfg_attr(feature = "component", component(name = "max-user-bytes"))]
    pub max_user_bytes: u64,
    /// Maximum number of artifacts listed as readable. Default: 50.
    #[cfg_attr(feature = "component", component(name = "max-references"))]
    pub max_references: u32,
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
            max_summary_tokens: 4096,
            summary_prompt: None,
            summary_directives: Vec::new(),
            retain_prompt: None,
            retain_directives: Vec::new(),
            retain_last_turns: 1,
            max_user_bytes: 8192,
            max_references: 50,
        }
    }
}
