//! The functions: their names, their arguments, and the call of the engine.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use tuckaway::{
    ArtifactTool, BudgetConfig, CacheConfig, CallOptions, CompactionConfig, Conversation, DefinitionOptions,
    Dialect, Engine, Error, ExtractionConfig, ExtractionEvent, GrepQuery, HistoryInput, JqQuery, LineRange,
    PlanState, Policy, Preset, Question, Range, ReadOptions, SummaryAnswer, Task, TokenUsage, ToolOutput,
    Turn,
};

use crate::content::{Output, Whole};

/// The range of `read`, unless there is one.
const ALL_LINES: Range = Range::Lines(LineRange { start: 1, end: u64::MAX });

/// Calls the function of this name. The arguments are a JSON object; members that may be omitted
/// may also be null.
///
/// Errors: [`InvalidInput`](tuckaway::ErrorKind::InvalidInput) for an unknown name and for malformed
/// arguments, and the errors of the engine's method.
pub fn call(engine: &Engine<'_>, name: &str, arguments: &[u8]) -> Result<Value, Error> {
    let groups = [offload, artifacts, planning, histories, extraction];
    let found = groups.iter().find_map(|group| group(engine, name, arguments));
    found.unwrap_or_else(|| {
        let names = NAMES.join(", ");
        let why = format!("There is no function {name:?}; call one of {names}.");
        Err(Error::invalid(why).about(&["name"]))
    })
}

macro_rules! names {
    ($($name:ident),*) => { &[$(stringify!($name)),*] };
}

const NAMES: &[&str] = crate::functions!(names);

/// Reads the named arguments and makes the call.
macro_rules! ask {
    ($given:ident, || $call:expr) => { ask!($given, | | $call) };
    ($given:ident, |$($argument:ident: $type:ty),*| $call:expr) => {{
        #[derive(Deserialize)]
        #[serde(deny_unknown_fields)]
        struct Arguments { $($argument: $type),* }
        parse($given).and_then(|Arguments { $($argument),* }| $call.and_then(plain))
    }};
}

fn parse<T: DeserializeOwned>(given: &[u8]) -> Result<T, Error> {
    // Functions without arguments may be called without any.
    let given = if given.is_empty() { b"{}" } else { given };
    serde_json::from_slice(given).map_err(|error| {
        Error::invalid(format!("The arguments are malformed: {error}.")).about(&["arguments"])
    })
}

/// Returns a record of the contract as JSON.
fn plain<T: Serialize>(record: T) -> Result<Value, Error> {
    serde_json::to_value(record).map_err(|error| Error::invalid(format!("The result is not JSON: {error}.")))
}

fn offload(engine: &Engine<'_>, name: &str, given: &[u8]) -> Option<Result<Value, Error>> {
    Some(match name {
        "default_policy" => ask!(given, |dialect: Option<Dialect>| {
            Ok(Policy::for_dialect(dialect.unwrap_or(Dialect::Artifact)))
        }),
        "decide" => ask!(given, |output: Output, turn: Turn, policy: Option<Policy>| {
            engine.decide(&output.into(), &turn, &policy.unwrap_or_default())
        }),
        "process" => ask!(given, |output: Output, turn: Turn, policy: Option<Policy>| {
            engine.process(&output.into(), &turn, &policy.unwrap_or_default())
        }),
        "process_turn" => ask!(given, |outputs: Vec<Output>, turn: Turn, policy: Option<Policy>| {
            let outputs: Vec<ToolOutput> = outputs.into_iter().map(ToolOutput::from).collect();
            engine.process_turn(&outputs, &turn, &policy.unwrap_or_default())
        }),
        "infer_shape" => {
            ask!(given, |content: Whole, max_bytes: Option<u32>| { engine.infer_shape(content, max_bytes) })
        }
        "truncate" => ask!(given, |content: Whole, max_bytes: u64| engine.truncate(content, max_bytes)),
        _ => return None,
    })
}

fn artifacts(engine: &Engine<'_>, name: &str, given: &[u8]) -> Option<Result<Value, Error>> {
    Some(match name {
        "read" => ask!(given, |id: String,
                               range: Option<Range>,
                               line_numbers: Option<bool>,
                               max_bytes: Option<u32>| {
            let range = range.unwrap_or(ALL_LINES);
            let line_numbers = line_numbers.unwrap_or_default();
            engine.read(&id, &range, &ReadOptions { line_numbers, max_bytes })
        }),
        "grep" => ask!(given, |id: String, query: GrepQuery, max_bytes: Option<u32>| {
            engine.grep(&id, &query, max_bytes)
        }),
        "grep_all" => {
            ask!(given, |query: GrepQuery, max_bytes: Option<u32>| { engine.grep_all(&query, max_bytes) })
        }
        "jq" => ask!(given, |id: String, query: JqQuery, max_bytes: Option<u32>| {
            engine.jq(&id, &query, max_bytes)
        }),
        "list_artifacts" => ask!(given, || engine.list_artifacts()),
        "definitions" => ask!(given, |tools: Option<Vec<ArtifactTool>>,
                                      dialect: Option<Dialect>,
                                      is_final_turn: Option<bool>,
                                      is_detailed: Option<bool>| {
            let [is_final_turn, is_detailed] = [is_final_turn, is_detailed].map(Option::unwrap_or_default);
            let tools = tools.unwrap_or_else(|| ArtifactTool::ALL.to_vec());
            let dialect = dialect.unwrap_or(Dialect::Artifact);
            Ok(engine.tool_definitions(&tools, &DefinitionOptions { dialect, is_final_turn, is_detailed }))
        }),
        "call" => ask!(given, |name: String, arguments: String, max_bytes: Option<u32>| {
            engine.call_tool(&name, &arguments, &CallOptions { max_bytes })
        }),
        _ => return None,
    })
}

fn planning(engine: &Engine<'_>, name: &str, given: &[u8]) -> Option<Result<Value, Error>> {
    Some(match name {
        "cache_view" => ask!(given, |text: String, artifact: Option<String>, config: Option<CacheConfig>| {
            engine.cache_view(&text, artifact.as_deref(), &config.unwrap_or_default())
        }),
        "unreferenced" => ask!(given, |texts: Vec<String>| engine.unreferenced(&texts)),
        "should_compact" => ask!(given, |usage: TokenUsage, config: CompactionConfig| {
            engine.should_compact(&usage, &config)
        }),
        "budget_preset" => ask!(given, |preset: Preset, total_window: Option<u64>| {
            engine.budget_preset(preset, total_window)
        }),
        "check_budget" => ask!(given, |config: BudgetConfig| engine.check_budget(&config)),
        "read_refusal" => ask!(given, |error: String| Ok(engine.read_refusal(&error))),
        "plan" => ask!(given, |conversation: Conversation,
                               task: Task,
                               answers: Option<Vec<String>>,
                               state: Option<PlanState>| {
            let (answers, state) = (answers.unwrap_or_default(), state.unwrap_or_default());
            engine.plan(&conversation, &task, &answers, &state)
        }),
        _ => return None,
    })
}

fn histories(engine: &Engine<'_>, name: &str, given: &[u8]) -> Option<Result<Value, Error>> {
    Some(match name {
        "detect_format" => ask!(given, |history: String| engine.detect_format(&history)),
        "read_usage" => ask!(given, |usage: String| engine.read_usage(&usage)),
        "start_history" => ask!(given, |history: HistoryInput, memory: Option<String>, task: Task| {
            engine.start_history(history, memory.as_deref(), task)
        }),
        "step_history" => {
            ask!(given, |history: HistoryInput, task: Task, state: String, answer: SummaryAnswer| {
                engine.step_history(history, task, &state, answer)
            })
        }
        _ => return None,
    })
}

fn extraction(engine: &Engine<'_>, name: &str, given: &[u8]) -> Option<Result<Value, Error>> {
    Some(match name {
        "extraction_config" => ask!(given, |context_tokens: u64| engine.extraction_config(context_tokens)),
        "parse_extraction_call" => ask!(given, |arguments: String| engine.parse_extraction_call(&arguments)),
        "estimate_extraction" => ask!(given, |question: Question, config: ExtractionConfig| {
            engine.estimate_extraction(&question, &config)
        }),
        "start_extraction" => ask!(given, |question: Question, config: ExtractionConfig| {
            engine.start_extraction(&question, &config)
        }),
        "step_extraction" => {
            ask!(given, |state: String, event: ExtractionEvent| { engine.step_extraction(&state, &event) })
        }
        _ => return None,
    })
}

#[cfg(test)]
mod tests;
