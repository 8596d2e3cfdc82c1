//! The records of `wit/conversation.wit` as plain Rust: the same names, the same meaning.

/// Who speaks in a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum Role {
    /// The developer of the agent: counted as part of the system prompt, never removed.
    System,
    /// The user. A message of only tool results continues the turn, in whichever role
    /// a provider puts it.
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
    /// What user and model said, and the calls of tools.
    History,
    /// Results of tools.
    ToolOutputs,
    /// Room for the model's answer.
    Working,
}

/// What was done to a part of the conversation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum Removal {
    /// A placeholder replaced the text of a tool result.
    Trimmed,
    /// Messages were removed.
    Evicted,
    /// Messages were replaced by a summary.
    Summarized,
    /// The definition of a tool was removed.
    Pruned,
}

/// What the caller should know about a plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum AlarmKind {
    /// The conversation has entered the headroom.
    Headroom,
    /// A bucket has more tokens than its cap, and no allowed step changes that.
    OverCap,
    /// The store did not accept what was to be removed, so it stays.
    NotStored,
    /// The tools or the system prompt differ from those of the last plan.
    PrefixChanged,
    /// The reported usage contradicts the messages and was not used.
    UsageIgnored,
    /// The host's tokenizer failed, and tokens are estimated.
    TokensEstimated,
    /// A summary was not usable; the plan does without.
    NoSummary,
    /// A setting contradicts a rule, but can be kept: the shares of the buckets.
    Setting,
}

/// A call of a tool by the model.
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

/// What a tool returned.
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
    /// The artifact from which the output can be read: the `output_ref` of seed 001.
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
    /// An image, a sound, a document: its tokens.
    Media(u64),
    /// What is kept as it is, such as thinking: its bytes.
    Opaque(u64),
}

/// A message of a conversation.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case", deny_unknown_fields))]
pub struct Message {
    /// Who speaks.
    pub role: Role,
    /// Its parts.
    pub parts: Vec<Part>,
    /// Its tokens, if they are known.
    #[cfg_attr(feature = "serde", serde(default))]
    pub tokens: Option<u64>,
    /// Whether it stays as it is.
    #[cfg_attr(feature = "serde", serde(default))]
    pub pinned: bool,
    /// Whether an earlier plan inserted it: it is neither the start of a turn nor the
    /// user's own words.
    #[cfg_attr(feature = "serde", serde(default))]
    pub inserted: bool,
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
    /// Its tokens, if they are known.
    #[cfg_attr(feature = "serde", serde(default))]
    pub tokens: Option<u64>,
    /// Whether it stays though it is not used.
    #[cfg_attr(feature = "serde", serde(default))]
    pub pinned: bool,
}

/// The tokens that a provider reported: `TokenUsage` of seed 001 §2.3.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case", default, deny_unknown_fields))]
pub struct TokenUsage {
    /// Tokens read that no cache held.
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

/// A usage, and the messages that it counts.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case", deny_unknown_fields))]
pub struct Usage {
    /// What the provider reported.
    pub tokens: TokenUsage,
    /// How many messages it counts: those up to and with the answer that it came with.
    pub messages: u32,
}

/// The conversation of an agent.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case", deny_unknown_fields))]
pub struct Conversation {
    /// The messages, with those of the developer.
    pub messages: Vec<Message>,
    /// The tools that are sent with every request.
    #[cfg_attr(feature = "serde", serde(default))]
    pub tools: Vec<ToolSpec>,
    /// What the provider reported last.
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
    /// What user and model said, and the calls.
    pub history: u64,
    /// The results.
    pub tool_outputs: u64,
    /// All of these.
    pub total: u64,
    /// The messages that count as the prefix which stays the same: the index of the
    /// first message that is not of the developer. A cache breakpoint belongs before it.
    pub cache_breakpoint: u32,
}

/// A range of messages by index, `end` excluded.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case", deny_unknown_fields))]
pub struct Span {
    /// The first.
    pub start: u32,
    /// The one behind the last.
    pub end: u32,
}

/// A message of one text. Those that a plan inserts are the user's.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case", deny_unknown_fields))]
pub struct TextMessage {
    /// Who speaks.
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
    /// The index of the part in it.
    pub part: u32,
    /// The new text.
    pub text: String,
    /// The artifact from which the old one can be read.
    pub artifact: String,
}

/// What a plan takes from the conversation, and where it can be read.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case", deny_unknown_fields))]
pub struct Receipt {
    /// What was done.
    pub removal: Removal,
    /// The messages that it was done to; none for a definition.
    pub messages: Span,
    /// The tool whose result or definition it is.
    pub tool: Option<String>,
    /// Their tokens before.
    pub tokens_before: u64,
    /// Their tokens after, with what was inserted for them.
    pub tokens_after: u64,
    /// The artifact from which it can be read.
    pub artifact: Option<String>,
}

/// What the caller should know about a plan.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case", deny_unknown_fields))]
pub struct Alarm {
    /// What it is about.
    pub kind: AlarmKind,
    /// The bucket, if it is about one.
    pub bucket: Option<Bucket>,
    /// One or two sentences for people.
    pub message: String,
}

/// What to do to a conversation, as data. The new history is `history`, in order, with
/// the replaced texts of results.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case", deny_unknown_fields))]
pub struct Plan {
    /// Whether the conversation stays as it is.
    pub is_empty: bool,
    /// The new history.
    pub history: Vec<Entry>,
    /// The results whose text changes, in order. Only in messages that stay.
    pub replacements: Vec<Replacement>,
    /// The names of the tools whose definitions are removed.
    pub removed_tools: Vec<String>,
    /// The account of the conversation as it came.
    pub before: Account,
    /// The account of the conversation as it will be.
    pub after: Account,
    /// The usage for the new history, so that the next plan counts as this one did.
    pub usage: Option<Usage>,
    /// What went, and where it can be read.
    pub receipts: Vec<Receipt>,
    /// What the caller should know.
    pub alarms: Vec<Alarm>,
    /// What the caller passes to the next plan.
    pub state: PlanState,
}

/// A request for the model that writes summaries. It takes no tools, and neither it
/// nor its answer becomes part of the history.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case", deny_unknown_fields))]
pub struct SummaryRequest {
    /// The model that is asked; that of the agent if none.
    pub model: Option<String>,
    /// The messages to be summarized as texts that every provider takes, calls and
    /// results too: they begin with the user's, and roles alternate.
    pub messages: Vec<TextMessage>,
    /// The last message, of the user: what to write.
    pub prompt: String,
    /// How many messages of the history this request covers. A host that wants to use
    /// its prompt cache may send these as they are, if `is_whole`, before `prompt`.
    pub through: u32,
    /// Whether one request covers everything that is to be summarized, and `messages`
    /// are all of it.
    pub is_whole: bool,
    /// How many requests follow, as far as can be known now.
    pub remaining: u32,
    /// The most tokens of the answer.
    pub max_output_tokens: u64,
}

/// A piece of the new history.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum Entry {
    /// Messages that stay.
    Keep(Span),
    /// A message that is new.
    Insert(TextMessage),
}

/// What a host does next: applies the plan and then, if there is a request, asks the model
/// and calls again with the new history and one more answer.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case", deny_unknown_fields))]
pub struct Step {
    /// What needs no model.
    pub plan: Plan,
    /// What the model is asked for the rest.
    pub request: Option<SummaryRequest>,
    /// Why a summary was refused, if the plan had to do without; it then stores and removes
    /// what should have been summarized.
    pub refusal: Option<String>,
}

/// What a caller keeps between two plans.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case", default, deny_unknown_fields))]
pub struct PlanState {
    /// A fingerprint of tools and system prompt; none at first.
    pub prefix: Option<String>,
    /// Compactions in a row that did not make the conversation smaller.
    pub failures: u32,
}

/// The view of an output in the conversation.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case", deny_unknown_fields))]
pub struct CacheView {
    /// The text; never empty.
    pub text: String,
    /// Whether something was cut.
    pub is_cut: bool,
}
