//! The argument `_jq` of other servers' tools: a jq filter that is applied to a result before the
//! model sees it. The whole result is stored.

use serde_json::{Value, json};
use tuckaway_host::{Action, Artifact, ArtifactTool, Error, ErrorKind, JqQuery, MIN_PAGE_BYTES, Outputs};
use tuckaway_host::{Policy, ToolOutput, Turn};
use tuckaway_text::{cut, human_bytes};

use super::abilities::{ClientAbilities, MAX_PAGE_BYTES};
use super::engine::{Engine, Replacement, media, replacement};

/// The name of the argument.
pub const ARGUMENT: &str = "_jq";

/// The filter that asks for the result as it would be without a filter.
const WHOLE: &str = ".";

/// Bytes of a page that are reserved for the last line.
const NOTE_BYTES: u64 = 2 << 10;

/// The maximum length of a filter or an error in a note.
const MAX_SHOWN_BYTES: usize = 300;

/// A filter for the result of one call.
#[derive(Clone, Debug, PartialEq)]
pub struct Filter {
    text: String,
    /// Whether it is from the settings, not from the model.
    is_default: bool,
}

impl Filter {
    /// Creates a filter of the settings.
    pub(super) fn of_settings(text: &str) -> Self {
        Filter { text: text.to_owned(), is_default: true }
    }
}

/// The outcome of a filter.
pub(super) enum Outcome {
    /// The outputs replace the result.
    Filtered(Replacement),
    /// The filter does not fit. The result is replaced, or passes if there is no replacement; the
    /// note says why.
    Whole(Option<Replacement>, String),
}

/// Adds the argument to the input schema of a tool. Returns false for a tool that has an argument of
/// this name, or no object as its schema.
pub(super) fn offer(tool: &mut Value) -> bool {
    let Some(schema) = tool.get_mut("inputSchema").and_then(Value::as_object_mut) else { return false };
    let Some(properties) = schema.entry("properties").or_insert_with(|| json!({})).as_object_mut() else {
        return false;
    };
    if properties.contains_key(ARGUMENT) {
        return false;
    }
    properties.insert(ARGUMENT.to_owned(), argument());
    true
}

/// Returns the schema of the argument.
pub fn argument() -> Value {
    json!({
        "type": "string",
        "description": "Optional jq filter for the result, e.g. '.items[] | {id, title}': you see only its outputs. The whole result is stored.",
    })
}

/// Returns whether the arguments of a call have a filter.
pub fn is_in(arguments: &Value) -> bool {
    arguments.get(ARGUMENT).is_some()
}

/// Removes the filter from the arguments of a call; `None` if it is missing or blank. The error is
/// for the model.
pub(super) fn take(arguments: &mut Value) -> Result<Option<Filter>, String> {
    let given = arguments.as_object_mut().and_then(|members| members.shift_remove(ARGUMENT));
    match given {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(text)) if text.trim().is_empty() => Ok(None),
        Some(Value::String(text)) => Ok(Some(Filter { text, is_default: false })),
        Some(_) => Err(format!(
            "The argument {ARGUMENT} is not a string: pass a jq filter, such as \".items[]\". The tool was not called."
        )),
    }
}

/// Returns the error of a filter that does not parse, for the model.
pub(super) async fn check(engine: &Engine, filter: &Filter) -> Result<(), String> {
    // A filter is parsed before its artifact is opened, so no artifact is needed.
    let answer = engine.tuckaway.jq("art_none_0", &query(filter), None).await;
    match answer {
        Err(Error {
            kind: ErrorKind::InvalidInput | ErrorKind::Limit | ErrorKind::Unsupported,
            message,
            ..
        }) => Err(format!("The filter {ARGUMENT} is invalid: {message} The tool was not called.")),
        _ => Ok(()),
    }
}

/// Stores an output, and applies a filter to it. `None` if the filter asks for the whole result.
pub(super) async fn applied(
    engine: &Engine,
    tool: &str,
    output: &ToolOutput,
    filter: &Filter,
    client: ClientAbilities,
) -> Option<Outcome> {
    if filter.text.trim() == WHOLE {
        return None;
    }
    let settings = &engine.settings;
    let rules = settings.rules(tool).of_client(client);
    let policy = Policy { keep_all: true, enabled: true, ..rules.policy(1) };
    let turn =
        Turn { context_window: settings.context_window, used_tokens: 0, tools: ArtifactTool::ALL.to_vec() };
    let view = match engine.tuckaway.process(output, &turn, &policy).await {
        Ok(view) => view,
        Err(error) => {
            let whole = engine.fallback(&rules, output, 1, &error).await;
            return Some(Outcome::Whole(whole, note(filter, &error.message)));
        }
    };
    let page = client.page_bytes.unwrap_or(MAX_PAGE_BYTES).min(MAX_PAGE_BYTES).min(rules.view_bytes(1));
    let max = page.saturating_sub(NOTE_BYTES).max(MIN_PAGE_BYTES as u64);
    let found = outputs(engine, &view.artifacts, output.structured.is_some(), filter, max).await;
    Some(match found {
        Ok((artifact, outputs)) => {
            let text = shown(engine, &artifact, filter, outputs);
            let kept = if view.decision.action == Action::Inline { media(output) } else { view.kept };
            Outcome::Filtered(Replacement { action: "filter", text, kept, artifacts: view.artifacts })
        }
        Err(why) => Outcome::Whole(replacement(tool, view), note(filter, &why)),
    })
}

/// Returns the outputs of a filter on the first artifact that it fits, and the artifact. Structured
/// content, which is the last one, comes first.
async fn outputs(
    engine: &Engine,
    artifacts: &[Artifact],
    is_structured: bool,
    filter: &Filter,
    max: u64,
) -> Result<(Artifact, Outputs), String> {
    let mut order: Vec<&Artifact> = artifacts.iter().collect();
    if is_structured {
        order.reverse();
    }
    let mut why = None;
    for artifact in order {
        let max = u32::try_from(max).ok();
        let misfit = match engine.tuckaway.jq(&artifact.id, &query(filter), max).await {
            Err(error) => error.message,
            Ok(Outputs { failure: Some(failure), .. }) => failure.message,
            Ok(Outputs { hint: Some(hint), text, .. }) if is_nothing(&text) => hint,
            Ok(outputs) => return Ok((artifact.clone(), outputs)),
        };
        why.get_or_insert(misfit);
    }
    Err(why.unwrap_or_else(|| "the result was not stored".to_owned()))
}

fn query(filter: &Filter) -> JqQuery {
    JqQuery { filter: filter.text.clone(), compact: true, ..JqQuery::default() }
}

/// Returns whether a filter has no outputs, or only nulls.
fn is_nothing(outputs: &str) -> bool {
    outputs.lines().all(|line| line == "null")
}

/// Says why the model sees a result without its filter.
fn note(filter: &Filter, why: &str) -> String {
    let shown = cut::head(&filter.text, MAX_SHOWN_BYTES);
    let why = cut::head(why, MAX_SHOWN_BYTES).trim_end_matches('.');
    let whose = if filter.is_default { "default filter" } else { "filter" };
    format!("[The {whose} {shown:?} was not applied: {why}. This is the result without it.]")
}

/// Returns the outputs as the model sees them, with a line that names the whole result.
fn shown(engine: &Engine, artifact: &Artifact, filter: &Filter, outputs: Outputs) -> String {
    let id = &artifact.id;
    let size = human_bytes(artifact.size_bytes);
    let mut notes = Vec::new();
    if outputs.text.is_empty() {
        notes.push("The filter has no output.".to_owned());
    }
    if filter.is_default {
        let shown = cut::head(&filter.text, MAX_SHOWN_BYTES);
        notes.push(format!(
            "Filtered with {shown:?} by default; pass {ARGUMENT} for another filter, {WHOLE:?} for the whole result."
        ));
    }
    notes.extend(outputs.parsed_as.map(|how| format!("Read as: {how}.")));
    notes.extend(outputs.hint.map(|hint| format!("Hint: {}.", cut::head(&hint, MAX_SHOWN_BYTES))));
    notes.push(format!("The whole result, {size}, is stored as {id}."));
    notes.extend(outputs.next.map(|cursor| match engine.settings.policy.dialect.has_tool("artifact_jq") {
        true => format!(
            "There are more outputs: call artifact_jq with this artifact_id, the same filter, compact: true and cursor: {cursor:?}."
        ),
        false => "There are more outputs: narrow the filter.".to_owned(),
    }));
    format!("{}[{}]", outputs.text, notes.join(" "))
}
