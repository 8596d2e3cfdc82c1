//! The records of `wit/extraction.wit` as plain Rust, with the same names and meanings. As JSON,
//! names are in snake case.

use serde::{Deserialize, Serialize};

/// The strategy that finds the answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ExtractionMode {
    /// Chosen by the size of the artifact and the length of its lines.
    Auto,
    /// A model reads the whole artifact, in chunks if it is large.
    FullChunked,
    /// A model reads and searches the artifact with the tools `Read` and `Grep`.
    ReadGrep,
    /// The artifact's head and tail, without a model.
    Truncate,
}

impl ExtractionMode {
    /// All modes, in the order of the tool's schema.
    pub const ALL: [ExtractionMode; 4] = [
        ExtractionMode::Auto,
        ExtractionMode::FullChunked,
        ExtractionMode::ReadGrep,
        ExtractionMode::Truncate,
    ];

    /// Returns the name by which a model knows the mode.
    pub const fn name(self) -> &'static str {
        match self {
            ExtractionMode::Auto => "auto",
            ExtractionMode::FullChunked => "full-chunked",
            ExtractionMode::ReadGrep => "read-grep",
            ExtractionMode::Truncate => "truncate",
        }
    }

    /// Returns the mode with this name.
    pub fn from_name(name: &str) -> Option<Self> {
        ExtractionMode::ALL.into_iter().find(|mode| mode.name() == name)
    }
}

/// A question about an artifact.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Question {
    /// The artifact.
    pub artifact: String,
    /// The text that says what to extract: 1 byte to 16 KiB.
    pub extract: String,
    /// The strategy.
    pub mode: ExtractionMode,
    /// The arguments of the call that produced the artifact, as JSON text.
    pub tool_arguments: Option<String>,
    /// Marks the model's answers: 8 to 64 letters and digits.
    pub nonce: Option<String>,
}

/// The limits of the model and of an extraction.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ExtractionConfig {
    /// The context window of the extraction's model, in tokens.
    pub context_tokens: u64,
    /// The maximum tokens of one answer of the model.
    pub max_output_tokens: u64,
    /// `auto` reads the whole artifact if it fits into this many chunks.
    pub max_full_chunks: u32,
    /// `auto` also reads the whole artifact if its lines are longer than this on average.
    pub long_line_bytes: u64,
    /// An artifact of more chunks is not read completely.
    pub max_chunks: u32,
    /// How much of a chunk repeats the end of the previous one, in percent.
    pub overlap_pct: u32,
    /// The maximum concurrent requests.
    pub max_parallel: u32,
    /// The maximum number of requests.
    pub max_requests: u32,
    /// The maximum tokens of all requests and their answers.
    pub max_tokens: Option<u64>,
    /// The maximum turns of a model with `Read` and `Grep`.
    pub max_turns: u32,
    /// The maximum calls of `Read` and `Grep`.
    pub max_tool_calls: u32,
    /// The maximum bytes of a reply to one of these calls.
    pub max_reply_bytes: u32,
    /// The maximum bytes of the answer.
    pub max_answer_bytes: u32,
}

/// The purpose of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RequestPurpose {
    /// To extract from a chunk.
    Extract,
    /// To combine extracts.
    Synthesize,
    /// To answer with `Read` and `Grep`.
    Search,
}

/// The model's call of a tool.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ModelCall {
    /// The id that its result refers to.
    pub id: String,
    /// The tool.
    pub name: String,
    /// The arguments as JSON text.
    pub arguments: String,
}

/// One turn of a model.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ModelTurn {
    /// The text.
    pub text: String,
    /// The calls of tools.
    pub calls: Vec<ModelCall>,
}

/// The result of a call.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CallResult {
    /// The id of the call.
    pub call_id: String,
    /// The text.
    pub text: String,
    /// Whether `text` reports an error.
    pub is_error: bool,
}

/// A message of a request.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RequestMessage {
    /// A user message.
    User(String),
    /// An earlier turn of the model.
    Model(ModelTurn),
    /// The results of all calls of that turn.
    Results(Vec<CallResult>),
}

/// A tool's definition, in the form that model providers expect.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ToolDefinition {
    /// The tool's name.
    pub name: String,
    /// The description for the model.
    pub description: String,
    /// The arguments: the text of a JSON Schema of type object.
    pub input_schema: String,
}

/// A request for the model.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ModelRequest {
    /// The id that the event with the outcome repeats.
    pub id: String,
    /// The purpose.
    pub purpose: RequestPurpose,
    /// The system prompt.
    pub system: String,
    /// The messages; the first is a user message.
    pub messages: Vec<RequestMessage>,
    /// The definitions of the tools. Some providers require them whenever a message contains a
    /// call.
    pub tools: Vec<ToolDefinition>,
    /// Whether the model may call a tool now; otherwise it must answer.
    pub may_call: bool,
    /// The tokens of the request, as the host counts them.
    pub input_tokens: u64,
    /// The maximum tokens of the answer.
    pub max_output_tokens: u64,
}

/// The reason why a model stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StopReason {
    /// The model has finished, or calls a tool.
    Finished,
    /// The answer was truncated at the output limit.
    Length,
}

/// A model's reply to a request.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ModelReply {
    /// The model's turn.
    pub turn: ModelTurn,
    /// The reason why the model stopped.
    pub stop: StopReason,
    /// The tokens of the request, as the provider counted them.
    pub input_tokens: Option<u64>,
    /// The tokens of the answer, as the provider counted them.
    pub output_tokens: Option<u64>,
}

/// An event that the host passes to a step.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ExtractionEvent {
    /// A request was answered.
    Reply {
        /// The request's id.
        request: String,
        /// The model's reply.
        reply: ModelReply,
    },
    /// A request failed.
    Failed {
        /// The request's id.
        request: String,
        /// The reason, in a sentence or two.
        why: String,
    },
    /// The step returns all open requests again.
    Resume,
    /// The extraction ends without further requests.
    Cancel,
}

/// Bytes of the artifact, `end` excluded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ByteSpan {
    /// The start.
    pub start: u64,
    /// The end, exclusive.
    pub end: u64,
}

/// How much of the artifact the answer is based on.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Coverage {
    /// The number of chunks; 0 if the artifact was not read in chunks.
    pub chunks: u32,
    /// Chunks that a model has read.
    pub chunks_done: u32,
    /// Chunks for which every attempt failed.
    pub chunks_failed: u32,
    /// Chunks that were not sent because a limit was reached, or that were unanswered when the
    /// extraction was canceled.
    pub chunks_skipped: u32,
    /// The size of the artifact's text.
    pub size_bytes: u64,
    /// The bytes that the model has read, in order and without overlaps.
    pub read: Vec<ByteSpan>,
}

/// A quoted passage of the answer, and its place in the artifact.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Quote {
    /// The passage.
    pub text: String,
    /// The first line that contains the passage, from 1; none if it was not found.
    pub line: Option<u64>,
    /// The offset of the passage in bytes.
    pub byte_offset: Option<u64>,
}

/// The outcome of an extraction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ExtractionOutcome {
    /// There is an answer.
    Found,
    /// The answer says that the artifact has nothing relevant.
    NotFound,
    /// The answer is the artifact's head and tail, because the strategy failed or because this
    /// was requested.
    Truncated,
    /// There is no answer; the text says why.
    Failed,
}

/// The usage of an extraction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ExtractionUsage {
    /// The number of requests.
    pub requests: u32,
    /// The tokens of the requests.
    pub input_tokens: u64,
    /// The tokens of the answers.
    pub output_tokens: u64,
}

/// The answer of an extraction.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Answer {
    /// The text for the agent's model.
    pub text: String,
    /// The answer of the extraction's model.
    pub content: String,
    /// The outcome.
    pub outcome: ExtractionOutcome,
    /// The strategy that produced the answer; `auto` only in a failure before the choice.
    pub strategy: ExtractionMode,
    /// Whether part of the artifact or of the extracts is missing from the answer.
    pub is_partial: bool,
    /// How much of the artifact the answer is based on.
    pub coverage: Coverage,
    /// The quotes in the answer, in order.
    pub quotes: Vec<Quote>,
    /// Warnings for the reader, a sentence each.
    pub warnings: Vec<String>,
    /// The usage.
    pub usage: ExtractionUsage,
}

/// The result of a step, which the host acts on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ExtractionStep {
    /// The state for the next step; empty with an answer.
    pub state: String,
    /// New requests, which may be sent concurrently.
    pub requests: Vec<ModelRequest>,
    /// The answer, at the end.
    pub answer: Option<Answer>,
}

/// The plan of an extraction and its cost.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ExtractionEstimate {
    /// The strategy.
    pub strategy: ExtractionMode,
    /// The reason for the strategy, as a clause.
    pub reason: String,
    /// The size of the artifact's text.
    pub size_bytes: u64,
    /// The number of lines.
    pub line_count: u64,
    /// The number of tokens; estimated from samples if the artifact is large.
    pub tokens: u64,
    /// The number of chunks; 0 if the artifact is empty or not read in chunks.
    pub chunks: u32,
    /// The number of requests if none fails; for `read-grep` the maximum.
    pub requests: u32,
    /// The tokens of the requests; for `read-grep` the maximum.
    pub input_tokens: u64,
    /// The maximum tokens of the answers.
    pub output_tokens: u64,
}
