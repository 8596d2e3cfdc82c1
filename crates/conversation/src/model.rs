//! The records of `wit/conversation.wit` as plain Rust, with the same names and meanings.

/// The sender of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum Role {
    /// The developer of the agent: counted as part of the system prompt, never removed.
    System,
    /// The user. A message that has only tool results continues the turn, whichever role the
    /// provider gives it.
    User,
    /// The model.
    Assistant,
    /// A tool.
    Tool,
}

/// The parts of a context window.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum Bucket {
    /// Messages of the developer.
    System,
    /// Definitions of tools.
    Tools,
    /// Messages of user and model, and tool calls.
    History,
    /// Tool results.
    ToolOutputs,
    /// Reserved for the model's answer.
    Working,
}

/// How a part of the conversation was removed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum Removal {
    /// A placeholder replaced the text of a tool result.
    Trimmed,
    /// Messages were removed.
    Evicted,
    /// A summary replaced messages.
    Summarized,
    /// The definition of a tool was removed.
    Pruned,
}

/// The cause of an alarm.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum AlarmKind {
    /// The conversation uses part of the headroom.
    Headroom,
    /// A bucket exceeds its cap, and no permitted step can shrink it.
    OverCap,
    /// The store did not accept content that was to be removed, so the content stays.
    NotStored,
    /// The tools or the system prompt differ from those of the last plan.
    PrefixChanged,
    /// The reported usage contradicts the messages and was ignored.
    UsageIgnored,
    /// The host's tokenizer failed, so token counts are estimates.
    TokensEstimated,
    /// A summary was unusable; the plan has none.
    NoSummary,
    /// A setting is valid but unusual, such as buckets that add up to more than 90 % of the window.
    Setting,
}

/// A tool call by the model.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case", deny_unknown_fields))]
pub struct ToolCall {
    /// The id that its result refers to.
    pub id: String,
    /// The tool.
    pub name: String,
    /// The arguments as JSON text.
    pub arguments: String,
}

/// The result of a tool call.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case", deny_unknown_fields))]
pub struct ToolResult {
    /// The id of the call.
    pub call_id: String,
    /// The text that the model sees.
    pub text: String,
    /// Whether the tool reports an error.
    #[cfg_attr(feature = "serde", serde(default))]
    pub is_error: bool,
    /// The artifact that has the full output: the `output_ref` of the compaction document.
    #[cfg_attr(feature = "serde", serde(default))]
    pub artifact: Option<String>,
}

/// A part of a message.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum Part {
    /// Text.
    Text(String),
    /// A call.
    ToolCall(ToolCall),
    /// A result.
    ToolResult(ToolResult),
    /// An image, audio or a document: its size in tokens.
    Media(u64),
    /// Content that is kept unchanged, such as thinking: its size in bytes.
    Opaque(u64),
}

/// A message of a conversation.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case", deny_unknown_fields))]
pub struct Message {
    /// The sender.
    pub role: Role,
    /// Its parts.
    pub parts: Vec<Part>,
    /// The token count, if known.
    #[cfg_attr(feature = "serde", serde(default))]
    pub tokens: Option<u64>,
    /// Whether the message must stay unchanged.
    #[cfg_attr(feature = "serde", serde(default))]
    pub pinned: bool,
    /// Whether an earlier plan inserted the message. Such a message neither starts a turn nor
    /// counts as the user's own words.
    #[cfg_attr(feature = "serde", serde(default))]
    pub inserted: bool,
    /// Whether the next message stays or goes with this one. Only histories of providers have such
    /// messages, such as the parts of one answer that the contract does not describe.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub joined: bool,
}

/// The definition of a tool that the model can call.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case", deny_unknown_fields))]
pub struct ToolSpec {
    /// Its name.
    pub name: String,
    /// The definition as JSON text.
    pub definition: String,
    /// The token count, if known.
    #[cfg_attr(feature = "serde", serde(default))]
    pub tokens: Option<u64>,
    /// Whether the definition stays even if the tool is unused.
    #[cfg_attr(feature = "serde", serde(default))]
    pub pinned: bool,
}

/// The token counts that a provider reported: `TokenUsage` of the compaction document, section 2.3.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case", default, deny_unknown_fields))]
pub struct TokenUsage {
    /// Input tokens outside the prompt cache.
    pub input_tokens: u64,
    /// Tokens of the answer.
    pub output_tokens: u64,
    /// Tokens written to the provider's prompt cache.
    pub cache_creation_tokens: u64,
    /// Tokens read from the provider's prompt cache.
    pub cache_read_tokens: u64,
}

impl TokenUsage {
    /// Returns `total_tokens`: the sum of all four.
    pub fn total_tokens(&self) -> u64 {
        [self.output_tokens, self.cache_creation_tokens, self.cache_read_tokens]
            .iter()
            .fold(self.input_tokens, |sum, tokens| sum.saturating_add(*tokens))
    }
}

/// A reported usage and the messages that it covers.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case", deny_unknown_fields))]
pub struct Usage {
    /// The reported token counts.
    pub tokens: TokenUsage,
    /// The number of messages that it covers: all up to and including the answer that it was
    /// reported with.
    pub messages: u32,
}

/// The conversation of an agent.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case", deny_unknown_fields))]
pub struct Conversation {
    /// The messages, including those of the developer.
    pub messages: Vec<Message>,
    /// The tools sent with every request.
    #[cfg_attr(feature = "serde", serde(default))]
    pub tools: Vec<ToolSpec>,
    /// The latest usage that the provider reported.
    #[cfg_attr(feature = "serde", serde(default))]
    pub usage: Option<Usage>,
}

/// The tokens of a conversation, by bucket.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case", deny_unknown_fields))]
pub struct Account {
    /// The system prompt.
    pub system: u64,
    /// The definitions of tools.
    pub tools: u64,
    /// Messages of user and model, and tool calls.
    pub history: u64,
    /// Tool results.
    pub tool_outputs: u64,
    /// The sum of the above.
    pub total: u64,
    /// The length of the stable prefix: the index of the first message that is not the developer's.
    /// A cache breakpoint belongs before it.
    pub cache_breakpoint: u32,
}

/// A range of message indexes, `end` excluded.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case", deny_unknown_fields))]
pub struct Span {
    /// The first.
    pub start: u32,
    /// The index after the last message.
    pub end: u32,
}

/// A message with a single text. Messages that a plan inserts have the role `user`.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case", deny_unknown_fields))]
pub struct TextMessage {
    /// The sender.
    pub role: Role,
    /// Its text.
    pub text: String,
}

/// A tool result whose text changes.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case", deny_unknown_fields))]
pub struct Replacement {
    /// The index of the message.
    pub message: u32,
    /// The index of the part in the message.
    pub part: u32,
    /// The new text.
    pub text: String,
    /// The artifact that has the old text.
    pub artifact: String,
}

/// A part that a plan removes from the conversation, and the artifact that has it.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case", deny_unknown_fields))]
pub struct Receipt {
    /// How the part was removed.
    pub removal: Removal,
    /// The messages concerned; an empty range for a definition.
    pub messages: Span,
    /// The tool whose result or definition was removed.
    pub tool: Option<String>,
    /// Tokens of the part before.
    pub tokens_before: u64,
    /// Tokens of the part after, including what replaces it.
    pub tokens_after: u64,
    /// The artifact that has the removed content.
    pub artifact: Option<String>,
}

/// A warning about a plan.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case", deny_unknown_fields))]
pub struct Alarm {
    /// The cause.
    pub kind: AlarmKind,
    /// The bucket concerned, if any.
    pub bucket: Option<Bucket>,
    /// One or two sentences for people.
    pub message: String,
}

/// The changes to make to a conversation, as data. The new history is `history`, in order, with the
/// replaced texts of results.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case", deny_unknown_fields))]
pub struct Plan {
    /// Whether the plan changes nothing.
    pub is_empty: bool,
    /// The new history.
    pub history: Vec<Entry>,
    /// The results whose text changes, in order; only in kept messages.
    pub replacements: Vec<Replacement>,
    /// The names of the tools whose definitions are removed.
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
    pub state: PlanState,
}

/// A request to the model that writes summaries. It offers no tools, and neither the request nor
/// its answer becomes part of the history.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case", deny_unknown_fields))]
pub struct SummaryRequest {
    /// The model to ask; `None` means the agent's model.
    pub model: Option<String>,
    /// The messages to summarize as texts that every provider accepts, including calls and results.
    /// The first is the user's, and roles alternate.
    pub messages: Vec<TextMessage>,
    /// The last message, with the role `user`: what to write.
    pub prompt: String,
    /// The number of history messages that this request covers. If `is_whole`, a host that wants to
    /// use its prompt cache may send these messages unchanged, followed by `prompt`.
    pub through: u32,
    /// Whether this request covers everything to be summarized.
    pub is_whole: bool,
    /// The number of requests expected to follow.
    pub remaining: u32,
    /// Maximum tokens of the answer.
    pub max_output_tokens: u64,
}

/// A piece of the new history.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum Entry {
    /// Messages to keep.
    Keep(Span),
    /// A new message.
    Insert(TextMessage),
}

/// The host's next step: it applies the plan and then, if there is a request, asks the model and
/// calls again with the new history and one more answer.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case", deny_unknown_fields))]
pub struct Step {
    /// The changes that need no model.
    pub plan: Plan,
    /// The request for the changes that need a model.
    pub request: Option<SummaryRequest>,
    /// Why a summary was refused, if the plan proceeds without one. It then stores and removes the
    /// messages that should have been summarized.
    pub refusal: Option<String>,
}

/// The state that a caller keeps between plans.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case", default, deny_unknown_fields))]
pub struct PlanState {
    /// A fingerprint of the tools and the system prompt; `None` at first.
    pub prefix: Option<String>,
    /// Consecutive compactions that did not make the conversation smaller.
    pub failures: u32,
}

/// An output as it appears in the conversation.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case", deny_unknown_fields))]
pub struct CacheView {
    /// The text; never empty.
    pub text: String,
    /// Whether anything was truncated.
    pub is_cut: bool,
}
