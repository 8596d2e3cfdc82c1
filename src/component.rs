//! The engine as a component: the only file that names wit-bindgen.
//!
//! Converts the host's records to those of the contract, calls [`Engine`], and converts its
//! answers back. It decides nothing and copies nothing: each field is moved, so that the engine
//! reads an output of 100 MB in place.

use tuckaway_contract::{
    Artifact, ArtifactTool, CacheConfig, CallOptions, CompactionConfig, DefinitionOptions, Policy,
    ReadOptions, StoreError, ToolOutput,
};

use crate::Engine;
use crate::ports::{CountTokens, Store};

use bindings::Component;
use bindings::exports::tuckaway::context::{
    artifacts, budget, cache, compaction, conversation, extraction, histories, offload, planning, reduce,
    tools, types,
};
use bindings::tuckaway::context::{store, tokens};
use convert::all;

mod convert;
mod records;

/// The bindings that are generated from `wit/`.
mod bindings {
    // The canonical ABI passes pointers and lengths, so the generated code is necessarily unsafe;
    // ours is not. Its items are documented in `wit/`.
    #![allow(unsafe_code, missing_docs, clippy::all)]
    wit_bindgen::generate!({ world: "engine", path: "wit" });
    export!(Component with_types_in self);

    /// Implements the exports.
    pub struct Component;
}

/// Returns the engine over the two imports.
fn engine() -> Engine<'static> {
    Engine::new(&HostStore, &HostTokens)
}

struct HostStore;

impl Store for HostStore {
    fn create(&self, tool: &str, media_type: &str) -> Result<String, StoreError> {
        Ok(store::create(tool, media_type)?)
    }

    fn append(&self, id: &str, bytes: &[u8]) -> Result<(), StoreError> {
        Ok(store::append(id, bytes)?)
    }

    fn seal(&self, id: &str, line_count: u64) -> Result<Artifact, StoreError> {
        Ok(store::seal(id, line_count)?.into())
    }

    fn stat(&self, id: &str) -> Result<Artifact, StoreError> {
        Ok(store::stat(id)?.into())
    }

    fn read(&self, id: &str, offset: u64, length: u32) -> Result<Vec<u8>, StoreError> {
        Ok(store::read(id, offset, length)?)
    }

    fn list_artifacts(&self) -> Result<Vec<Artifact>, StoreError> {
        Ok(all(store::list_artifacts()?))
    }

    fn delete(&self, id: &str) -> Result<(), StoreError> {
        Ok(store::delete(id)?)
    }
}

struct HostTokens;

impl CountTokens for HostTokens {
    fn count(&self, text: &str) -> Result<u64, String> {
        tokens::count(text)
    }
}

impl offload::Guest for Component {
    fn default_policy(dialect: types::Dialect) -> offload::Policy {
        Policy::for_dialect(dialect.into()).into()
    }

    fn decide(
        output: offload::ToolOutput,
        turn: offload::Turn,
        policy: offload::Policy,
    ) -> Result<offload::Decision, types::Error> {
        Ok(engine().decide(&output.into(), &turn.into(), &policy.into())?.into())
    }

    fn process(
        output: offload::ToolOutput,
        turn: offload::Turn,
        policy: offload::Policy,
    ) -> Result<offload::View, types::Error> {
        Ok(engine().process(&output.into(), &turn.into(), &policy.into())?.into())
    }

    fn process_turn(
        outputs: Vec<offload::ToolOutput>,
        turn: offload::Turn,
        policy: offload::Policy,
    ) -> Result<Vec<offload::View>, types::Error> {
        let outputs: Vec<ToolOutput> = all(outputs);
        Ok(all(engine().process_turn(&outputs, &turn.into(), &policy.into())?))
    }
}

impl reduce::Guest for Component {
    fn infer_shape(content: Vec<u8>, max_bytes: Option<u32>) -> Result<reduce::Shape, types::Error> {
        Ok(engine().infer_shape(content, max_bytes)?.into())
    }

    fn truncate(content: Vec<u8>, max_bytes: u64) -> Result<String, types::Error> {
        Ok(engine().truncate(content, max_bytes)?)
    }
}

impl artifacts::Guest for Component {
    fn read(
        id: String,
        range: artifacts::Range,
        line_numbers: bool,
        max_bytes: Option<u32>,
    ) -> Result<artifacts::Page, types::Error> {
        Ok(engine().read(&id, &range.into(), &ReadOptions { line_numbers, max_bytes })?.into())
    }

    fn grep(
        id: String,
        query: artifacts::GrepQuery,
        max_bytes: Option<u32>,
    ) -> Result<artifacts::Matches, types::Error> {
        Ok(engine().grep(&id, &query.into(), max_bytes)?.into())
    }

    fn grep_all(
        query: artifacts::GrepQuery,
        max_bytes: Option<u32>,
    ) -> Result<artifacts::AllMatches, types::Error> {
        Ok(engine().grep_all(&query.into(), max_bytes)?.into())
    }

    fn jq(
        id: String,
        query: artifacts::JqQuery,
        max_bytes: Option<u32>,
    ) -> Result<artifacts::Outputs, types::Error> {
        Ok(engine().jq(&id, &query.into(), max_bytes)?.into())
    }

    fn list_artifacts() -> Result<Vec<store::Artifact>, types::Error> {
        Ok(all(engine().list_artifacts()?))
    }
}

impl tools::Guest for Component {
    fn definitions(
        tools: Vec<types::ArtifactTool>,
        dialect: types::Dialect,
        is_final_turn: bool,
        is_detailed: bool,
    ) -> Vec<tools::ToolDefinition> {
        let tools: Vec<ArtifactTool> = all(tools);
        let options = DefinitionOptions { dialect: dialect.into(), is_final_turn, is_detailed };
        all(engine().tool_definitions(&tools, &options))
    }

    fn call(
        name: String,
        arguments: String,
        max_bytes: Option<u32>,
    ) -> Result<tools::ToolReply, types::Error> {
        Ok(engine().call_tool(&name, &arguments, &CallOptions { max_bytes })?.into())
    }
}

impl cache::Guest for Component {
    fn default_config() -> cache::CacheConfig {
        CacheConfig::default().into()
    }

    fn view(
        text: String,
        artifact: Option<String>,
        config: cache::CacheConfig,
    ) -> Result<cache::CacheView, types::Error> {
        Ok(engine().cache_view(&text, artifact.as_deref(), &config.into())?.into())
    }

    fn unreferenced(texts: Vec<String>) -> Result<Vec<String>, types::Error> {
        Ok(engine().unreferenced(&texts)?)
    }
}

impl compaction::Guest for Component {
    fn default_config() -> compaction::CompactionConfig {
        CompactionConfig::default().into()
    }

    fn should_compact(
        usage: conversation::TokenUsage,
        config: compaction::CompactionConfig,
    ) -> Result<bool, types::Error> {
        Ok(engine().should_compact(&usage.into(), &config.into())?)
    }
}

impl budget::Guest for Component {
    fn preset_config(
        preset: budget::Preset,
        total_window: Option<u64>,
    ) -> Result<budget::BudgetConfig, types::Error> {
        Ok(engine().budget_preset(preset.into(), total_window)?.into())
    }

    fn check(config: budget::BudgetConfig) -> Result<Vec<conversation::Alarm>, types::Error> {
        Ok(all(engine().check_budget(&config.into())?))
    }
}

impl planning::Guest for Component {
    fn read_refusal(error: String) -> planning::ProviderRefusal {
        engine().read_refusal(&error).into()
    }

    fn plan(
        conversation: conversation::Conversation,
        task: planning::Task,
        answers: Vec<String>,
        state: conversation::PlanState,
    ) -> Result<conversation::Step, types::Error> {
        Ok(engine().plan(&conversation.into(), &task.into(), &answers, &state.into())?.into())
    }
}

impl extraction::Guest for Component {
    fn default_config(context_tokens: u64) -> Result<extraction::ExtractionConfig, types::Error> {
        Ok(engine().extraction_config(context_tokens)?.into())
    }

    fn parse_call(arguments: String) -> Result<extraction::Question, types::Error> {
        Ok(engine().parse_extraction_call(&arguments)?.into())
    }

    fn estimate(
        question: extraction::Question,
        config: extraction::ExtractionConfig,
    ) -> Result<extraction::ExtractionEstimate, types::Error> {
        Ok(engine().estimate_extraction(&question.into(), &config.into())?.into())
    }

    fn start(
        question: extraction::Question,
        config: extraction::ExtractionConfig,
    ) -> Result<extraction::ExtractionStep, types::Error> {
        Ok(engine().start_extraction(&question.into(), &config.into())?.into())
    }

    fn step(
        state: String,
        event: extraction::ExtractionEvent,
    ) -> Result<extraction::ExtractionStep, types::Error> {
        Ok(engine().step_extraction(&state, &event.into())?.into())
    }
}

impl histories::Guest for Component {
    fn detect_format(history: String) -> Result<histories::HistoryFormat, types::Error> {
        Ok(engine().detect_format(&history)?.into())
    }

    fn read_usage(usage: String) -> Result<conversation::TokenUsage, types::Error> {
        Ok(engine().read_usage(&usage)?.into())
    }

    fn start(
        history: histories::HistoryInput,
        memory: Option<String>,
        task: planning::Task,
    ) -> Result<histories::HistoryStep, types::Error> {
        Ok(engine().start_history(history.into(), memory.as_deref(), task.into())?.into())
    }

    fn step(
        history: histories::HistoryInput,
        task: planning::Task,
        state: String,
        answer: histories::SummaryAnswer,
    ) -> Result<histories::HistoryStep, types::Error> {
        Ok(engine().step_history(history.into(), task.into(), &state, answer.into())?.into())
    }
}
