//! Anthropic's Messages API.

use async_trait::async_trait;
use serde_json::{Value, json};
use tuckaway_contract::{
    HistoryInput, ModelCall, ModelReply, ModelRequest, ModelTurn, RequestMessage, StopReason,
};

use super::endpoint::{Connection, Endpoint};
use super::reading::{call_id, copy_members, items_to_compact, reply, schema};
use super::{Model, ModelError};

/// The version of the API.
const VERSION: &str = "2023-06-01";
/// The text of a turn in which the model said nothing: the API refuses an empty turn.
const NOTHING: &str = "(nothing)";
/// The path of the API.
const MESSAGES: &str = "/messages";
/// The header without which the API refuses a compaction.
const COMPACTION: [(&str, &str); 1] = [("anthropic-beta", "compact-2026-09-04")];
/// Maximum tokens of a compaction, the model's thinking before it included.
const MAX_COMPACTION_TOKENS: u32 = 8_192;

/// A model with Anthropic's Messages API.
#[derive(Clone, Debug)]
pub struct AnthropicModel(Connection);

impl AnthropicModel {
    /// The base URL of Anthropic.
    pub const BASE_URL: &str = "https://api.anthropic.com/v1";

    /// Prepares a model; nothing is sent yet.
    ///
    /// Errors: for a URL or a key that cannot be sent.
    pub fn new(endpoint: Endpoint) -> Result<Self, ModelError> {
        let headers = [("anthropic-version", VERSION)];
        Ok(AnthropicModel(Connection::new(endpoint, MESSAGES, ("x-api-key", "{}"), &headers)?))
    }
}

#[async_trait]
impl Model for AnthropicModel {
    async fn complete(&self, request: &ModelRequest) -> Result<ModelReply, ModelError> {
        let body = body(self.0.model(), request);
        self.0.post(&body, |answer| read(&request.id, answer)).await
    }

    /// Requests a compaction of messages on demand. Requests with the compaction need the same beta header,
    /// `compact-2026-09-04`.
    async fn compact(&self, items: &str, history: &HistoryInput) -> Result<String, ModelError> {
        let mut body = json!({
            "model": self.0.model(),
            "max_tokens": MAX_COMPACTION_TOKENS,
            "messages": items_to_compact(items)?,
            "compaction": {"type": "summarize"},
        });
        copy_members(history, &["system", "tools"], &mut body);
        // An answer without a compaction is billed, so it is not requested again.
        self.0.to(MESSAGES, &COMPACTION).post(&body, |answer| Ok(read_compaction(answer))).await?
    }
}

/// Reads the message that takes the place of the compacted ones.
pub(super) fn read_compaction(answer: &Value) -> Result<String, ModelError> {
    let reason = answer["stop_reason"].as_str().unwrap_or_default();
    match answer["content"].as_array() {
        Some(blocks) if reason == "compaction" && !blocks.is_empty() => {
            Ok(json!([{"role": "assistant", "content": blocks}]).to_string())
        }
        _ => Err(ModelError::new(format!(
            "The answer from the model's API has no compaction (stop_reason {reason:?})."
        ))),
    }
}

/// Writes a request. Consecutive messages with the same role are joined, because roles have to
/// alternate.
pub(super) fn body(model: &str, request: &ModelRequest) -> Value {
    let mut messages: Vec<(&str, Vec<Value>)> = Vec::new();
    for message in &request.messages {
        let (role, blocks) = match message {
            RequestMessage::User(text) => ("user", vec![json!({"type": "text", "text": text})]),
            RequestMessage::Model(turn) => ("assistant", assistant(turn)),
            RequestMessage::Results(results) => {
                let block = |result: &tuckaway_contract::CallResult| {
                    json!({
                        "type": "tool_result",
                        "tool_use_id": result.call_id,
                        "content": result.text,
                        "is_error": result.is_error,
                    })
                };
                ("user", results.iter().map(block).collect())
            }
        };
        match messages.last_mut().filter(|(last, _)| *last == role) {
            Some((_, all)) => all.extend(blocks),
            None => messages.push((role, blocks)),
        }
    }
    let messages: Vec<Value> =
        messages.into_iter().map(|(role, content)| json!({"role": role, "content": content})).collect();
    let mut body = json!({
        "model": model,
        "max_tokens": request.max_output_tokens,
        "system": request.system,
        "messages": messages,
    });
    if !request.tools.is_empty() {
        let tools = request.tools.iter().map(
            |tool| json!({"name": tool.name, "description": tool.description, "input_schema": schema(tool)}),
        );
        body["tools"] = tools.collect();
        body["tool_choice"] = json!({"type": if request.may_call { "auto" } else { "none" }});
    }
    body
}

fn assistant(turn: &ModelTurn) -> Vec<Value> {
    let mut blocks = Vec::new();
    let is_empty = turn.text.trim().is_empty();
    if !is_empty || turn.calls.is_empty() {
        let text = if is_empty { NOTHING } else { turn.text.trim_end() };
        blocks.push(json!({"type": "text", "text": text}));
    }
    blocks.extend(turn.calls.iter().map(|call| {
        // The API accepts only objects. The result of the call explains malformed arguments.
        let input = serde_json::from_str(&call.arguments).ok().filter(Value::is_object);
        json!({
            "type": "tool_use",
            "id": call.id,
            "name": call.name,
            "input": input.unwrap_or_else(|| json!({})),
        })
    }));
    blocks
}

/// Reads the answer to the request with this id. Blocks that are neither text nor calls, such as
/// thinking, are ignored.
pub(super) fn read(request: &str, answer: &Value) -> Result<ModelReply, ModelError> {
    let Some(blocks) = answer["content"].as_array() else {
        return Err(ModelError::new("The answer from the model's API has no content."));
    };
    let mut turn = ModelTurn { text: String::new(), calls: Vec::new() };
    for block in blocks {
        match block["type"].as_str() {
            Some("text") => turn.text += block["text"].as_str().unwrap_or_default(),
            Some("tool_use") => turn.calls.extend(block["name"].as_str().map(|name| ModelCall {
                id: call_id(block["id"].as_str().unwrap_or_default(), request, turn.calls.len()),
                name: name.to_owned(),
                arguments: match &block["input"] {
                    Value::Null => "{}".to_owned(),
                    input => input.to_string(),
                },
            })),
            _ => {}
        }
    }
    let stop = match answer["stop_reason"].as_str() {
        Some("refusal") => return Err(ModelError::new("The model refused to answer.")),
        Some("max_tokens" | "model_context_window_exceeded") => StopReason::Length,
        _ => StopReason::Finished,
    };
    Ok(reply(turn, stop, &answer["usage"]))
}
