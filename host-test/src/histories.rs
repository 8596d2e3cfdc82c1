//! Calls about histories, as data: one variant for each way to use `histories`.

use anyhow::{Context, Result, bail};
use serde_json::{Map, Value, json};
use tuckaway::{HistoryInput, HistoryStep, SummaryAnswer, Task};

use crate::content;
use crate::planning;

/// A call with its arguments.
#[derive(Clone, Debug)]
#[allow(missing_docs)] // wit/ documents each
pub enum Histories {
    Detect { json: String },
    ReadUsage { usage: String },
    Manage(Box<Run>),
}

/// A whole run: `start`, and a `step` for each answer while there is a request.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub struct Run {
    pub input: HistoryInput,
    pub memory: Option<String>,
    pub task: Task,
    pub answers: Vec<SummaryAnswer>,
}

impl Histories {
    /// Parses the call of this name from the input of a case; `None` if it is another call.
    pub fn parse(name: &str, input: &Map<String, Value>) -> Result<Option<Histories>> {
        Ok(Some(match name {
            "detect_format" => Histories::Detect { json: history(input)? },
            "read_usage" => {
                Histories::ReadUsage { usage: input.get("usage").context("usage is missing")?.to_string() }
            }
            "manage_history" => Histories::Manage(Box::new(run(input)?)),
            _ => return Ok(None),
        }))
    }
}

fn run(input: &Map<String, Value>) -> Result<Run> {
    let mut record = Map::new();
    for name in ["format", "artifacts", "pinned", "is_strict", "with_json"] {
        record.extend(input.get(name).map(|value| (name.to_owned(), value.clone())));
    }
    record.insert("json".to_owned(), Value::from(history(input)?));
    record.extend(input.get("usage").map(|usage| ("usage".to_owned(), Value::from(usage.to_string()))));
    let answers = input.get("answers").and_then(Value::as_array).into_iter().flatten();
    let answer = |answer: &Value| {
        Ok(match (answer.get("failed").and_then(Value::as_str), answer.get("compacted")) {
            (Some(why), _) => SummaryAnswer::Failed(why.to_owned()),
            (None, Some(items)) => SummaryAnswer::Compacted(written(items)?.to_string()),
            (None, None) => SummaryAnswer::Text(content::text(answer)?),
        })
    };
    Ok(Run {
        input: serde_json::from_value(Value::Object(record)).context("in the history")?,
        memory: input.get("memory").map(Value::to_string),
        task: planning::task(input.get("task").context("task is missing")?)?,
        answers: answers.map(answer).collect::<Result<_>>()?,
    })
}

/// Returns the history as JSON, with the recipes in it written out.
fn history(input: &Map<String, Value>) -> Result<String> {
    match (input.get("history"), input.get("json")) {
        (Some(history), None) => Ok(written(history)?.to_string()),
        (None, Some(text)) => content::text(text),
        _ => bail!("a case has either history or json"),
    }
}

/// Writes out the recipes of texts anywhere in a value, and the items that a list repeats.
fn written(value: &Value) -> Result<Value> {
    Ok(match value {
        Value::Object(members) => match content::is_recipe(value) {
            true => Value::from(content::text(value)?),
            false => {
                let members = members.iter().map(|(name, value)| Ok((name.clone(), written(value)?)));
                Value::Object(members.collect::<Result<_>>()?)
            }
        },
        Value::Array(elements) => {
            let mut all = Vec::new();
            for element in elements {
                planning::extend_with(&mut all, element, &|element| written(element))?;
            }
            Value::Array(all)
        }
        value => value.clone(),
    })
}

/// Returns the last step in the form that cases expect: JSON instead of texts with JSON.
pub fn outcome(step: HistoryStep) -> Value {
    let mut outcome = serde_json::to_value(&step.history).expect("the contract's records are JSON");
    let parsed = |text: &Value| text.as_str().and_then(|text| serde_json::from_str(text).ok());
    if let Some(memory) = parsed(&outcome["memory"]) {
        outcome["memory"] = memory;
    }
    if !step.compactable.is_empty() {
        outcome["compactable"] = serde_json::to_value(&step.compactable).expect("items are JSON");
    }
    for name in ["items", "compactable"] {
        for item in outcome.get_mut(name).and_then(Value::as_array_mut).into_iter().flatten() {
            if let Some(value) = parsed(&item["insert"]) {
                *item = json!({ "insert": value });
            }
        }
    }
    if let Some(request) = step.request {
        outcome["request"] = serde_json::to_value(request).expect("a request is JSON");
    }
    outcome
}
