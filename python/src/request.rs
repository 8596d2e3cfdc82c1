//! Requests of the package to the engine: a method by name, with plain values.

use pyo3::prelude::*;
use pyo3::types::PyTuple;
use pythonize::{depythonize, pythonize};
use serde::Serialize;
use serde::de::DeserializeOwned;
use tuckaway_host::{
    ArtifactTool, BudgetConfig, CacheConfig, CallOptions, CompactionConfig, Conversation, DefinitionOptions,
    Dialect, Error, ExtractOptions, ExtractionConfig, ExtractionEvent, GrepQuery, HistoryInput, JqQuery,
    PlanState, Policy, Preset, Question, Range, ReadOptions, SummaryAnswer, Task, TokenUsage, Tuckaway, Turn,
};

use crate::callback::{Answer, Work, notify};
use crate::errors;
use crate::history::manage;
use crate::model::{compaction, model};
use crate::output::{Bytes, Output};

/// A record as a plain value.
struct Plain<T>(T);

impl<'py, T: DeserializeOwned> FromPyObject<'_, 'py> for Plain<T> {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        depythonize(&object).map(Plain).map_err(|error| errors::invalid(format!("{error}.")))
    }
}

fn work<T: Serialize + Send + 'static>(
    answer: impl Future<Output = Result<T, Error>> + Send + 'static,
) -> Work {
    Box::pin(async move {
        let value = answer.await?;
        Ok(Box::new(move |py: Python<'_>| Ok(pythonize(py, &value)?.unbind())) as Answer)
    })
}

/// Extracts the arguments of a method, and calls it.
macro_rules! ask {
    ($arguments:ident, |$($name:pat_param),*| : ($($type:ty),*), $answer:expr) => {{
        let ($($name,)*): ($($type,)*) = $arguments.extract()?;
        Ok(work(async move { $answer.await }))
    }};
}

/// Starts a method. A malformed argument is rejected immediately.
pub fn begin(engine: Tuckaway, method: &str, arguments: &Bound<'_, PyTuple>) -> PyResult<Work> {
    match method {
        "default_policy" => {
            ask!(arguments, |Plain(dialect)|: (Plain<Dialect>), engine.default_policy(dialect))
        }
        "decide" => ask!(
            arguments, |Output(output), Plain(turn), Plain(policy)|: (Output, Plain<Turn>, Plain<Policy>),
            engine.decide(&output, &turn, &policy)
        ),
        "process" => ask!(
            arguments, |Output(output), Plain(turn), Plain(policy)|: (Output, Plain<Turn>, Plain<Policy>),
            engine.process(&output, &turn, &policy)
        ),
        "process_turn" => {
            let (outputs, Plain(turn), Plain(policy)): (Vec<Output>, Plain<Turn>, Plain<Policy>) =
                arguments.extract()?;
            let outputs: Vec<_> = outputs.into_iter().map(|Output(output)| output).collect();
            Ok(work(async move { engine.process_turn(&outputs, &turn, &policy).await }))
        }
        "infer_shape" => ask!(
            arguments, |Bytes(content), max_bytes|: (Bytes, Option<u32>),
            engine.infer_shape(content, max_bytes)
        ),
        "truncate" => ask!(
            arguments, |Bytes(content), max_bytes|: (Bytes, u64), engine.truncate(content, max_bytes)
        ),
        _ => artifacts(engine, method, arguments),
    }
}

fn artifacts(engine: Tuckaway, method: &str, arguments: &Bound<'_, PyTuple>) -> PyResult<Work> {
    match method {
        "read" => ask!(
            arguments, |id, Plain(range), line_numbers, max_bytes|: (String, Plain<Range>, bool, Option<u32>),
            engine.read(&id, &range, &ReadOptions { line_numbers, max_bytes })
        ),
        "grep" => ask!(
            arguments, |id, Plain(query), max_bytes|: (String, Plain<GrepQuery>, Option<u32>),
            engine.grep(&id, &query, max_bytes)
        ),
        "grep_all" => ask!(
            arguments, |Plain(query), max_bytes|: (Plain<GrepQuery>, Option<u32>),
            engine.grep_all(&query, max_bytes)
        ),
        "jq" => ask!(
            arguments, |id, Plain(query), max_bytes|: (String, Plain<JqQuery>, Option<u32>),
            engine.jq(&id, &query, max_bytes)
        ),
        "list_artifacts" => Ok(work(async move { engine.list_artifacts().await })),
        "definitions" => ask!(
            arguments, |Plain(tools), Plain(dialect), is_final_turn, is_detailed|:
            (Plain<Vec<ArtifactTool>>, Plain<Dialect>, bool, bool),
            engine.tool_definitions(&tools, &DefinitionOptions { dialect, is_final_turn, is_detailed })
        ),
        "call" => ask!(
            arguments, |name, arguments, max_bytes|: (String, String, Option<u32>),
            engine.call_tool(&name, &arguments, &CallOptions { max_bytes })
        ),
        _ => conversation(engine, method, arguments),
    }
}

fn conversation(engine: Tuckaway, method: &str, arguments: &Bound<'_, PyTuple>) -> PyResult<Work> {
    match method {
        "cache_view" => ask!(
            arguments, |text, artifact, Plain(config)|: (String, Option<String>, Plain<CacheConfig>),
            engine.cache_view(&text, artifact.as_deref(), &config)
        ),
        "unreferenced" => ask!(arguments, |texts|: (Vec<String>), engine.unreferenced(&texts)),
        "should_compact" => ask!(
            arguments, |Plain(usage), Plain(config)|: (Plain<TokenUsage>, Plain<CompactionConfig>),
            engine.should_compact(&usage, &config)
        ),
        "budget_preset" => ask!(
            arguments, |Plain(preset), window|: (Plain<Preset>, Option<u64>), engine.budget_preset(preset, window)
        ),
        "check_budget" => ask!(
            arguments, |Plain(config)|: (Plain<BudgetConfig>), engine.check_budget(&config)
        ),
        "read_refusal" => ask!(arguments, |error|: (String), engine.read_refusal(&error)),
        "account" => ask!(
            arguments, |Plain(conversation)|: (Plain<Conversation>), engine.account(&conversation)
        ),
        "plan" => ask!(
            arguments, |Plain(conversation), Plain(task), answers, Plain(state)|:
            (Plain<Conversation>, Plain<Task>, Vec<String>, Plain<PlanState>),
            engine.plan(&conversation, &task, &answers, &state)
        ),
        _ => histories(engine, method, arguments),
    }
}

fn histories(engine: Tuckaway, method: &str, arguments: &Bound<'_, PyTuple>) -> PyResult<Work> {
    match method {
        "detect_format" => ask!(arguments, |json|: (String), engine.detect_format(&json)),
        "read_usage" => ask!(arguments, |usage|: (String), engine.read_usage(&usage)),
        "start_history" => ask!(
            arguments, |Plain(input), memory, Plain(task)|: (Plain<HistoryInput>, Option<String>, Plain<Task>),
            engine.start_history(&input, memory.as_deref(), &task)
        ),
        "step_history" => ask!(
            arguments, |Plain(input), Plain(task), state, Plain(answer)|:
            (Plain<HistoryInput>, Plain<Task>, String, Plain<SummaryAnswer>),
            engine.step_history(&input, &task, &state, &answer)
        ),
        "manage_history" => {
            type Start = (Plain<HistoryInput>, Option<String>, Plain<Task>);
            type Functions<'py> = (Option<Py<PyAny>>, Option<Bound<'py, PyAny>>);
            let (Plain(input), memory, Plain(task)): Start = arguments.get_slice(0, 3).extract()?;
            let (summarize, compact): Functions<'_> = arguments.get_slice(3, 5).extract()?;
            let compact = compact.as_ref().map(compaction);
            Ok(work(async move {
                manage(&engine, &input, memory.as_deref(), &task, summarize.as_ref(), compact).await
            }))
        }
        _ => extraction(engine, method, arguments),
    }
}

fn extraction(engine: Tuckaway, method: &str, arguments: &Bound<'_, PyTuple>) -> PyResult<Work> {
    type Listener = Option<Py<PyAny>>;
    match method {
        "extraction_config" => ask!(arguments, |tokens|: (u64), engine.extraction_config(tokens)),
        "parse_extraction_call" => ask!(
            arguments, |arguments|: (String), engine.parse_extraction_call(&arguments)
        ),
        "estimate_extraction" => ask!(
            arguments, |Plain(question), Plain(config)|: (Plain<Question>, Plain<ExtractionConfig>),
            engine.estimate_extraction(&question, &config)
        ),
        "start_extraction" => ask!(
            arguments, |Plain(question), Plain(config)|: (Plain<Question>, Plain<ExtractionConfig>),
            engine.start_extraction(&question, &config)
        ),
        "step_extraction" => ask!(
            arguments, |state, Plain(event)|: (String, Plain<ExtractionEvent>),
            engine.step_extraction(&state, &event)
        ),
        "extract" => {
            let (Plain(question), Plain(config), asked, on_progress, on_state): (
                Plain<Question>,
                Plain<ExtractionConfig>,
                Bound<'_, PyAny>,
                Listener,
                Listener,
            ) = arguments.extract()?;
            let model = model(&asked);
            Ok(work(async move {
                engine.extract(&question, &config, &*model, options(on_progress, on_state)).await
            }))
        }
        "resume_extraction" => {
            let (state, asked, on_progress, on_state): (String, Bound<'_, PyAny>, Listener, Listener) =
                arguments.extract()?;
            let model = model(&asked);
            Ok(work(async move {
                engine.resume_extraction(&state, &*model, options(on_progress, on_state)).await
            }))
        }
        _ => Err(errors::invalid(format!("There is no method {method:?}."))),
    }
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
