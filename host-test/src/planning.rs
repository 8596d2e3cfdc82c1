//! Calls about conversations, as data: one variant for each function of `cache`,
//! `compaction`, `budget` and `planning`.

use anyhow::{Context, Result};
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};
use tuckaway::{
    BudgetConfig, CacheConfig, CompactionConfig, Conversation, Engine, PlanState, Preset, Task, TokenUsage,
};

use crate::World;
use crate::content::{self, numbers};

/// A call with its arguments.
#[derive(Clone, Debug)]
#[allow(missing_docs)] // wit/ documents each
pub enum Planning {
    CacheView { text: String, artifact: Option<String>, config: CacheConfig },
    Unreferenced { texts: Vec<String> },
    ShouldCompact { usage: TokenUsage, config: CompactionConfig },
    BudgetPreset { preset: Preset, total_window: Option<u64> },
    CheckBudget { config: BudgetConfig },
    ReadRefusal { error: String },
    Plan(Box<Plan>),
}

/// The arguments of `planning.plan`.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub struct Plan {
    pub conversation: Conversation,
    pub task: Task,
    pub answers: Vec<String>,
    pub state: PlanState,
}

impl Planning {
    /// Parses the call of this name from the input of a case; `None` if it is another call.
    pub fn parse(name: &str, input: &Map<String, Value>) -> Result<Option<Planning>> {
        let input = Input(input);
        Ok(Some(match name {
            "cache_view" => Planning::CacheView {
                text: content::text(input.0.get("text").context("text is missing")?)?,
                artifact: input.0.get("artifact").map(content::text).transpose()?,
                config: input.config()?,
            },
            "unreferenced" => Planning::Unreferenced { texts: input.texts("texts")? },
            "should_compact" => {
                Planning::ShouldCompact { usage: input.parsed("usage")?, config: input.config()? }
            }
            "budget_preset" => Planning::BudgetPreset {
                preset: serde_json::from_value(input.0.get("preset").context("preset is missing")?.clone())?,
                total_window: input.number("total_window")?,
            },
            "check_budget" => Planning::CheckBudget { config: budget(input.0.get("config"), None)? },
            "read_refusal" => Planning::ReadRefusal {
                error: content::text(input.0.get("error").context("error is missing")?)?,
            },
            "plan" => Planning::Plan(Box::new(Plan {
                conversation: input.conversation()?,
                task: task(input.0.get("task").context("task is missing")?)?,
                answers: input.texts("answers")?,
                state: input.state()?,
            })),
            _ => return Ok(None),
        }))
    }
}

struct Input<'a>(&'a Map<String, Value>);

impl Input<'_> {
    fn number(&self, name: &str) -> Result<Option<u64>> {
        let value = self.0.get(name).cloned().map(numbers);
        value.map(|value| value.as_u64().with_context(|| format!("{name} is not a number"))).transpose()
    }

    /// Parses a record whose fields all have defaults.
    fn parsed<T: DeserializeOwned>(&self, name: &str) -> Result<T> {
        let value = self.0.get(name).cloned().unwrap_or_else(|| json!({}));
        serde_json::from_value(numbers(value)).with_context(|| format!("in {name}"))
    }

    fn config<T: DeserializeOwned>(&self) -> Result<T> {
        self.parsed("config")
    }

    /// Parses the state. Its fingerprint may consist of digits, and is not a number.
    fn state(&self) -> Result<PlanState> {
        let state = self.0.get("state").cloned().unwrap_or_else(|| json!({}));
        serde_json::from_value(state).context("in state")
    }

    fn texts(&self, name: &str) -> Result<Vec<String>> {
        let texts = self.0.get(name).and_then(Value::as_array);
        texts.into_iter().flatten().map(content::text).collect()
    }

    fn conversation(&self) -> Result<Conversation> {
        let given = self.0.get("conversation").context("conversation is missing")?;
        let mut conversation = given.as_object().context("conversation is not an object")?.clone();
        let given = conversation.get("messages").and_then(Value::as_array).context("no messages")?;
        let mut messages = Vec::new();
        for given in given {
            extend_with(&mut messages, given, &message)?;
        }
        conversation.insert("messages".to_owned(), Value::Array(messages));
        for tool in conversation.get_mut("tools").and_then(Value::as_array_mut).into_iter().flatten() {
            cook(tool, "definition")?;
        }
        if let Some(usage) = conversation.get_mut("usage") {
            *usage = numbers(usage.take());
        }
        serde_json::from_value(Value::Object(conversation)).context("in conversation")
    }
}

/// Adds an element of a list, or the elements that a recipe stands for, each written out by `write`.
pub fn extend_with(
    all: &mut Vec<Value>,
    given: &Value,
    write: &dyn Fn(&Value) -> Result<Value>,
) -> Result<()> {
    let Some(each) = given.get("each").and_then(Value::as_array) else {
        all.push(write(given)?);
        return Ok(());
    };
    let number = |name: &str| given[name].as_u64().with_context(|| format!("{name} is missing"));
    for n in number("from")?..=number("to")? {
        let n = n.to_string();
        for element in each {
            extend_with(all, &numbered(element, &n), write)?;
        }
    }
    Ok(())
}

/// Returns a message with its texts written out.
fn message(given: &Value) -> Result<Value> {
    let mut message = given.clone();
    if let Some(tokens) = message.get_mut("tokens") {
        *tokens = numbers(tokens.take());
    }
    for part in message.get_mut("parts").and_then(Value::as_array_mut).into_iter().flatten() {
        match part.as_object_mut().and_then(|part| part.iter_mut().next()) {
            Some((kind, _)) if kind == "text" => cook(part, "text")?,
            Some((kind, call)) if kind == "tool_call" => cook(call, "arguments")?,
            Some((kind, result)) if kind == "tool_result" => cook(result, "text")?,
            Some((_, amount)) => *amount = numbers(amount.take()),
            None => {}
        }
    }
    Ok(message)
}

/// Replaces `%` by a number in all strings.
fn numbered(value: &Value, n: &str) -> Value {
    match value {
        Value::String(text) => Value::from(text.replace('%', n)),
        Value::Array(values) => values.iter().map(|value| numbered(value, n)).collect(),
        Value::Object(members) => {
            members.iter().map(|(name, value)| (name.clone(), numbered(value, n))).collect()
        }
        value => value.clone(),
    }
}

/// Replaces a recipe by its text. An object that is not a recipe is JSON as a model writes it.
fn cook(object: &mut Value, member: &str) -> Result<()> {
    let Some(value) = object.get_mut(member) else { return Ok(()) };
    let text = match value {
        Value::Object(_) if !content::is_recipe(value) => value.to_string(),
        ref value => content::text(value)?,
    };
    *value = Value::from(text);
    Ok(())
}

/// Parses a budget: a preset for its window, whose members the case overrides.
fn budget(given: Option<&Value>, context_window: Option<u64>) -> Result<BudgetConfig> {
    let mut given = numbers(given.cloned().unwrap_or_else(|| json!({})));
    let members = given.as_object_mut().context("the budget is not an object")?;
    let preset: Preset = match members.shift_remove("preset") {
        Some(preset) => serde_json::from_value(preset)?,
        None => Preset::General,
    };
    let world = World::new(&Value::Null, &Value::Null)?;
    let engine = Engine::new(&world, &world);
    let window = members.get("total_window").and_then(Value::as_u64).or(context_window);
    // A window that no budget can have is for the call to refuse.
    let scaled = engine.budget_preset(preset, window).or_else(|_| engine.budget_preset(preset, None));
    let mut budget = serde_json::to_value(scaled?)?;
    for (name, value) in members {
        budget[name.as_str()] = value.take();
    }
    for layer in budget["layers"].as_array_mut().into_iter().flatten() {
        for (name, default) in [("keep_recent_turns", 8), ("evict_pct", 70)] {
            if layer[name].is_null() {
                layer[name] = Value::from(default);
            }
        }
    }
    serde_json::from_value(budget).context("in the budget")
}

/// Parses a task: by default, windows are 200,000 tokens, and missing fields of budgets come
/// from presets.
pub fn task(given: &Value) -> Result<Task> {
    let mut task = given.clone();
    if let Some((kind, fields)) = task.as_object_mut().and_then(|task| task.iter_mut().next()) {
        let (kind, has_window) = (kind.clone(), matches!(kind.as_str(), "trim" | "manage"));
        *fields = numbers(fields.take());
        if has_window && fields["context_window"].is_null() {
            fields["context_window"] = json!(200_000);
        }
        let window = fields["context_window"].as_u64();
        if kind == "budget" {
            fields["config"] = serde_json::to_value(budget(fields.get("config"), None)?)?;
        } else if fields["budget"].is_object() {
            fields["budget"] = serde_json::to_value(budget(fields.get("budget"), window)?)?;
        }
    }
    serde_json::from_value(task).context("in task")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_are_written_out() {
        let input = json!({"conversation": {"messages": [
            {"each": [
                {"role": "assistant", "parts": [{"tool_call": {"id": "c%", "name": "f", "arguments": {"n": "%"}}}]},
                {"role": "tool", "parts": [{"tool_result": {"call_id": "c%", "text": {"repeat": "%\n", "times": 2}}}]},
            ], "from": 1, "to": 2},
            {"role": "user", "parts": [{"text": ["a", "b"]}, {"media": {"tokens": "12"}}], "tokens": "7"},
        ]}, "task": "account"});
        let input = input.as_object().unwrap();
        let Some(Planning::Plan(plan)) = Planning::parse("plan", input).unwrap() else {
            panic!("it is a plan")
        };
        let conversation = plan.conversation;
        assert_eq!(conversation.messages.len(), 5);
        let written = serde_json::to_value(&conversation.messages[3].parts).unwrap();
        assert_eq!(written[0]["tool_result"]["text"], "2\n2\n");
        let written = serde_json::to_value(&conversation.messages[2].parts).unwrap();
        assert_eq!(written[0]["tool_call"]["arguments"], "{\"n\":\"2\"}");
        assert_eq!(
            serde_json::to_value(&conversation.messages[4].parts).unwrap(),
            json!([{"text": "a\nb"}, {"media": {"tokens": 12, "bytes": 0, "label": null, "artifact": null}}])
        );
        assert_eq!(conversation.messages[4].tokens, Some(7));
    }
}
