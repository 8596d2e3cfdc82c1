//! The component in wasmtime, as an embedder uses it.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use tokio::runtime::Runtime;
use tuckaway::{Artifact, StoreError};
use tuckaway_host::{CallOptions, DefinitionOptions, ReadOptions, Tuckaway};

use crate::histories;
use crate::subject::{Answer, Session, Subject, answer};
use crate::{Call, Extraction, Histories, Planning, World};

/// More than any case takes, even on a busy machine.
const DEADLINE: Duration = Duration::from_secs(120);

/// `tuckaway-host` with the component that it embeds.
pub struct Sandboxed {
    runtime: Arc<Runtime>,
}

impl Default for Sandboxed {
    fn default() -> Self {
        Sandboxed { runtime: Arc::new(Runtime::new().expect("a runtime")) }
    }
}

struct SandboxedSession {
    runtime: Arc<Runtime>,
    tuckaway: Tuckaway,
}

impl Subject for Sandboxed {
    fn name(&self) -> &str {
        "wasmtime"
    }

    fn enter(&self, world: Arc<World>) -> Box<dyn Session> {
        let tuckaway = Tuckaway::builder()
            .store(Immediate(Arc::clone(&world)))
            .tokens(Immediate(world))
            .deadline(DEADLINE)
            .build()
            .expect("the embedded component");
        Box::new(SandboxedSession { runtime: Arc::clone(&self.runtime), tuckaway })
    }
}

impl Session for SandboxedSession {
    fn call(&mut self, call: &Call) -> Answer {
        let engine = &self.tuckaway;
        self.runtime.block_on(async {
            match call {
                Call::Decide { output, turn, policy } => answer(engine.decide(output, turn, policy).await),
                Call::Process { output, turn, policy } => answer(engine.process(output, turn, policy).await),
                Call::ProcessTurn { outputs, turn, policy } => {
                    answer(engine.process_turn(outputs, turn, policy).await)
                }
                Call::InferShape { content, max_bytes } => {
                    answer(engine.infer_shape(content, *max_bytes).await)
                }
                Call::Truncate { content, max_bytes } => answer(engine.truncate(content, *max_bytes).await),
                Call::Read { id, range, line_numbers, max_bytes } => answer(
                    engine
                        .read(id, range, &ReadOptions { line_numbers: *line_numbers, max_bytes: *max_bytes })
                        .await,
                ),
                Call::Grep { id, query, max_bytes } => answer(engine.grep(id, query, *max_bytes).await),
                Call::GrepAll { query, max_bytes } => answer(engine.grep_all(query, *max_bytes).await),
                Call::Jq { id, query, max_bytes } => answer(engine.jq(id, query, *max_bytes).await),
                Call::ListArtifacts => answer(engine.list_artifacts().await),
                Call::DefaultPolicy { dialect } => answer(engine.default_policy(*dialect).await),
                Call::Definitions { tools, dialect, is_final_turn, is_detailed } => answer(
                    engine
                        .tool_definitions(
                            tools,
                            &DefinitionOptions {
                                dialect: *dialect,
                                is_final_turn: *is_final_turn,
                                is_detailed: *is_detailed,
                            },
                        )
                        .await,
                ),
                Call::Call { name, arguments, max_bytes } => {
                    answer(engine.call_tool(name, arguments, &CallOptions { max_bytes: *max_bytes }).await)
                }
                Call::Planning(planning) => plan(engine, planning).await,
                Call::Extraction(extraction) => extract(engine, extraction).await,
                Call::Histories(histories) => manage(engine, histories).await,
            }
        })
    }
}

async fn plan(engine: &Tuckaway, planning: &Planning) -> Answer {
    match planning {
        Planning::CacheView { text, artifact, config } => {
            answer(engine.cache_view(text, artifact.as_deref(), config).await)
        }
        Planning::Unreferenced { texts } => answer(engine.unreferenced(texts).await),
        Planning::ShouldCompact { usage, config } => answer(engine.should_compact(usage, config).await),
        Planning::BudgetPreset { preset, total_window } => {
            answer(engine.budget_preset(*preset, *total_window).await)
        }
        Planning::CheckBudget { config } => answer(engine.check_budget(config).await),
        Planning::ReadRefusal { error } => answer(engine.read_refusal(error).await),
        Planning::Plan(plan) => {
            answer(engine.plan(&plan.conversation, &plan.task, &plan.answers, &plan.state).await)
        }
    }
}

async fn extract(engine: &Tuckaway, extraction: &Extraction) -> Answer {
    match extraction {
        Extraction::Config { context_tokens } => answer(engine.extraction_config(*context_tokens).await),
        Extraction::ParseCall { arguments } => answer(engine.parse_extraction_call(arguments).await),
        Extraction::Estimate { question, config } => {
            answer(engine.estimate_extraction(question, config).await)
        }
        Extraction::Start { question, config } => answer(engine.start_extraction(question, config).await),
        Extraction::Step { state, event } => answer(engine.step_extraction(state, event).await),
    }
}

async fn manage(engine: &Tuckaway, histories: &Histories) -> Answer {
    match histories {
        Histories::Detect { json } => answer(engine.detect_format(json).await),
        Histories::ReadUsage { usage } => answer(engine.read_usage(usage).await),
        Histories::Manage(run) => {
            let mut step = engine.start_history(&run.input, run.memory.as_deref(), &run.task).await?;
            for answer in &run.answers {
                if step.request.is_none() {
                    break;
                }
                step = engine.step_history(&run.input, &run.task, &step.state, answer).await?;
            }
            Ok(histories::outcome(step))
        }
    }
}

/// Adapts a synchronous store or token counter to the host's asynchronous traits.
pub struct Immediate<T>(pub Arc<T>);

#[async_trait]
impl<T: tuckaway::Store + Send + Sync> tuckaway_host::Store for Immediate<T> {
    async fn create(&self, tool: &str, media_type: &str) -> Result<String, StoreError> {
        self.0.create(tool, media_type)
    }

    async fn append(&self, id: &str, bytes: Vec<u8>) -> Result<(), StoreError> {
        self.0.append(id, &bytes)
    }

    async fn seal(&self, id: &str, line_count: u64) -> Result<Artifact, StoreError> {
        self.0.seal(id, line_count)
    }

    async fn stat(&self, id: &str) -> Result<Artifact, StoreError> {
        self.0.stat(id)
    }

    async fn read(&self, id: &str, offset: u64, length: u32) -> Result<Vec<u8>, StoreError> {
        self.0.read(id, offset, length)
    }

    async fn list_artifacts(&self) -> Result<Vec<Artifact>, StoreError> {
        self.0.list_artifacts()
    }

    async fn delete(&self, id: &str) -> Result<(), StoreError> {
        self.0.delete(id)
    }
}

#[async_trait]
impl<T: tuckaway::CountTokens + Send + Sync> tuckaway_host::CountTokens for Immediate<T> {
    async fn count(&self, text: &str) -> Result<u64, String> {
        self.0.count(text)
    }
}
