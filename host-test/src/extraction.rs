//! Calls about extractions, as data: one variant for each function of `extraction`.

use anyhow::{Context, Result, bail};
use serde_json::{Map, Value, json};
use tuckaway::{
    Engine, ExtractionConfig, ExtractionEvent, FailureEvent, ModelCall, ModelReply, ModelTurn, Question,
    ReplyEvent, StopReason,
};

use crate::World;
use crate::content::{self, numbers};

/// The context window of the model, if a case does not say it.
const CONTEXT_TOKENS: u64 = 200_000;

/// A call with its arguments.
#[derive(Clone, Debug)]
#[allow(missing_docs)] // wit/ documents each
pub enum Extraction {
    Config { context_tokens: u64 },
    ParseCall { arguments: String },
    Estimate { question: Question, config: ExtractionConfig },
    Start { question: Question, config: ExtractionConfig },
    Step { state: String, event: ExtractionEvent },
}

impl Extraction {
    /// Parses the call of this name from the input of a case; `None` if it is another call.
    pub fn parse(name: &str, input: &Map<String, Value>) -> Result<Option<Extraction>> {
        Ok(Some(match name {
            "extraction_config" => {
                let tokens = input.get("context_tokens").cloned().map(numbers);
                let tokens = tokens.as_ref().and_then(Value::as_u64);
                Extraction::Config { context_tokens: tokens.context("context_tokens is missing")? }
            }
            "parse_call" => Extraction::ParseCall {
                arguments: written(input.get("arguments").context("arguments are missing")?)?,
            },
            "estimate" => Extraction::Estimate { question: question(input)?, config: config(input)? },
            "start" => Extraction::Start { question: question(input)?, config: config(input)? },
            "step" => {
                let event = input.get("event").context("event is missing")?;
                let state = input.get("state").context("state is missing")?;
                Extraction::Step { state: content::text(state)?, event: event_of(event, None)? }
            }
            _ => return Ok(None),
        }))
    }
}

/// Parses the question. It asks for `the errors` by default.
pub(crate) fn question(input: &Map<String, Value>) -> Result<Question> {
    let mut question = json!({"extract": "the errors", "mode": "auto"});
    let given = input.get("question").and_then(Value::as_object).context("question is missing")?;
    for (name, value) in given {
        question[name] = match name.as_str() {
            "tool_arguments" => Value::from(written(value)?),
            _ => Value::from(content::text(value)?),
        };
    }
    serde_json::from_value(question).context("in question")
}

/// Parses the configuration: merged over the defaults for its window.
pub(crate) fn config(input: &Map<String, Value>) -> Result<ExtractionConfig> {
    let given = numbers(input.get("config").cloned().unwrap_or_else(|| json!({})));
    let given = given.as_object().context("config is not an object")?;
    let window = given.get("context_tokens").and_then(Value::as_u64).unwrap_or(CONTEXT_TOKENS);
    let world = World::new(&Value::Null, &Value::Null)?;
    let engine = Engine::new(&world, &world);
    // A case may be about a window that is too small.
    let defaults = engine.extraction_config(window).or_else(|_| engine.extraction_config(CONTEXT_TOKENS));
    let mut config = serde_json::to_value(defaults.map_err(|error| anyhow::anyhow!(error.message))?)?;
    for (name, value) in given {
        config[name] = value.clone();
    }
    serde_json::from_value(config).context("in config")
}

/// Parses an event: `"resume"`, `"cancel"`, `{"failed": id, "why"}`, or `{"reply": id}` with
/// the model's answer. `answer` is put into the wrapper with the question's nonce.
pub(crate) fn event_of(event: &Value, nonce: Option<&str>) -> Result<ExtractionEvent> {
    let text = |name: &str| event.get(name).map(content::text).transpose();
    match event.as_str() {
        Some("resume") => return Ok(ExtractionEvent::Resume),
        Some("cancel") => return Ok(ExtractionEvent::Cancel),
        Some(_) => bail!("{event} is not an event"),
        None => {}
    }
    if let Some(request) = text("failed")? {
        let why = text("why")?.unwrap_or_else(|| "The model's API failed.".to_owned());
        return Ok(ExtractionEvent::Failed(FailureEvent { request, why }));
    }
    let request = text("reply")?.with_context(|| format!("{event} is not an event"))?;
    let said = match text("answer")? {
        Some(answer) => {
            let nonce = nonce.context("an answer needs the nonce of a question")?;
            format!("<ai-agent-{nonce}-FINAL format=\"text\">\n{answer}\n</ai-agent-{nonce}-FINAL>")
        }
        None => text("text")?.unwrap_or_default(),
    };
    let calls = event.get("calls").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    let stop = event.get("stop").cloned().map(serde_json::from_value::<StopReason>).transpose()?;
    let tokens = |name: &str| event.get(name).cloned().map(numbers).and_then(|value| value.as_u64());
    Ok(ExtractionEvent::Reply(ReplyEvent {
        request,
        reply: ModelReply {
            turn: ModelTurn { text: said, calls: calls.iter().map(call).collect::<Result<_>>()? },
            stop: stop.unwrap_or(StopReason::Finished),
            input_tokens: tokens("input_tokens"),
            output_tokens: tokens("output_tokens"),
        },
    }))
}

fn call(call: &Value) -> Result<ModelCall> {
    let text = |name: &str| content::text(call.get(name).with_context(|| format!("{name} is missing"))?);
    let arguments = written(call.get("arguments").context("arguments are missing")?)?;
    Ok(ModelCall { id: text("id")?, name: text("name")?, arguments })
}

/// Returns a text; an object that is not a recipe is written as compact JSON.
fn written(value: &Value) -> Result<String> {
    match value {
        Value::Object(_) if !content::is_recipe(value) => Ok(value.to_string()),
        value => content::text(value),
    }
}
