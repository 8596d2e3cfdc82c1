//! Requests of the package to the engine: a method by name, with plain values.

use std::sync::Arc;

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyTuple};
use pythonize::pythonize;
use serde::Serialize;
use tuckaway_host::{
    ArtifactTool, BudgetConfig, CacheConfig, CallOptions, CompactionConfig, Conversation, DefinitionOptions,
    Dialect, Error, ExtractOptions, ExtractionConfig, ExtractionEvent, GrepQuery, HistoryInput, JqQuery,
    Model, PlanState, Policy, Preset, Question, Range, ReadOptions, StoredMedia, SummaryAnswer, Task,
    TokenUsage, Tuckaway, Turn,
};

use crate::arguments::Arguments;
use crate::callback::{Answer, Work, notify};
use crate::errors;
use crate::history::manage;
use crate::model::{compaction, model};
use crate::output::{Bytes, Output, Outputs};

fn work<T: Serialize + Send + 'static>(
    answer: impl Future<Output = Result<T, Error>> + Send + 'static,
) -> Work {
    Box::pin(async move {
        let value = answer.await?;
        Ok(Box::new(move |py: Python<'_>| Ok(pythonize(py, &value)?.unbind())) as Answer)
    })
}

/// Reads the arguments of a method, and calls it.
macro_rules! ask {
    ($arguments:ident, ($($name:ident: $type:ty),*) => $answer:expr) => {{
        let mut arguments = Arguments::of($arguments);
        $(let $name: $type = arguments.next(stringify!($name))?;)*
        Ok(work(async move { $answer.await }))
    }};
}

/// Starts a method. A malformed argument is rejected immediately.
pub fn begin(engine: Tuckaway, method: &str, arguments: &Bound<'_, PyTuple>) -> PyResult<Work> {
    match method {
        "default_policy" => ask!(arguments, (dialect: Dialect) => engine.default_policy(dialect)),
        "decide" => ask!(
            arguments, (output: Output, turn: Turn, policy: Policy) =>
            engine.decide(&output.0, &turn, &policy)
        ),
        "process" => ask!(
            arguments, (output: Output, turn: Turn, policy: Policy) =>
            engine.process(&output.0, &turn, &policy)
        ),
        "process_turn" => ask!(
            arguments, (outputs: Outputs, turn: Turn, policy: Policy) =>
            engine.process_turn(&outputs.0, &turn, &policy)
        ),
        "infer_shape" => ask!(
            arguments, (content: Bytes, max_bytes: Option<u32>) =>
            engine.infer_shape(content.0, max_bytes)
        ),
        "truncate" => ask!(
            arguments, (content: Bytes, max_bytes: u64) =>
            engine.truncate(content.0, max_bytes)
        ),
        _ => artifacts(engine, method, arguments),
    }
}

fn artifacts(engine: Tuckaway, method: &str, arguments: &Bound<'_, PyTuple>) -> PyResult<Work> {
    match method {
        "read" => ask!(
            arguments, (id: String, range: Range, line_numbers: bool, max_bytes: Option<u32>) =>
            engine.read(&id, &range, &ReadOptions { line_numbers, max_bytes })
        ),
        "grep" => ask!(
            arguments, (id: String, query: GrepQuery, max_bytes: Option<u32>) =>
            engine.grep(&id, &query, max_bytes)
        ),
        "grep_all" => ask!(
            arguments, (query: GrepQuery, max_bytes: Option<u32>) =>
            engine.grep_all(&query, max_bytes)
        ),
        "jq" => ask!(
            arguments, (id: String, query: JqQuery, max_bytes: Option<u32>) =>
            engine.jq(&id, &query, max_bytes)
        ),
        "list_artifacts" => Ok(work(async move { engine.list_artifacts().await })),
        "definitions" => ask!(
            arguments, (tools: Vec<ArtifactTool>, dialect: Dialect, is_final_turn: bool, is_detailed: bool) =>
            engine.tool_definitions(&tools, &DefinitionOptions { dialect, is_final_turn, is_detailed })
        ),
        "call" => ask!(
            arguments, (name: String, arguments: String, max_bytes: Option<u32>) =>
            engine.call_tool(&name, &arguments, &CallOptions { max_bytes })
        ),
        "media_bytes" => {
            let media: StoredMedia = Arguments::of(arguments).next("media")?;
            Ok(Box::pin(async move {
                let bytes = engine.media_bytes(&media).await?;
                Ok(Box::new(move |py: Python<'_>| Ok(PyBytes::new(py, &bytes).into_any().unbind())) as Answer)
            }))
        }
        _ => conversation(engine, method, arguments),
    }
}

fn conversation(engine: Tuckaway, method: &str, arguments: &Bound<'_, PyTuple>) -> PyResult<Work> {
    match method {
        "cache_view" => ask!(
            arguments, (text: String, artifact: Option<String>, config: CacheConfig) =>
            engine.cache_view(&text, artifact.as_deref(), &config)
        ),
        "unreferenced" => ask!(arguments, (texts: Vec<String>) => engine.unreferenced(&texts)),
        "should_compact" => ask!(
            arguments, (usage: TokenUsage, config: CompactionConfig) =>
            engine.should_compact(&usage, &config)
        ),
        "budget_preset" => ask!(
            arguments, (preset: Preset, total_window: Option<u64>) =>
            engine.budget_preset(preset, total_window)
        ),
        "check_budget" => ask!(arguments, (config: BudgetConfig) => engine.check_budget(&config)),
        "read_refusal" => ask!(arguments, (error: String) => engine.read_refusal(&error)),
        "account" => ask!(arguments, (conversation: Conversation) => engine.account(&conversation)),
        "plan" => ask!(
            arguments, (conversation: Conversation, task: Task, answers: Vec<String>, state: PlanState) =>
            engine.plan(&conversation, &task, &answers, &state)
        ),
        _ => histories(engine, method, arguments),
    }
}

fn histories(engine: Tuckaway, method: &str, arguments: &Bound<'_, PyTuple>) -> PyResult<Work> {
    match method {
        "detect_format" => ask!(arguments, (history: String) => engine.detect_format(&history)),
        "read_usage" => ask!(arguments, (usage: String) => engine.read_usage(&usage)),
        "start_history" => ask!(
            arguments, (history: HistoryInput, memory: Option<String>, task: Task) =>
            engine.start_history(&history, memory.as_deref(), &task)
        ),
        "step_history" => ask!(
            arguments, (history: HistoryInput, task: Task, state: String, answer: SummaryAnswer) =>
            engine.step_history(&history, &task, &state, &answer)
        ),
        "manage_history" => {
            let mut arguments = Arguments::of(arguments);
            // Its members are arguments of the caller.
            let input: HistoryInput = arguments.next("")?;
            let memory: Option<String> = arguments.next("memory")?;
            let task: Task = arguments.next("task")?;
            let summarize = arguments.object().map(Bound::unbind);
            let compact = arguments.object().as_ref().map(compaction);
            Ok(work(async move {
                manage(&engine, &input, memory.as_deref(), &task, summarize.as_ref(), compact).await
            }))
        }
        _ => extraction(engine, method, arguments),
    }
}

fn extraction(engine: Tuckaway, method: &str, arguments: &Bound<'_, PyTuple>) -> PyResult<Work> {
    match method {
        "extraction_config" => ask!(
            arguments, (context_tokens: u64) =>
            engine.extraction_config(context_tokens)
        ),
        "parse_extraction_call" => ask!(
            arguments, (arguments: String) =>
            engine.parse_extraction_call(&arguments)
        ),
        "estimate_extraction" => ask!(
            arguments, (question: Question, config: ExtractionConfig) =>
            engine.estimate_extraction(&question, &config)
        ),
        "start_extraction" => ask!(
            arguments, (question: Question, config: ExtractionConfig) =>
            engine.start_extraction(&question, &config)
        ),
        "step_extraction" => ask!(
            arguments, (state: String, event: ExtractionEvent) =>
            engine.step_extraction(&state, &event)
        ),
        "extract" => {
            let mut arguments = Arguments::of(arguments);
            let question: Question = arguments.next("question")?;
            let config: ExtractionConfig = arguments.next("config")?;
            let (model, options) = asked(&mut arguments)?;
            Ok(work(async move { engine.extract(&question, &config, &*model, options).await }))
        }
        "resume_extraction" => {
            let mut arguments = Arguments::of(arguments);
            let state: String = arguments.next("state")?;
            let (model, options) = asked(&mut arguments)?;
            Ok(work(async move { engine.resume_extraction(&state, &*model, options).await }))
        }
        _ => Err(PyRuntimeError::new_err(format!("there is no method {method:?}"))),
    }
}

/// Reads the model of an extraction, and the functions that receive its progress and its state.
fn asked(arguments: &mut Arguments<'_>) -> PyResult<(Arc<dyn Model>, ExtractOptions<'static>)> {
    let asked = arguments.object().ok_or_else(|| errors::malformed("model", "is missing."))?;
    let [on_progress, on_state] = [(); 2].map(|()| arguments.object().map(Bound::unbind));
    Ok((model(&asked), options(on_progress, on_state)))
}

fn options(on_progress: Option<Py<PyAny>>, on_state: Option<Py<PyAny>>) -> ExtractOptions<'static> {
    let mut options = ExtractOptions::new();
    if let Some(function) = on_progress {
        options = options.on_progress(move |progress| {
            let progress = *progress;
            notify(&function, move |py| {
                let counts = pyo3::types::PyDict::new(py);
                counts.set_item("answered", progress.answered)?;
                counts.set_item("failed", progress.failed)?;
                counts.set_item("open", progress.open)?;
                counts.set_item("input_tokens", progress.input_tokens)?;
                counts.set_item("output_tokens", progress.output_tokens)?;
                PyTuple::new(py, [counts])
            });
        });
    }
    if let Some(function) = on_state {
        options = options.on_state(move |state| {
            let state = state.to_owned();
            notify(&function, move |py| PyTuple::new(py, [state]));
        });
    }
    options
}
