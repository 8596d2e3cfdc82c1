//! For any history, memory, state, answers and task, a run ends with the new history or with an
//! error. Kept items come from the given history, in their order; inserted ones are JSON; and the
//! new history can be read again.
#![no_main]

use std::borrow::Cow;

use arbitrary::Arbitrary;
use libfuzzer_sys::fuzz_target;
use serde_json::{Value, json};
use tuckaway::{
    CacheConfig, CompactionConfig, Engine, HistoryFormat, HistoryInput, HistoryItem, KnownArtifact,
    ManageTask, Preset, SummaryAnswer, Task,
};
use tuckaway_fuzz::{OneArtifact, Quarters};

/// More steps than any run needs.
const MAX_STEPS: usize = 500;

/// The words of all formats: names of members, and values that decide the type of an item.
const WORDS: [&str; 64] = [
    "role",
    "content",
    "type",
    "text",
    "id",
    "name",
    "arguments",
    "input",
    "output",
    "parts",
    "data",
    "user",
    "assistant",
    "tool",
    "system",
    "model",
    "human",
    "ai",
    "developer",
    "function",
    "tool_calls",
    "tool_call_id",
    "function_call",
    "function_call_output",
    "call_id",
    "reasoning",
    "message",
    "tool_use",
    "tool_result",
    "tool_use_id",
    "thinking",
    "signature",
    "is_error",
    "tool-call",
    "tool-result",
    "toolCallId",
    "toolName",
    "state",
    "output-available",
    "functionCall",
    "functionResponse",
    "response",
    "args",
    "thoughtSignature",
    "toolUse",
    "toolResult",
    "toolUseId",
    "status",
    "image",
    "source",
    "compaction",
    "encrypted_content",
    "program",
    "tool_search_call",
    "tool_search_output",
    "messages",
    "contents",
    "items",
    "tools",
    "usage",
    "tool_call",
    "joined",
    "pinned",
    "cache_control",
];

#[derive(Arbitrary, Debug)]
struct Input {
    history: Json,
    format: Option<u8>,
    memory: Option<String>,
    state: String,
    artifacts: Vec<(u8, Option<String>)>,
    pinned: Vec<u8>,
    is_strict: bool,
    answers: Vec<(String, bool)>,
    window: u16,
    preset: Option<u8>,
    turns: u8,
}

#[derive(Arbitrary, Debug)]
enum Json {
    Null,
    Bool(bool),
    Number(i32),
    Word(u8),
    Id(u8),
    /// A text that is long enough to be trimmed.
    Long(u8),
    Text(String),
    List(Vec<Json>),
    Object(Vec<(u8, Json)>),
}

impl Json {
    fn value(&self) -> Value {
        match self {
            Json::Null => Value::Null,
            Json::Bool(bool) => (*bool).into(),
            Json::Number(number) => (*number).into(),
            Json::Word(word) => WORDS[usize::from(*word) % WORDS.len()].into(),
            Json::Id(id) => format!("call_{}", id % 8).into(),
            Json::Long(times) => "a line of the output\n".repeat(usize::from(*times) * 8).into(),
            Json::Text(text) => text.as_str().into(),
            Json::List(items) => items.iter().map(Json::value).collect(),
            Json::Object(members) => {
                let member = |(name, value): &(u8, Json)| {
                    (WORDS[usize::from(*name) % WORDS.len()].to_owned(), value.value())
                };
                Value::Object(members.iter().map(member).collect())
            }
        }
    }
}

fn task(input: &Input, engine: &Engine) -> Option<Task> {
    let window = Some(u64::from(input.window));
    let budget = match input.preset {
        Some(number) => {
            let preset = Preset::ALL[usize::from(number) % Preset::ALL.len()];
            Some(engine.budget_preset(preset, window).ok()?)
        }
        None => None,
    };
    Some(Task::Manage(ManageTask {
        context_window: input.window.into(),
        cache: CacheConfig::default(),
        budget,
        compaction: CompactionConfig { retain_last_turns: input.turns.into(), ..CompactionConfig::default() },
        refusal: None,
        pairs: None,
    }))
}

fn given(input: &Input) -> HistoryInput {
    let artifact = |(id, text): &(u8, Option<String>)| KnownArtifact {
        call_id: format!("call_{}", id % 8),
        text: text.clone(),
        artifact: "art".to_owned(),
    };
    HistoryInput {
        json: input.history.value().to_string(),
        format: input.format.map(|number| HistoryFormat::ALL[usize::from(number) % HistoryFormat::ALL.len()]),
        usage: None,
        artifacts: input.artifacts.iter().map(artifact).collect(),
        pinned: input.pinned.iter().map(|&index| index.into()).collect(),
        is_strict: input.is_strict,
        with_json: true,
    }
}

/// Returns a list of items with the compactions of both providers, or any text.
fn compaction(text: &str) -> Cow<'_, str> {
    match text.contains('7') {
        true => Cow::Borrowed(text),
        false => Cow::Owned(
            json!([
                {"role": "user", "content": text},
                {"type": "compaction", "encrypted_content": text},
                {"role": "assistant", "content": [{"type": "compaction", "content": text}]},
            ])
            .to_string(),
        ),
    }
}

fuzz_target!(|input: Input| {
    let store = OneArtifact::default();
    let engine = Engine::new(&store, &Quarters);
    let Some(task) = task(&input, &engine) else { return };
    let history = given(&input);
    let answer = |index: usize| match input.answers.get(index % input.answers.len().max(1)) {
        Some((text, true)) => SummaryAnswer::Text(text.clone()),
        Some((why, false)) => SummaryAnswer::Failed(why.clone()),
        None => SummaryAnswer::Text("<summary>All is well.</summary>".to_owned()),
    };
    let _ = engine.step_history(history.clone(), task.clone(), &input.state, answer(0));
    let Ok(mut step) = engine.start_history(history.clone(), input.memory.as_deref(), task.clone()) else {
        return;
    };
    for index in 0.. {
        assert!(index < MAX_STEPS, "a run does not end");
        if step.request.is_none() {
            break;
        }
        let answer = match (step.compactable.is_empty(), answer(index)) {
            (false, SummaryAnswer::Text(text)) => SummaryAnswer::Compacted(compaction(&text).to_string()),
            (_, answer) => answer,
        };
        let next = engine.step_history(history.clone(), task.clone(), &step.state, answer);
        step = next.unwrap_or_else(|error| panic!("{}", error.message));
    }
    let managed = step.history;
    let mut next = 0;
    for item in managed.items {
        match item {
            HistoryItem::Keep(span) => {
                assert!(next <= span.start && span.start < span.end, "{span:?} after {next}");
                next = span.end;
            }
            HistoryItem::Insert(json) => assert!(serde_json::from_str::<Value>(&json).is_ok(), "{json}"),
        }
    }
    let json = managed.json.expect("it was requested");
    // With a format, another member of a request may be the list of items.
    if history.format.is_none() && !json.trim_start().starts_with('[') {
        return;
    }
    let again = HistoryInput { json, format: Some(managed.format), pinned: Vec::new(), ..history };
    let again = engine.start_history(again, Some(&managed.memory), Task::Account);
    again.unwrap_or_else(|error| panic!("{}", error.message));
});
