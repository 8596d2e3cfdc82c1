//! OpenAI's Chat Completions API, which many other servers also support.

use async_trait::async_trait;
use serde_json::{Value, json};
use tuckaway_contract::{
    HistoryInput, ModelCall, ModelReply, ModelRequest, ModelTurn, RequestMessage, StopReason,
};

use super::endpoint::{Connection, Endpoint};
use super::reading::{call_id, copy_members, items_to_compact, reply, schema};
use super::{Model, ModelError};

/// A model with an API that is compatible with OpenAI's Chat Completions.
#[derive(Clone, Debug)]
pub struct OpenAiModel(Connection);

impl OpenAiModel {
    /// The base URL of OpenAI.
    pub const BASE_URL: &str = "https://api.openai.com/v1";

    /// Prepares a model; nothing is sent yet.
    ///
    /// Errors: for a URL or a key that cannot be sent.
    pub fn new(endpoint: Endpoint) -> Result<Self, ModelError> {
        let key = ("authorization", "Bearer {}");
        Ok(OpenAiModel(Connection::new(endpoint, "/chat/completions", key, &[])?))
    }
}

#[async_trait]
impl Model for OpenAiModel {
    async fn complete(&self, request: &ModelRequest) -> Result<ModelReply, ModelError> {
        // OpenAI's newer models refuse the old name, which is the only one that other servers
        // know.
        let limit = match self.0.base_url().contains("api.openai.com") {
            true => "max_completion_tokens",
            false => "max_tokens",
        };
        let mut body = body(self.0.model(), request);
        body[limit] = json!(request.max_output_tokens);
        self.0.post(&body, |answer| read(&request.id, answer)).await
    }

    /// Sends input items of Responses to `/responses/compact`. Returns all items of the answer: OpenAI
    /// requires all of them.
    async fn compact(&self, items: &str, history: &HistoryInput) -> Result<String, ModelError> {
        let mut body = json!({"model": self.0.model(), "input": items_to_compact(items)?});
        copy_members(history, &["instructions"], &mut body);
        // An answer without a compaction is billed, so it is not requested again.
        self.0.to("/responses/compact", &[]).post(&body, |answer| Ok(read_compaction(answer))).await?
    }
}

/// Reads the items that take the place of the compacted ones.
pub(super) fn read_compaction(answer: &Value) -> Result<String, ModelError> {
    match answer["output"].as_array() {
        Some(items) if !items.is_empty() => Ok(answer["output"].to_string()),
        _ => Err(ModelError::new("The answer from the model's API has no compaction.")),
    }
}

/// Writes a request.
pub(super) fn body(model: &str, request: &ModelRequest) -> Value {
    let mut messages = vec![json!({"role": "system", "content": request.system})];
    for message in &request.messages {
        match message {
            RequestMessage::User(text) => messages.push(json!({"role": "user", "content": text})),
            RequestMessage::Model(turn) => messages.push(assistant(turn)),
            RequestMessage::Results(results) => messages.extend(results.iter().map(
                |result| json!({"role": "tool", "tool_call_id": result.call_id, "content": result.text}),
            )),
        }
    }
    let mut body = json!({"model": model, "messages": messages});
    if !request.tools.is_empty() {
        let tool = |tool| json!({"type": "function", "function": tool});
        let tools = request.tools.iter().map(|definition| {
            tool(json!({
                "name": definition.name,
                "description": definition.description,
                "parameters": schema(definition),
            }))
        });
        body["tools"] = tools.collect();
        body["tool_choice"] = json!(if request.may_call { "auto" } else { "none" });
    }
    body
}

fn assistant(turn: &ModelTurn) -> Value {
    let mut message = json!({"role": "assistant", "content": turn.text});
    if !turn.calls.is_empty() {
        let calls = turn.calls.iter().map(|call| {
            json!({
                "id": call.id,
                "type": "function",
                "function": {"name": call.name, "arguments": call.arguments},
            })
        });
        message["tool_calls"] = calls.collect();
    }
    message
}

/// Reads the answer to the request with this id.
pub(super) fn read(request: &str, answer: &Value) -> Result<ModelReply, ModelError> {
    let choice = &answer["choices"][0];
    let message = &choice["message"];
    if !message.is_object() {
        return Err(ModelError::new("The answer from the model's API has no message."));
    }
    let text = text(&message["content"]);
    let calls = message["tool_calls"].as_array().map(Vec::as_slice).unwrap_or_default();
    let calls: Vec<ModelCall> =
        calls.iter().enumerate().filter_map(|(index, call)| read_call(request, index, call)).collect();
    let is_empty = text.is_empty() && calls.is_empty();
    if let Some(refusal) = message["refusal"].as_str().filter(|_| is_empty) {
        return Err(ModelError::new(format!("The model refused: {refusal}")));
    }
    let stop = match choice["finish_reason"].as_str() {
        Some("content_filter") if is_empty => {
            return Err(ModelError::new("The provider's filter stopped the answer."));
        }
        Some("length" | "content_filter") => StopReason::Length,
        _ => StopReason::Finished,
    };
    Ok(reply(ModelTurn { text, calls }, stop, &answer["usage"]))
}

/// Returns the text of a content: a string, or a list of parts. Parts that are not text, such as
/// thinking, are ignored.
fn text(content: &Value) -> String {
    match content {
        Value::String(text) => text.clone(),
        Value::Array(parts) => {
            let texts = parts.iter().filter(|part| part["type"] == "text");
            texts.filter_map(|part| part["text"].as_str()).collect()
        }
        _ => String::new(),
    }
}

fn read_call(request: &str, index: usize, call: &Value) -> Option<ModelCall> {
    let function = &call["function"];
    let arguments = match &function["arguments"] {
        Value::String(text) => text.clone(),
        Value::Null => "{}".to_owned(),
        arguments => arguments.to_string(),
    };
    let id = call_id(call["id"].as_str().unwrap_or_default(), request, index);
    Some(ModelCall { id, name: function["name"].as_str()?.to_owned(), arguments })
}
