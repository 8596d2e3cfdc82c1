//! The engine as a component.
//!
//! The bindings have the records of the contract, so that it only calls [`Engine`]. It decides nothing
//! and copies nothing: the engine reads an output of 100 MB in place.

use tuckaway_contract::{
    Alarm, AllMatches, Artifact, ArtifactTool, BudgetConfig, CacheConfig, CacheView, CallOptions,
    CompactionConfig, Conversation, Decision, DefinitionOptions, Dialect, Error, ExtractionConfig,
    ExtractionEstimate, ExtractionEvent, ExtractionStep, GrepQuery, HistoryFormat, HistoryInput, HistoryStep,
    JqQuery, Matches, Outputs, Page, PlanState, Policy, Preset, ProviderRefusal, Question, Range,
    ReadOptions, Shape, Step, StoreError, SummaryAnswer, Task, TokenUsage, ToolDefinition, ToolOutput,
    ToolReply, Turn, View,
};

use crate::Engine;
use crate::ports::{CountTokens, Store};

use bindings::Component;
use bindings::exports::tuckaway::context::{
    artifacts, budget, cache, compaction, extraction, histories, offload, planning, reduce, tools,
};
use bindings::tuckaway::context::{store, tokens};

mod bindings;

/// Returns the engine over the two imports.
fn engine() -> Engine<'static> {
    Engine::new(&HostStore, &HostTokens)
}

struct HostStore;

impl Store for HostStore {
    fn create(&self, tool: &str, media_type: &str) -> Result<String, StoreError> {
        store::create(tool, media_type)
    }

    fn append(&self, id: &str, bytes: &[u8]) -> Result<(), StoreError> {
        store::append(id, bytes)
    }

    fn seal(&self, id: &str, line_count: u64) -> Result<Artifact, StoreError> {
        store::seal(id, line_count)
    }

    fn stat(&self, id: &str) -> Result<Artifact, StoreError> {
        store::stat(id)
    }

    fn read(&self, id: &str, offset: u64, length: u32) -> Result<Vec<u8>, StoreError> {
        store::read(id, offset, length)
    }

    fn list_artifacts(&self) -> Result<Vec<Artifact>, StoreError> {
        store::list_artifacts()
    }

    fn delete(&self, id: &str) -> Result<(), StoreError> {
        store::delete(id)
    }
}

struct HostTokens;

impl CountTokens for HostTokens {
    fn count(&self, text: &str) -> Result<u64, String> {
        tokens::count(text)
    }
}

impl offload::Guest for Component {
    fn default_policy(dialect: Dialect) -> Policy {
        Policy::for_dialect(dialect)
    }

    fn decide(output: ToolOutput, turn: Turn, policy: Policy) -> Result<Decision, Error> {
        engine().decide(&output, &turn, &policy)
    }

    fn process(output: ToolOutput, turn: Turn, policy: Policy) -> Result<View, Error> {
        engine().process(&output, &turn, &policy)
    }

    fn process_turn(outputs: Vec<ToolOutput>, turn: Turn, policy: Policy) -> Result<Vec<View>, Error> {
        engine().process_turn(&outputs, &turn, &policy)
    }
}

impl reduce::Guest for Component {
    fn infer_shape(content: Vec<u8>, max_bytes: Option<u32>) -> Result<Shape, Error> {
        engine().infer_shape(content, max_bytes)
    }

    fn truncate(content: Vec<u8>, max_bytes: u64) -> Result<String, Error> {
        engine().truncate(content, max_bytes)
    }
}

impl artifacts::Guest for Component {
    fn read(id: String, range: Range, line_numbers: bool, max_bytes: Option<u32>) -> Result<Page, Error> {
        engine().read(&id, &range, &ReadOptions { line_numbers, max_bytes })
    }

    fn grep(id: String, query: GrepQuery, max_bytes: Option<u32>) -> Result<Matches, Error> {
        engine().grep(&id, &query, max_bytes)
    }

    fn grep_all(query: GrepQuery, max_bytes: Option<u32>) -> Result<AllMatches, Error> {
        engine().grep_all(&query, max_bytes)
    }

    fn jq(id: String, query: JqQuery, max_bytes: Option<u32>) -> Result<Outputs, Error> {
        engine().jq(&id, &query, max_bytes)
    }

    fn list_artifacts() -> Result<Vec<Artifact>, Error> {
        engine().list_artifacts()
    }
}

impl tools::Guest for Component {
    fn definitions(
        tools: Vec<ArtifactTool>,
        dialect: Dialect,
        is_final_turn: bool,
        is_detailed: bool,
    ) -> Vec<ToolDefinition> {
        let options = DefinitionOptions { dialect, is_final_turn, is_detailed };
        engine().tool_definitions(&tools, &options)
    }

    fn call(name: String, arguments: String, max_bytes: Option<u32>) -> Result<ToolReply, Error> {
        engine().call_tool(&name, &arguments, &CallOptions { max_bytes })
    }
}

impl cache::Guest for Component {
    fn default_config() -> CacheConfig {
        CacheConfig::default()
    }

    fn view(text: String, artifact: Option<String>, config: CacheConfig) -> Result<CacheView, Error> {
        engine().cache_view(&text, artifact.as_deref(), &config)
    }

    fn unreferenced(texts: Vec<String>) -> Result<Vec<String>, Error> {
        engine().unreferenced(&texts)
    }
}

impl compaction::Guest for Component {
    fn default_config() -> CompactionConfig {
        CompactionConfig::default()
    }

    fn should_compact(usage: TokenUsage, config: CompactionConfig) -> Result<bool, Error> {
        engine().should_compact(&usage, &config)
    }
}

impl budget::Guest for Component {
    fn preset_config(preset: Preset, total_window: Option<u64>) -> Result<BudgetConfig, Error> {
        engine().budget_preset(preset, total_window)
    }

    fn check(config: BudgetConfig) -> Result<Vec<Alarm>, Error> {
        engine().check_budget(&config)
    }
}

impl planning::Guest for Component {
    fn read_refusal(error: String) -> ProviderRefusal {
        engine().read_refusal(&error)
    }

    fn plan(
        conversation: Conversation,
        task: Task,
        answers: Vec<String>,
        state: PlanState,
    ) -> Result<Step, Error> {
        engine().plan(&conversation, &task, &answers, &state)
    }
}

impl extraction::Guest for Component {
    fn default_config(context_tokens: u64) -> Result<ExtractionConfig, Error> {
        engine().extraction_config(context_tokens)
    }

    fn parse_call(arguments: String) -> Result<Question, Error> {
        engine().parse_extraction_call(&arguments)
    }

    fn estimate(question: Question, config: ExtractionConfig) -> Result<ExtractionEstimate, Error> {
        engine().estimate_extraction(&question, &config)
    }

    fn start(question: Question, config: ExtractionConfig) -> Result<ExtractionStep, Error> {
        engine().start_extraction(&question, &config)
    }

    fn step(state: String, event: ExtractionEvent) -> Result<ExtractionStep, Error> {
        engine().step_extraction(&state, &event)
    }
}

impl histories::Guest for Component {
    fn detect_format(history: String) -> Result<HistoryFormat, Error> {
        engine().detect_format(&history)
    }

    fn read_usage(usage: String) -> Result<TokenUsage, Error> {
        engine().read_usage(&usage)
    }

    fn start(history: HistoryInput, memory: Option<String>, task: Task) -> Result<HistoryStep, Error> {
        engine().start_history(history, memory.as_deref(), task)
    }

    fn step(
        history: HistoryInput,
        task: Task,
        state: String,
        answer: SummaryAnswer,
    ) -> Result<HistoryStep, Error> {
        engine().step_history(history, task, &state, answer)
    }
}
