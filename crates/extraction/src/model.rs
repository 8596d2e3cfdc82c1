//! The records of `wit/extraction.wit` as plain Rust: the same names, the same meaning.

use serde::{Deserialize, Serialize};

/// How the answer is found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ExtractionMode {
    /// Chosen by the size of the artifact and the length of its lines.
    Auto,
    /// A model reads all of it, in chunks if it is large.
    FullChunked,
    /// A model reads and searches it with the tools `Read` and `Grep`.
    ReadGrep,
    /// Its head and tail, without a model.
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

    /// Returns the mode of this name.
    pub fn from_name(name: &str) -> Option<Self> {
        ExtractionMode::ALL.into_iter().find(|mode| mode.name() == name)
    }
}

/// What is asked.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Question {
    /// The artifact.
    pub artifact: String,
    /// What to extract: 1 byte to 16 KiB.
    pub extract: String,
    /// How.
    pub mode: ExtractionMode,
    /// The arguments of the call that the artifact is the output of, as JSON text.
    pub tool_arguments: Option<String>,
    /// Marks what the model answers: 8 to 64 letters and digits.
    pub nonce: Option<String>,
}

/// The model's limits, and those of an extraction.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ExtractionConfig {
    /// The context window of the model that is asked, in tokens.
    pub context_tokens: u64,
    /// The most tokens of one of its answers.
    pub max_output_tokens: u64,
    /// `auto` reads everything if it fits into this many chunks.
    pub max_full_chunks: u32,
    /// `auto` also reads everything if the lines are longer than this in the mean.
    pub long_line_bytes: u64,
    /// An artifact of more chunks is not read as a whole.
    pub max_chunks: u32,
    /// How much of a chunk repeats the end of the one before, in percent.
    pub overlap_pct: u32,
    /// The most requests that are not answered at the same time.
    pub max_parallel: u32,
    /// The most requests of all.
    pub max_requests: u32,
    /// The most tokens of all requests and their answers.
    pub max_tokens: Option<u64>,
    /// The most turns of a model with `Read` and `Grep`.
    pub max_turns: u32,
    /// The most calls of `Read` and `Grep`.
    pub max_tool_calls: u32,
    /// The most bytes of a reply to one of them.
    pub max_reply_bytes: u32,
    /// The most bytes of the answer.
    pub max_answer_bytes: u32,
}

/// Why a request is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RequestPurpose {
    /// To extract from a chunk.
    Extract,
    /// To put together what was extracted.
    Synthesize,
    /// To answer with `Read` and `Grep`.
    Search,
}

/// A call of a tool by the model.
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

/// What a model said.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ModelTurn {
    /// Its text.
    pub text: String,
    /// The tools that it called.
    pub calls: Vec<ModelCall>,
}

/// What a tool returned to it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CallResult {
    /// The id of the call.
    pub call_id: String,
    /// The text.
    pub text: String,
    /// Whether `text` reports a mistake.
    pub is_error: bool,
}

/// A message of a request.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RequestMessage {
    /// A message of the user.
    User(String),
    /// An earlier turn of the model.
    Model(ModelTurn),
    /// The results of its calls: all of them.
    Results(Vec<CallResult>),
}

/// A tool, in the form that model providers expect.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ToolDefinition {
    /// Its name.
    pub name: String,
    /// What it does, for the model.
    pub description: String,
    /// Its arguments: the text of a JSON Schema of type object.
    pub input_schema: String,
}

/// A request for the model.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ModelRequest {
    /// Names the request in the event that answers it.
    pub id: String,
    /// Why it is made.
    pub purpose: RequestPurpose,
    /// The system prompt.
    pub system: String,
    /// The messages; the first one is the user's.
    pub messages: Vec<RequestMessage>,
    /// The tools that its calls are of: some providers want them as long as a message has
    /// a call.
    pub tools: Vec<ToolDefinition>,
    /// Whether the model may call one of them now; if not, it has to answer.
    pub may_call: bool,
    /// Its tokens, as the host counts them.
    pub input_tokens: u64,
    /// The most tokens of the answer.
    pub max_output_tokens: u64,
}

/// Why a model stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StopReason {
    /// It had finished, or calls a tool.
    Finished,
    /// Its answer was cut at the limit of its output.
    Length,
}

/// The answer of a model.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ModelReply {
    /// What it said.
    pub turn: ModelTurn,
    /// Why it stopped.
    pub stop: StopReason,
    /// The tokens of the request as the provider counted them.
    pub input_tokens: Option<u64>,
    /// The tokens of the answer as the provider counted them.
    pub output_tokens: Option<u64>,
}

/// What happened.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ExtractionEvent {
    /// A request was answered.
    Reply {
        /// The request.
        request: String,
        /// The answer.
        reply: ModelReply,
    },
    /// A request failed.
    Failed {
        /// The request.
        request: String,
        /// Why, in a sentence or two.
        why: String,
    },
    /// All requests that are not answered are returned again.
    Resume,
    /// No more requests shall be made.
    Cancel,
}

/// Bytes of the artifact, `end` excluded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ByteSpan {
    /// The first.
    pub start: u64,
    /// The one behind the last.
    pub end: u64,
}

/// How much of the artifact the answer rests on.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Coverage {
    /// Chunks; 0 if it was not read in chunks.
    pub chunks: u32,
    /// Chunks that a model has read.
    pub chunks_done: u32,
    /// Chunks for which every attempt failed.
    pub chunks_failed: u32,
    /// Chunks that were not sent because a limit was reached, or not answered when the
    /// extraction was canceled.
    pub chunks_skipped: u32,
    /// The size of the artifact's text.
    pub size_bytes: u64,
    /// The bytes that the model has read, in order, not overlapping.
    pub read: Vec<ByteSpan>,
}

/// A passage of the answer in quotation marks, searched for in the artifact.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Quote {
    /// The passage.
    pub text: String,
    /// The first line that has it, from 1; none if no line has.
    pub line: Option<u64>,
    /// The offset of that, in bytes.
    pub byte_offset: Option<u64>,
}

/// How an extraction ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ExtractionOutcome {
    /// With an answer.
    Found,
    /// With an answer that says that there is nothing of the kind.
    NotFound,
    /// The strategy failed, or this was asked for: the answer is the artifact's head and
    /// tail.
    Truncated,
    /// There is no answer: the text says why.
    Failed,
}

/// What was used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ExtractionUsage {
    /// Requests that were made.
    pub requests: u32,
    /// Their tokens.
    pub input_tokens: u64,
    /// The tokens of the answers.
    pub output_tokens: u64,
}

/// The answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Answer {
    /// For the agent's model.
    pub text: String,
    /// What the extraction's model answered.
    pub content: String,
    /// How it ended.
    pub outcome: ExtractionOutcome,
    /// The strategy that led to it: `auto` only in a failure before one was chosen.
    pub strategy: ExtractionMode,
    /// Whether part of the artifact, or of what was extracted, is not in it.
    pub is_partial: bool,
    /// How much of the artifact it rests on.
    pub coverage: Coverage,
    /// Its quotes, in order.
    pub quotes: Vec<Quote>,
    /// What the reader should know, a sentence each.
    pub warnings: Vec<String>,
    /// What it took.
    pub usage: ExtractionUsage,
}

/// What the host does next.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ExtractionStep {
    /// The state for the next step; empty with an answer.
    pub state: String,
    /// New requests, which may be sent side by side.
    pub requests: Vec<ModelRequest>,
    /// The answer, at the end.
    pub answer: Option<Answer>,
}

/// What an extraction would take.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ExtractionEstimate {
    /// The strategy.
    pub strategy: ExtractionMode,
    /// Why, in a sentence.
    pub reason: String,
    /// The size of the artifact's text.
    pub size_bytes: u64,
    /// Its lines.
    pub line_count: u64,
    /// Its tokens; estimated from samples if it is large.
    pub tokens: u64,
    /// Chunks; 0 if it is not read in chunks, or empty.
    pub chunks: u32,
    /// The requests, if none fails; the most of them for `read-grep`.
    pub requests: u32,
    /// Their tokens; the most of them for `read-grep`.
    pub input_tokens: u64,
    /// The most tokens of the answers.
    pub output_tokens: u64,
}
