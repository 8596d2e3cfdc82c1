//! # tuckaway
//!
//! Keeps LLM agents inside their context window. This crate is the engine: plain
//! Rust without I/O. [`Engine`] has everything; a [`Store`] and a [`CountTokens`]
//! are all that it needs from its host. Built for WebAssembly it is a component
//! (`src/component.rs`) that imports exactly those two.
//!
//! ```text
//! tool output ─► blocks ─► gates ─► decision ─┬─► inline ──────────────────────────────► view
//!  (text, JSON,   (type,    (first              ├─► artifact ─► store ─► shape ─► envelope ─► view
//!   bytes, or      size,     that fires           └─► truncate ─► head, notice, tail ──────► view
//!   stored id)     lines)    wins)
//! artifact id ─► read | grep | jq ─► bounded page + cursor
//! conversation ─► account ─► trim, evict, summarize ─► plan (data) ─► the host applies it
//! ```
//!
//! The modules are declared in the order of the data.
//!
//! There is no unsafe code except what wit-bindgen generates for the component, which
//! `forbid` would not allow.
#![cfg_attr(not(target_family = "wasm"), forbid(unsafe_code))]

mod error;
mod model;
mod ports;

mod policy;

mod artifact;

mod reduce;

mod offload;

mod query;
mod tools;

mod conversation;
mod extraction;

#[cfg(target_family = "wasm")]
mod component;

pub use artifact::{check_artifact_id, is_artifact_id};
pub use error::{Error, ErrorKind, MAX_MESSAGE_BYTES};
pub use model::{
    Action, Artifact, ArtifactTool, ArtifactTools, Block, Content, Decision, Dialect, Gate, GrepQuery,
    JqQuery, Match, Matches, Mode, Outputs, Page, Policy, Range, Shape, ToolDefinition, ToolOutput,
    ToolOverride, ToolReply, Turn, View,
};
pub use offload::MIN_VIEW_BYTES;
pub use ports::{CountTokens, Expiry, Store, StoreError};
pub use query::{DEFAULT_PAGE_BYTES, MIN_PAGE_BYTES};
pub use tuckaway_conversation::{
    Account, Alarm, AlarmKind, Bucket, BucketCap, BudgetConfig, CacheConfig, CacheView, CompactionConfig,
    Conversation, Entry, Layer, Message, Overflow, Part, Plan, PlanState, Preset, PromptCache, Receipt,
    Removal, Replacement, Role, Span, Step, Strategy, SummaryRequest, Task, TextMessage, TokenUsage,
    ToolCall, ToolResult, ToolSpec, Usage,
};
pub use tuckaway_extraction::{
    Answer, ByteSpan, CallResult, Coverage, ExtractionConfig, ExtractionEstimate, ExtractionEvent,
    ExtractionMode, ExtractionOutcome, ExtractionStep, ExtractionUsage, ModelCall, ModelReply, ModelRequest,
    ModelTurn, Question, Quote, RequestMessage, RequestPurpose, StopReason,
};

use conversation::Surroundings;
use tuckaway_conversation as planning;
use tuckaway_conversation::{budget, cache, compaction};

/// The engine over one store and one token counter.
///
/// All lasting state is in the store. Calls only cache what makes later ones faster,
/// and no answer depends on it.
///
/// Every method returns an [`Error`] of kind [`Store`](ErrorKind::Store) if the
/// store fails. Queries on an artifact also return
/// [`NotFound`](ErrorKind::NotFound) and [`Expired`](ErrorKind::Expired), and
/// [`InvalidInput`](ErrorKind::InvalidInput) for a malformed id.
#[derive(Clone, Copy)]
pub struct Engine<'a> {
    store: &'a dyn Store,
    tokens: &'a dyn CountTokens,
}

impl<'a> Engine<'a> {
    /// Creates an engine over a store and a token counter.
    pub fn new(store: &'a dyn Store, tokens: &'a dyn CountTokens) -> Self {
        Engine { store, tokens }
    }

    /// Returns the decision for one output. Stores nothing.
    ///
    /// Errors: [`InvalidInput`](ErrorKind::InvalidInput) for a policy that
    /// contradicts itself, a context window of 0, and blocks that cannot be
    /// combined.
    pub fn decide(&self, output: &ToolOutput, turn: &Turn, policy: &Policy) -> Result<Decision, Error> {
        offload::decide(self.store, self.tokens, output, turn, policy)
    }

    /// Reduces one output to its view: the same as a turn of one output.
    ///
    /// If the store does not accept the output, or the token counter fails, the
    /// decision records it as a failure, not as an error. Errors: as
    /// [`decide`](Self::decide).
    pub fn process(&self, output: &ToolOutput, turn: &Turn, policy: &Policy) -> Result<View, Error> {
        offload::process(self.store, self.tokens, output, turn, policy)
    }

    /// Reduces all outputs of one turn so that together they fit the headroom: the
    /// largest are reduced first (max-min fairness). Returns the views in the order
    /// of the outputs.
    ///
    /// Errors: as [`process`](Self::process).
    pub fn process_turn(
        &self,
        outputs: &[ToolOutput],
        turn: &Turn,
        policy: &Policy,
    ) -> Result<Vec<View>, Error> {
        offload::process_turn(self.store, self.tokens, outputs, turn, policy)
    }

    /// Describes what a text or bytes contain in at most `max_bytes`: at least 256, 2048
    /// if `None`. The empty text has a shape too.
    ///
    /// Errors: [`InvalidInput`](ErrorKind::InvalidInput) for less than 256.
    pub fn infer_shape(&self, content: impl AsRef<[u8]>, max_bytes: Option<u32>) -> Result<Shape, Error> {
        reduce::infer_shape(content.as_ref(), max_bytes)
    }

    /// Cuts a text to head and tail in at most `max_bytes`, between graphemes; JSON
    /// stays valid JSON. Returns a text that fits unchanged, and a note for bytes that
    /// are not text.
    ///
    /// Errors: [`InvalidInput`](ErrorKind::InvalidInput) for less than
    /// [`MIN_VIEW_BYTES`].
    pub fn truncate(&self, content: impl AsRef<[u8]>, max_bytes: u64) -> Result<String, Error> {
        reduce::truncate(content.as_ref(), max_bytes)
    }

    /// Reads part of an artifact, in pages of at most `max_bytes`: at least
    /// [`MIN_PAGE_BYTES`], [`DEFAULT_PAGE_BYTES`] if `None`. With `line_numbers`, each
    /// line follows its number and a tab.
    ///
    /// Errors: [`InvalidInput`](ErrorKind::InvalidInput) for a `max_bytes` that is
    /// too small, and for a malformed range or cursor.
    pub fn read(
        &self,
        id: &str,
        range: &Range,
        line_numbers: bool,
        max_bytes: Option<u32>,
    ) -> Result<Page, Error> {
        query::read::read(self.store, id, range, line_numbers, max_bytes)
    }

    /// Finds the lines of an artifact that match a pattern, in pages of at most
    /// `max_bytes`: at least [`MIN_PAGE_BYTES`], [`DEFAULT_PAGE_BYTES`] if `None`.
    ///
    /// Errors: [`InvalidInput`](ErrorKind::InvalidInput) for a `max_bytes` that is
    /// too small, and for a query outside its documented ranges;
    /// [`Unsupported`](ErrorKind::Unsupported) for binary content.
    pub fn grep(&self, id: &str, query: &GrepQuery, max_bytes: Option<u32>) -> Result<Matches, Error> {
        query::grep::grep(self.store, id, query, max_bytes)
    }

    /// Runs a jq filter on an artifact that is JSON, or can be read as JSON, in
    /// pages of at most `max_bytes`: at least [`MIN_PAGE_BYTES`],
    /// [`DEFAULT_PAGE_BYTES`] if `None`.
    ///
    /// An error that the running filter raises is [`Outputs::failure`]. Errors:
    /// [`InvalidInput`](ErrorKind::InvalidInput) for a `max_bytes` that is too
    /// small, and for a query outside its documented ranges;
    /// [`Unsupported`](ErrorKind::Unsupported) for content that cannot be read as
    /// JSON; [`Limit`](ErrorKind::Limit) for a filter, document or value that
    /// passes a limit.
    pub fn jq(&self, id: &str, query: &JqQuery, max_bytes: Option<u32>) -> Result<Outputs, Error> {
        query::jq::jq(self.store, id, query, max_bytes)
    }

    /// Lists all artifacts of the session, oldest first.
    pub fn list_artifacts(&self) -> Result<Vec<Artifact>, Error> {
        artifact::list(self.store)
    }

    /// Returns the definitions of the given tools in a dialect, in the order read, grep,
    /// jq; none in a final turn. [`Dialect::Handle`] has none either while the store is
    /// empty.
    pub fn definitions(
        &self,
        tools: &ArtifactTools,
        dialect: Dialect,
        is_final_turn: bool,
    ) -> Vec<ToolDefinition> {
        tools::definitions(self.store, tools, dialect, is_final_turn)
    }

    /// Runs a tool with the arguments that a model passed, as JSON. The name says which
    /// tool of which dialect. The whole reply has at most `max_bytes`: at least [`MIN_PAGE_BYTES`],
    /// [`DEFAULT_PAGE_BYTES`] if `None`.
    ///
    /// A mistake that the model can correct is a reply with
    /// [`is_error`](ToolReply::is_error). Errors:
    /// [`InvalidInput`](ErrorKind::InvalidInput) for a name that is not an artifact
    /// tool's, and for a `max_bytes` that is too small;
    /// [`Unsupported`](ErrorKind::Unsupported) for a valid call of `tool_output` in
    /// another mode than `truncate`, which an extraction has to run.
    pub fn call(&self, name: &str, arguments: &str, max_bytes: Option<u32>) -> Result<ToolReply, Error> {
        tools::call(self.store, name, arguments, max_bytes)
    }

    /// Cuts an output to its view in the conversation: long lines, then the whole. A note
    /// at its end names the artifact from which the rest can be read.
    ///
    /// Errors: [`InvalidInput`](ErrorKind::InvalidInput) for a configuration that
    /// contradicts itself.
    pub fn cache_view(
        &self,
        text: &str,
        artifact: Option<&str>,
        config: &CacheConfig,
    ) -> Result<CacheView, Error> {
        artifact.map(check_artifact_id).transpose()?;
        Ok(cache::view(text, artifact, config)?)
    }

    /// Returns the artifacts of the store that none of the texts names: if these are all
    /// texts, arguments and references of a conversation, nothing in it leads to them.
    pub fn unreferenced(&self, texts: &[String]) -> Result<Vec<String>, Error> {
        let artifacts = self.list_artifacts()?.into_iter().map(|artifact| artifact.id).collect();
        Ok(cache::unreferenced(texts, artifacts))
    }

    /// Returns whether the total of a usage has reached the threshold.
    ///
    /// Errors: [`InvalidInput`](ErrorKind::InvalidInput) for a configuration that
    /// contradicts itself, or that names no context limit.
    pub fn should_compact(&self, usage: &TokenUsage, config: &CompactionConfig) -> Result<bool, Error> {
        Ok(compaction::should_compact(usage, config)?)
    }

    /// Returns a budget for a kind of agent, scaled to a window; its own if `None`.
    ///
    /// Errors: [`InvalidInput`](ErrorKind::InvalidInput) for a window of 0.
    pub fn budget_preset(&self, preset: Preset, total_window: Option<u64>) -> Result<BudgetConfig, Error> {
        Ok(budget::preset(preset, total_window)?)
    }

    /// Returns what is unusual about a budget.
    ///
    /// Errors: [`InvalidInput`](ErrorKind::InvalidInput) for one that contradicts itself.
    pub fn check_budget(&self, config: &BudgetConfig) -> Result<Vec<Alarm>, Error> {
        Ok(budget::check(config)?)
    }

    /// Plans a task for a conversation. `answers` are those of the model to the requests of
    /// earlier steps of the same task; empty at first.
    ///
    /// A store that refuses is an [`Alarm`], not an error. Errors:
    /// [`InvalidInput`](ErrorKind::InvalidInput) for a history whose calls and results are
    /// not paired, a usage of more messages than there are, a configuration that
    /// contradicts itself, and a context limit that is not known.
    pub fn plan(
        &self,
        conversation: &Conversation,
        task: &Task,
        answers: &[String],
        state: &PlanState,
    ) -> Result<Step, Error> {
        let surroundings = Surroundings { store: self.store, tokens: self.tokens };
        Ok(planning::plan(conversation, task, answers, state, &surroundings)?)
    }

    /// Returns the default limits of an extraction for a model's context window.
    ///
    /// Errors: [`InvalidInput`](ErrorKind::InvalidInput) for fewer than 2048 tokens or more than
    /// 2^32.
    pub fn extraction_config(&self, context_tokens: u64) -> Result<ExtractionConfig, Error> {
        extraction::config(context_tokens)
    }

    /// Reads the arguments of a call of the tool `tool_output`.
    ///
    /// Errors: [`InvalidInput`](ErrorKind::InvalidInput), for the model: how to correct the
    /// call.
    pub fn parse_extraction_call(&self, arguments: &str) -> Result<Question, Error> {
        extraction::parse_call(arguments)
    }

    /// Returns what an extraction would take, without starting one.
    ///
    /// Errors: as [`start_extraction`](Self::start_extraction), and for an artifact that is
    /// not there or has no text.
    pub fn estimate_extraction(
        &self,
        question: &Question,
        config: &ExtractionConfig,
    ) -> Result<ExtractionEstimate, Error> {
        extraction::estimate(self.store, self.tokens, question, config)
    }

    /// Begins an extraction: a question about an artifact, answered by a model that the
    /// caller asks. One that needs no model has its answer at once, as has one whose
    /// artifact cannot be read.
    ///
    /// Errors: [`InvalidInput`](ErrorKind::InvalidInput) for a malformed question or
    /// configuration.
    pub fn start_extraction(
        &self,
        question: &Question,
        config: &ExtractionConfig,
    ) -> Result<ExtractionStep, Error> {
        extraction::start(self.store, self.tokens, question, config)
    }

    /// Goes on with an extraction.
    ///
    /// Errors: [`InvalidInput`](ErrorKind::InvalidInput) for a state that was changed, and
    /// for a reply to a request that is not open. The state is still valid then.
    pub fn step_extraction(&self, state: &str, event: &ExtractionEvent) -> Result<ExtractionStep, Error> {
        extraction::step(self.store, self.tokens, state, event)
    }
}
