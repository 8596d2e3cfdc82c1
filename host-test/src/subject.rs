//! The subject under test: an engine, wherever it runs.

use std::sync::Arc;

use serde::Serialize;
use serde_json::Value;
use tuckaway::{CallOptions, DefinitionOptions, Engine, Error, Policy, ReadOptions};

use crate::histories;
use crate::{Call, Extraction, Histories, Planning, World};

/// The answer of a call: the contract's record as JSON, or its error.
pub type Answer = Result<Value, Error>;

/// An engine, wherever it runs.
pub trait Subject {
    /// Returns its name, for people.
    fn name(&self) -> &str;

    /// Starts the engine in a world, for the calls of one case.
    fn enter(&self, world: Arc<World>) -> Box<dyn Session>;
}

/// An engine in a world.
pub trait Session {
    /// Makes a call.
    fn call(&mut self, call: &Call) -> Answer;

    /// Returns the artifacts that the calls have stored, if the engine has a store of its own: by id, as
    /// [`World::after`] shows them.
    fn own_store(&mut self) -> Option<Value> {
        None
    }
}

/// Defines tests that run a check natively and, if the feature is on, in the sandbox.
#[macro_export]
macro_rules! everywhere {
    ($check:ident) => {
        #[test]
        fn natively() {
            $check(&$crate::Native);
        }

        #[cfg(feature = "sandbox")]
        #[test]
        fn in_the_sandbox() {
            $check(&$crate::Sandboxed::default());
        }
    };
}

/// Converts a record of the contract, or its error, to an answer.
pub(crate) fn answer<T: Serialize>(result: Result<T, Error>) -> Answer {
    result.map(|record| serde_json::to_value(record).expect("the contract's records are JSON"))
}

/// The native engine.
pub struct Native;

struct NativeSession(Arc<World>);

impl Subject for Native {
    fn name(&self) -> &str {
        "native"
    }

    fn enter(&self, world: Arc<World>) -> Box<dyn Session> {
        Box::new(NativeSession(world))
    }
}

impl Session for NativeSession {
    fn call(&mut self, call: &Call) -> Answer {
        let engine = Engine::new(&*self.0, &*self.0);
        match call {
            Call::Decide { output, turn, policy } => answer(engine.decide(output, turn, policy)),
            Call::Process { output, turn, policy } => answer(engine.process(output, turn, policy)),
            Call::ProcessTurn { outputs, turn, policy } => answer(engine.process_turn(outputs, turn, policy)),
            Call::InferShape { content, max_bytes } => answer(engine.infer_shape(content, *max_bytes)),
            Call::Truncate { content, max_bytes } => answer(engine.truncate(content, *max_bytes)),
            Call::Read { id, range, line_numbers, max_bytes } => answer(engine.read(
                id,
                range,
                &ReadOptions { line_numbers: *line_numbers, max_bytes: *max_bytes },
            )),
            Call::Grep { id, query, max_bytes } => answer(engine.grep(id, query, *max_bytes)),
            Call::GrepAll { query, max_bytes } => answer(engine.grep_all(query, *max_bytes)),
            Call::Jq { id, query, max_bytes } => answer(engine.jq(id, query, *max_bytes)),
            Call::ListArtifacts => answer(engine.list_artifacts()),
            Call::DefaultPolicy { dialect } => answer(Ok(Policy::for_dialect(*dialect))),
            Call::Definitions { tools, dialect, is_final_turn, is_detailed } => {
                let (dialect, is_final_turn, is_detailed) = (*dialect, *is_final_turn, *is_detailed);
                let options = DefinitionOptions { dialect, is_final_turn, is_detailed };
                answer(Ok(engine.tool_definitions(tools, &options)))
            }
            Call::Call { name, arguments, max_bytes } => {
                answer(engine.call_tool(name, arguments, &CallOptions { max_bytes: *max_bytes }))
            }
            Call::Planning(planning) => plan(&engine, planning),
            Call::Extraction(extraction) => extract(&engine, extraction),
            Call::Histories(histories) => manage(&engine, histories),
        }
    }
}

fn plan(engine: &Engine<'_>, planning: &Planning) -> Answer {
    match planning {
        Planning::CacheView { text, artifact, config } => {
            answer(engine.cache_view(text, artifact.as_deref(), config))
        }
        Planning::Unreferenced { texts } => answer(engine.unreferenced(texts)),
        Planning::ShouldCompact { usage, config } => answer(engine.should_compact(usage, config)),
        Planning::BudgetPreset { preset, total_window } => {
            answer(engine.budget_preset(*preset, *total_window))
        }
        Planning::CheckBudget { config } => answer(engine.check_budget(config)),
        Planning::ReadRefusal { error } => answer(Ok(engine.read_refusal(error))),
        Planning::Plan(plan) => {
            answer(engine.plan(&plan.conversation, &plan.task, &plan.answers, &plan.state))
        }
    }
}

fn extract(engine: &Engine<'_>, extraction: &Extraction) -> Answer {
    match extraction {
        Extraction::Config { context_tokens } => answer(engine.extraction_config(*context_tokens)),
        Extraction::ParseCall { arguments } => answer(engine.parse_extraction_call(arguments)),
        Extraction::Estimate { question, config } => answer(engine.estimate_extraction(question, config)),
        Extraction::Start { question, config } => answer(engine.start_extraction(question, config)),
        Extraction::Step { state, event } => answer(engine.step_extraction(state, event)),
    }
}

fn manage(engine: &Engine<'_>, histories: &Histories) -> Answer {
    match histories {
        Histories::Detect { json } => answer(engine.detect_format(json)),
        Histories::ReadUsage { usage } => answer(engine.read_usage(usage)),
        Histories::Manage(run) => {
            let mut step =
                engine.start_history(run.input.clone(), run.memory.as_deref(), run.task.clone())?;
            for answer in &run.answers {
                if step.request.is_none() {
                    break;
                }
                step =
                    engine.step_history(run.input.clone(), run.task.clone(), &step.state, answer.clone())?;
            }
            Ok(histories::outcome(step))
        }
    }
}
