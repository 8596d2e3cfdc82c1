// Written by `cargo xtask contract` from wit/; do not edit.

//! The records of the interface `extraction`.

use serde::{Deserialize, Serialize};
#[cfg(feature = "component")]
use wasmtime::component::{ComponentType, Lift, Lower};

use super::ToolDefinition;

/// The strategy for finding the answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(not(feature = "exhaustive"), non_exhaustive)]
#[cfg_attr(feature = "component", derive(ComponentType, Lift, Lower), component(enum))]
#[repr(u8)]
pub enum ExtractionMode {
    /// Chosen by the size of the artifact and the length of its lines.
    #[cfg_attr(feature = "component", component(name = "auto"))]
    #[default]
    Auto,
    /// A model reads the whole artifact, in chunks if it is large, and combines its findings.
    #[cfg_attr(feature = "component", component(name = "full-chunked"))]
    FullChunked,
    /// A model reads and searches the artifact with the tools `Read` and `Grep`.
    #[cfg_attr(feature = "component", component(name = "read-grep"))]
    ReadGrep,
    /// Returns the artifact's head and tail, without a model.
    #[cfg_attr(feature = "component", component(name = "truncate"))]
    Truncate,
}

impl ExtractionMode {
    /// All cases, in the order of the contract.
    pub const ALL: [ExtractionMode; 4] = [
        ExtractionMode::Auto,
        ExtractionMode::FullChunked,
        ExtractionMode::ReadGrep,
        ExtractionMode::Truncate,
    ];

    /// Returns the name of the case, as JSON has it.
    pub const fn name(self) -> &'static str {
        match self {
            ExtractionMode::Auto => "auto",
            ExtractionMode::FullChunked => "full-chunked",
            ExtractionMode::ReadGrep => "read-grep",
            ExtractionMode::Truncate => "truncate",
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

/// A question about an artifact.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "component", derive(ComponentType, Lift, Lower), component(record))]
pub struct Question {
    /// The artifact.
    pub artifact: String,
    /// The information to extract, in words: 1 byte to 16 KiB.
    pub extract: String,
    /// The strategy. Default: `auto`.
    #[serde(default)]
    pub mode: ExtractionMode,
    /// The arguments of the call that produced the artifact, as JSON text for the model: truncated
    /// to 4 KiB. Omitted if unknown.
    #[cfg_attr(feature = "component", component(name = "tool-arguments"))]
    pub tool_arguments: Option<String>,
    /// Marks the model's answer: 8 to 64 letters and digits that nobody could have put into the
    /// artifact on purpose. Default: derived from the artifact's id, which is unguessable.
    pub nonce: Option<String>,
}

/// Limits of the model and of the extraction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "component", derive(ComponentType, Lift, Lower), component(record))]
pub struct ExtractionConfig {
    /// The context window of the extraction's model, in tokens: 2048 to 2^32.
    #[cfg_attr(feature = "component", component(name = "context-tokens"))]
    pub context_tokens: u64,
    /// Maximum tokens of each of its answers: at least 64, at most half of the context window.
    /// Default: 4096, or an eighth of the window if that is less.
    #[cfg_attr(feature = "component", component(name = "max-output-tokens"))]
    pub max_output_tokens: u64,
    /// `auto` reads the whole artifact if it fits into this many chunks: at least 1. Default: 1.
    #[cfg_attr(feature = "component", component(name = "max-full-chunks"))]
    pub max_full_chunks: u32,
    /// `auto` also reads the whole artifact if its lines are longer than this many bytes on
    /// average. Default: 1000.
    #[cfg_attr(feature = "component", component(name = "long-line-bytes"))]
    pub long_line_bytes: u64,
    /// An artifact of more chunks is read with `Read` and `Grep` instead of as a whole, and the
    /// answer says so: 1 to 1024. Default: 64.
    #[cfg_attr(feature = "component", component(name = "max-chunks"))]
    pub max_chunks: u32,
    /// The share of a chunk that repeats the end of the previous chunk, in percent: 0 to 50.
    /// Default: 10.
    #[cfg_attr(feature = "component", component(name = "overlap-pct"))]
    pub overlap_pct: u32,
    /// Maximum concurrent requests: 1 to 64. Default: 4.
    #[cfg_attr(feature = "component", component(name = "max-parallel"))]
    pub max_parallel: u32,
    /// Maximum requests in total: at least 1. Default: 150.
    #[cfg_attr(feature = "component", component(name = "max-requests"))]
    pub max_requests: u32,
    /// Maximum tokens of all requests and their answers, counted before a request is made. Default:
    /// no limit.
    #[cfg_attr(feature = "component", component(name = "max-tokens"))]
    pub max_tokens: Option<u64>,
    /// Maximum turns of a model with `Read` and `Grep`: 2 to 64. Default: 12.
    #[cfg_attr(feature = "component", component(name = "max-turns"))]
    pub max_turns: u32,
    /// Maximum calls of `Read` and `Grep`: 1 to 256. Default: 40.
    #[cfg_attr(feature = "component", component(name = "max-tool-calls"))]
    pub max_tool_calls: u32,
    /// Maximum bytes of the reply to such a call: 256 to 65536. Default: 16384.
    #[cfg_attr(feature = "component", component(name = "max-reply-bytes"))]
    pub max_reply_bytes: u32,
    /// Maximum bytes of the answer: 1024 to 1048576. Default: 32768.
    #[cfg_attr(feature = "component", component(name = "max-answer-bytes"))]
    pub max_answer_bytes: u32,
}

/// The purpose of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(not(feature = "exhaustive"), non_exhaustive)]
#[cfg_attr(feature = "component", derive(ComponentType, Lift, Lower), component(enum))]
#[repr(u8)]
pub enum RequestPurpose {
    /// To extract from a chunk.
    #[cfg_attr(feature = "component", component(name = "extract"))]
    Extract,
    /// To combine the extracts of several chunks.
    #[cfg_attr(feature = "component", component(name = "synthesize"))]
    Synthesize,
    /// To answer with `Read` and `Grep`.
    #[cfg_attr(feature = "component", component(name = "search"))]
    Search,
}

impl RequestPurpose {
    /// All cases, in the order of the contract.
    pub const ALL: [RequestPurpose; 3] =
        [RequestPurpose::Extract, RequestPurpose::Synthesize, RequestPurpose::Search];

    /// Returns the name of the case, as JSON has it.
    pub const fn name(self) -> &'static str {
        match self {
            RequestPurpose::Extract => "extract",
            RequestPurpose::Synthesize => "synthesize",
            RequestPurpose::Search => "search",
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

/// A call of a tool by the model.
#[derive(Clone, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "component", derive(ComponentType, Lift, Lower), component(record))]
pub struct ModelCall {
    /// The id that its result refers to.
    pub id: String,
    /// The name of the tool.
    pub name: String,
    /// The arguments as JSON text.
    pub arguments: String,
}

/// A turn of the model.
#[derive(Clone, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "component", derive(ComponentType, Lift, Lower), component(record))]
pub struct ModelTurn {
    /// The text; empty if the model only calls tools.
    pub text: String,
    /// The tool calls. Default: none.
    #[serde(default)]
    pub calls: Vec<ModelCall>,
}

/// The result of a tool call.
#[derive(Clone, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(not(feature = "exhaustive"), non_exhaustive)]
#[cfg_attr(feature = "component", derive(ComponentType, Lift, Lower), component(record))]
pub struct CallResult {
    /// The id of the call.
    #[cfg_attr(feature = "component", component(name = "call-id"))]
    pub call_id: String,
    /// The text.
    pub text: String,
    /// Whether `text` reports a mistake.
    #[cfg_attr(feature = "component", component(name = "is-error"))]
    pub is_error: bool,
}

/// A message of a request.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "component", derive(ComponentType, Lift, Lower), component(variant))]
pub enum RequestMessage {
    /// A message of the user.
    #[cfg_attr(feature = "component", component(name = "user"))]
    User(String),
    /// An earlier turn of the model.
    #[cfg_attr(feature = "component", component(name = "model"))]
    Model(ModelTurn),
    /// The results of all its calls.
    #[cfg_attr(feature = "component", component(name = "results"))]
    Results(Vec<CallResult>),
}

/// A request to the model. It never becomes part of the agent's history.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(not(feature = "exhaustive"), non_exhaustive)]
#[cfg_attr(feature = "component", derive(ComponentType, Lift, Lower), component(record))]
pub struct ModelRequest {
    /// Identifies the request in the event that answers it.
    pub id: String,
    /// The purpose.
    pub purpose: RequestPurpose,
    /// The system prompt.
    pub system: String,
    /// The messages; the first one is the user's.
    pub messages: Vec<RequestMessage>,
    /// The tools that calls in the messages refer to. Some providers require them as long as a
    /// message has a call.
    pub tools: Vec<ToolDefinition>,
    /// Whether the model may call a tool now; if not, it has to answer.
    #[cfg_attr(feature = "component", component(name = "may-call"))]
    pub may_call: bool,
    /// The tokens of the request as the host counts them.
    #[cfg_attr(feature = "component", component(name = "input-tokens"))]
    pub input_tokens: u64,
    /// Maximum tokens of the answer.
    #[cfg_attr(feature = "component", component(name = "max-output-tokens"))]
    pub max_output_tokens: u64,
}

/// The reason why a model stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "component", derive(ComponentType, Lift, Lower), component(enum))]
#[repr(u8)]
pub enum StopReason {
    /// The answer is complete, or calls a tool.
    #[cfg_attr(feature = "component", component(name = "finished"))]
    #[default]
    Finished,
    /// The answer reached the output limit and is incomplete.
    #[cfg_attr(feature = "component", component(name = "length"))]
    Length,
}

impl StopReason {
    /// All cases, in the order of the contract.
    pub const ALL: [StopReason; 2] = [StopReason::Finished, StopReason::Length];

    /// Returns the name of the case, as JSON has it.
    pub const fn name(self) -> &'static str {
        match self {
            StopReason::Finished => "finished",
            StopReason::Length => "length",
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

/// A model's answer to a request.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "component", derive(ComponentType, Lift, Lower), component(record))]
pub struct ModelReply {
    /// The turn, without content that the provider marks as thinking.
    pub turn: ModelTurn,
    /// The reason why the model stopped. Default: `finished`.
    #[serde(default)]
    pub stop: StopReason,
    /// The tokens of the request as the provider counted them.
    #[cfg_attr(feature = "component", component(name = "input-tokens"))]
    pub input_tokens: Option<u64>,
    /// The tokens of the answer as the provider counted them.
    #[cfg_attr(feature = "component", component(name = "output-tokens"))]
    pub output_tokens: Option<u64>,
}

/// A request was answered.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "component", derive(ComponentType, Lift, Lower), component(record))]
pub struct ReplyEvent {
    /// The id of the request.
    pub request: String,
    /// The answer.
    pub reply: ModelReply,
}

/// A request failed and the host has given up retrying.
#[derive(Clone, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "component", derive(ComponentType, Lift, Lower), component(record))]
pub struct FailureEvent {
    /// The id of the request.
    pub request: String,
    /// The reason: one or two sentences; only the first 300 bytes are kept.
    pub why: String,
}

/// An event that the host reports.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "component", derive(ComponentType, Lift, Lower), component(variant))]
pub enum ExtractionEvent {
    /// A request was answered.
    #[cfg_attr(feature = "component", component(name = "reply"))]
    Reply(ReplyEvent),
    /// A request failed.
    #[cfg_attr(feature = "component", component(name = "failed"))]
    Failed(FailureEvent),
    /// The host has lost track of its open requests: the next step returns all unanswered requests
    /// again.
    #[cfg_attr(feature = "component", component(name = "resume"))]
    Resume,
    /// Stops the extraction: no more requests are made, and the answer has the findings so far.
    /// Without any, its outcome is `failed`.
    #[cfg_attr(feature = "component", component(name = "cancel"))]
    Cancel,
}

/// A range of bytes of the artifact, `end` excluded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(not(feature = "exhaustive"), non_exhaustive)]
#[cfg_attr(feature = "component", derive(ComponentType, Lift, Lower), component(record))]
pub struct ByteSpan {
    /// The first byte.
    pub start: u64,
    /// The end, excluded.
    pub end: u64,
}

/// The part of the artifact that the answer is based on.
#[derive(Clone, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(not(feature = "exhaustive"), non_exhaustive)]
#[cfg_attr(feature = "component", derive(ComponentType, Lift, Lower), component(record))]
pub struct Coverage {
    /// Number of chunks; 0 if the artifact was not read in chunks.
    pub chunks: u32,
    /// Chunks that a model has read.
    #[cfg_attr(feature = "component", component(name = "chunks-done"))]
    pub chunks_done: u32,
    /// Chunks for which every attempt failed.
    #[cfg_attr(feature = "component", component(name = "chunks-failed"))]
    pub chunks_failed: u32,
    /// Chunks that were not sent because a limit was reached, or that had no answer when the
    /// extraction was canceled.
    #[cfg_attr(feature = "component", component(name = "chunks-skipped"))]
    pub chunks_skipped: u32,
    /// The size of the artifact's text in bytes.
    #[cfg_attr(feature = "component", component(name = "size-bytes"))]
    pub size_bytes: u64,
    /// The ranges that the model has read, in order, without overlaps. Ranges that only `Grep` has
    /// searched do not count. At most 100; further ranges are merged.
    pub read: Vec<ByteSpan>,
}

/// A passage in quotation marks from the answer, looked up in the artifact.
#[derive(Clone, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(not(feature = "exhaustive"), non_exhaustive)]
#[cfg_attr(feature = "component", derive(ComponentType, Lift, Lower), component(record))]
pub struct Quote {
    /// The passage.
    pub text: String,
    /// The first line that contains the passage, from 1; none if no line does.
    pub line: Option<u64>,
    /// The byte offset of that occurrence.
    #[cfg_attr(feature = "component", component(name = "byte-offset"))]
    pub byte_offset: Option<u64>,
}

/// The outcome of an extraction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(not(feature = "exhaustive"), non_exhaustive)]
#[cfg_attr(feature = "component", derive(ComponentType, Lift, Lower), component(enum))]
#[repr(u8)]
pub enum ExtractionOutcome {
    /// The answer was found.
    #[cfg_attr(feature = "component", component(name = "found"))]
    Found,
    /// The answer says that the artifact has no such data.
    #[cfg_attr(feature = "component", component(name = "not-found"))]
    NotFound,
    /// The strategy failed, or truncation was requested: the answer is the artifact's head and
    /// tail.
    #[cfg_attr(feature = "component", component(name = "truncated"))]
    Truncated,
    /// There is no answer; the text says why.
    #[cfg_attr(feature = "component", component(name = "failed"))]
    Failed,
}

impl ExtractionOutcome {
    /// All cases, in the order of the contract.
    pub const ALL: [ExtractionOutcome; 4] = [
        ExtractionOutcome::Found,
        ExtractionOutcome::NotFound,
        ExtractionOutcome::Truncated,
        ExtractionOutcome::Failed,
    ];

    /// Returns the name of the case, as JSON has it.
    pub const fn name(self) -> &'static str {
        match self {
            ExtractionOutcome::Found => "found",
            ExtractionOutcome::NotFound => "not_found",
            ExtractionOutcome::Truncated => "truncated",
            ExtractionOutcome::Failed => "failed",
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

/// Requests and tokens used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(not(feature = "exhaustive"), non_exhaustive)]
#[cfg_attr(feature = "component", derive(ComponentType, Lift, Lower), component(record))]
pub struct ExtractionUsage {
    /// Requests that were made.
    pub requests: u32,
    /// Tokens of the requests: the provider's count, or else the host's.
    #[cfg_attr(feature = "component", component(name = "input-tokens"))]
    pub input_tokens: u64,
    /// Tokens of the answers: the provider's count, or else the host's.
    #[cfg_attr(feature = "component", component(name = "output-tokens"))]
    pub output_tokens: u64,
}

/// The answer to a question.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(not(feature = "exhaustive"), non_exhaustive)]
#[cfg_attr(feature = "component", derive(ComponentType, Lift, Lower), component(record))]
pub struct Answer {
    /// The text for the agent's model: a line with tool, artifact and strategy, then the content
    /// with notes on quotes and on missing parts. At most `max_answer_bytes`.
    pub text: String,
    /// The answer of the extraction's model without its wrapper. If the model did not combine the
    /// extracts of several chunks, all of them in order. If it did not answer, the artifact's head
    /// and tail, or the message of a failure.
    pub content: String,
    /// The outcome.
    pub outcome: ExtractionOutcome,
    /// The strategy used; `auto` only if the extraction failed before choosing one.
    pub strategy: ExtractionMode,
    /// Whether the answer lacks part of the artifact or of the extracts.
    #[cfg_attr(feature = "component", component(name = "is-partial"))]
    pub is_partial: bool,
    /// The part of the artifact that the answer is based on.
    pub coverage: Coverage,
    /// The quotes in the answer, in order: at most 32.
    pub quotes: Vec<Quote>,
    /// Warnings for the reader, one sentence each: a strategy was replaced, chunks are missing, or
    /// a limit was reached.
    pub warnings: Vec<String>,
    /// Requests and tokens used.
    pub usage: ExtractionUsage,
}

/// The host's next step.
#[derive(Clone, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(not(feature = "exhaustive"), non_exhaustive)]
#[cfg_attr(feature = "component", derive(ComponentType, Lift, Lower), component(record))]
pub struct ExtractionStep {
    /// The state for the next step; empty if there is an answer.
    pub state: String,
    /// New requests. They may be sent concurrently, even while earlier requests are still
    /// unanswered. There may be none while others are unanswered.
    pub requests: Vec<ModelRequest>,
    /// The answer, once the extraction has ended.
    pub answer: Option<Answer>,
}

/// The expected cost of an extraction.
#[derive(Clone, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(not(feature = "exhaustive"), non_exhaustive)]
#[cfg_attr(feature = "component", derive(ComponentType, Lift, Lower), component(record))]
pub struct ExtractionEstimate {
    /// The strategy.
    pub strategy: ExtractionMode,
    /// Why it was chosen, in one sentence.
    pub reason: String,
    /// The size of the artifact's text in bytes.
    #[cfg_attr(feature = "component", component(name = "size-bytes"))]
    pub size_bytes: u64,
    /// Lines of the artifact.
    #[cfg_attr(feature = "component", component(name = "line-count"))]
    pub line_count: u64,
    /// Tokens of the artifact; estimated from samples if it is large.
    pub tokens: u64,
    /// Number of chunks; 0 if the artifact is empty or is not read in chunks.
    pub chunks: u32,
    /// Requests if none fails; for `read-grep`, the maximum.
    pub requests: u32,
    /// Tokens of the requests; for `read-grep`, the maximum.
    #[cfg_attr(feature = "component", component(name = "input-tokens"))]
    pub input_tokens: u64,
    /// Maximum tokens of the answers.
    #[cfg_attr(feature = "component", component(name = "output-tokens"))]
    pub output_tokens: u64,
}
