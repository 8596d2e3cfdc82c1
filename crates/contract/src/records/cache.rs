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

/// How a new result is handled if the same tool already returned an identical or nearly identical
/// one that is still in the conversation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(not(feature = "exhaustive"), non_exhaustive)]
#[cfg_attr(feature = "component", derive(ComponentType, Lift, Lower), component(enum))]
#[repr(u8)]
pub enum Repeats {
    /// It stays.
    #[cfg_attr(feature = "component", component(name = "off"))]
    Off,
    /// If it is equal, a line that refers to the earlier result replaces it.
    #[cfg_attr(feature = "component", component(name = "equal"))]
    Equal,
    /// As `equal`. If a call with the same arguments has returned a text that differs in few lines,
    /// a line and the lines that differ replace it, as a unified diff without context.
    #[cfg_attr(feature = "component", component(name = "diff"))]
    Diff,
}

impl Repeats {
    /// All cases, in the order of the contract.
    pub const ALL: [Repeats; 3] = [Repeats::Off, Repeats::Equal, Repeats::Diff];

    /// Returns the name of the case, as JSON has it.
    pub const fn name(self) -> &'static str {
        match self {
            Repeats::Off => "off",
            Repeats::Equal => "equal",
            Repeats::Diff => "diff",
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

/// How large texts in messages of the user are trimmed, such as pasted files. Their start and end
/// stay, cut at the ends of lines, around a line with the size and the artifact of the whole text.
/// Messages that are pinned or that a plan inserted stay.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[cfg_attr(feature = "component", derive(ComponentType, Lift, Lower), component(record))]
pub struct UserMessages {
    /// Minimum bytes of a text that is trimmed: at least 1,024. Default: 16384.
    pub threshold: u64,
    /// Maximum bytes of the start and the end together: at most half of the threshold. Default:
    /// 2048.
    #[cfg_attr(feature = "component", component(name = "keep-bytes"))]
    pub keep_bytes: u64,
    /// If true, messages that the model has not read yet are trimmed too, at once, whatever the
    /// budget. Default: false.
    #[cfg_attr(feature = "component", component(name = "with-newest"))]
    pub with_newest: bool,
}

impl Default for UserMessages {
    fn default() -> Self {
        UserMessages { threshold: 16_384, keep_bytes: 2048, with_newest: false }
    }
}

/// The sides that the images of a request may have, in pixels.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "component", derive(ComponentType, Lift, Lower), component(record))]
pub struct ImageLimits {
    /// Maximum length of a side.
    pub side: u32,
    /// The number of images and files up to which `side` applies alone.
    pub many: u32,
    /// Maximum length of a side in a request with more than `many` images and files.
    #[cfg_attr(feature = "component", component(name = "side-of-many"))]
    pub side_of_many: u32,
}

/// Limits for each view, and for all results, large arguments and media together.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[cfg_attr(feature = "component", derive(ComponentType, Lift, Lower), component(record))]
pub struct CacheConfig {
    /// If false, nothing is trimmed. Default: true.
    pub enabled: bool,
    /// The token budget for all tool results, large arguments and media; beyond it, the oldest are
    /// trimmed. Default: a quarter of the context window, clamped to between 20,000 and 60,000.
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
    /// The number of newest results that are never trimmed, and of newest calls whose arguments
    /// never are. Default: 1.
    #[cfg_attr(feature = "component", component(name = "keep-last"))]
    pub keep_last: u32,
    /// Globs of tools whose results and arguments are never trimmed: at most 1,000. Default: none.
    #[cfg_attr(feature = "component", component(name = "protected-tools"))]
    pub protected_tools: Vec<String>,
    /// If true, results that report errors are never trimmed: a model repeats a mistake less often
    /// while it sees it. Default: false.
    #[cfg_attr(feature = "component", component(name = "keep-errors"))]
    pub keep_errors: bool,
    /// If true, large texts in the arguments of old calls are trimmed too, such as a file that was
    /// written. The arguments keep their other members. Default: true.
    #[cfg_attr(feature = "component", component(name = "trim-arguments"))]
    pub trim_arguments: bool,
    /// Globs of the tools whose arguments are trimmed: at most 1,000. If empty, those of all tools
    /// are. Default: none.
    #[cfg_attr(feature = "component", component(name = "argument-tools"))]
    pub argument_tools: Vec<String>,
    /// Minimum bytes of a text in arguments that is trimmed: at least 256. Default: 2048.
    #[cfg_attr(feature = "component", component(name = "min-argument-bytes"))]
    pub min_argument_bytes: u64,
    /// The number of newest images, files and recordings that are never trimmed. Default: 3.
    #[cfg_attr(feature = "component", component(name = "keep-media"))]
    pub keep_media: u32,
    /// Maximum number of images, files and recordings in a request; beyond it, the oldest are
    /// trimmed. Default: the limit of the history's provider, if known.
    #[cfg_attr(feature = "component", component(name = "max-media"))]
    pub max_media: Option<u32>,
    /// Maximum bytes of a request; beyond nine tenths of it, the oldest media are trimmed. Default:
    /// the limit of the history's provider, if known.
    #[cfg_attr(feature = "component", component(name = "max-request-bytes"))]
    pub max_request_bytes: Option<u64>,
    /// How large texts of the user are trimmed. They then belong to the budget, and the oldest
    /// parts are trimmed first. Default: they are not.
    #[cfg_attr(feature = "component", component(name = "user-messages"))]
    pub user_messages: Option<UserMessages>,
    /// How a new result of at least 1 KiB that repeats an earlier one is replaced. Results of
    /// artifact tools and of `protected_tools` stay. Default: `equal`.
    pub repeats: Repeats,
    /// The costs of a warm prompt cache: a trim that costs more than it saves over the expected
    /// requests is skipped. Default: none.
    #[cfg_attr(feature = "component", component(name = "prompt-cache"))]
    pub prompt_cache: Option<PromptCache>,
    /// The number of newest turns that keep their thinking; 0 counts as 1. The thinking of older
    /// turns is removed, not stored, whatever the budget; `clear_at_least_tokens` and
    /// `prompt_cache` apply. A message of the user that interrupts a tool loop does not begin a
    /// turn here. Default: all turns keep theirs.
    #[cfg_attr(feature = "component", component(name = "keep-thinking"))]
    pub keep_thinking: Option<u32>,
    /// The sides that images may have. An image with a longer side is trimmed even if it is new,
    /// with an alarm. If a request with more than `many` images has one with a side above
    /// `side_of_many`, the oldest media are trimmed first, as for `max_media`. Default: the limits
    /// of the history's provider, if known.
    #[cfg_attr(feature = "component", component(name = "image-limits"))]
    pub image_limits: Option<ImageLimits>,
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
            trim_arguments: true,
            argument_tools: Vec::new(),
            min_argument_bytes: 2048,
            keep_media: 3,
            max_media: None,
            max_request_bytes: None,
            user_messages: None,
            repeats: Repeats::Equal,
            prompt_cache: None,
            keep_thinking: None,
            image_limits: None,
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
