//! The two protocols: a request is checked as strictly as by the providers, and reduced to the
//! parts that the script needs.

use serde_json::{Value, json};
use tuckaway_contract::HistoryFormat;
use tuckaway_histories::rules::violations;

/// A protocol.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Protocol {
    OpenAi,
    Anthropic,
}

/// A request to the model.
#[derive(Clone, Debug)]
pub struct Ask {
    pub protocol: Protocol,
    pub system: String,
    /// The user's messages and the results of calls, in their order.
    pub heard: Vec<Heard>,
    /// Names and schemas.
    pub tools: Vec<(String, Value)>,
    pub may_call: bool,
    /// The nonce of the wrapper.
    pub nonce: String,
}

/// A message to the model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Heard {
    User(String),
    Result(String),
}

/// An answer of the model.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Said {
    pub text: String,
    /// Names and arguments.
    pub calls: Vec<(String, Value)>,
    /// Whether the limit of the output was reached.
    pub is_cut: bool,
}

/// Reads a request. The error is a status and why.
pub fn read(path: &str, headers: &[(String, String)], body: &Value) -> Result<Ask, (u16, String)> {
    let protocol = match path {
        "/v1/chat/completions" => Protocol::OpenAi,
        "/v1/messages" => Protocol::Anthropic,
        _ => return Err((404, format!("no such path: {path}"))),
    };
    let has = |name: &str| headers.iter().any(|(known, _)| known == name);
    let wrong = |why: &str| Err((400, why.to_owned()));
    if protocol == Protocol::Anthropic && !has("anthropic-version") {
        return wrong("anthropic-version: header is required");
    }
    if body["model"].as_str().is_none_or(str::is_empty) {
        return wrong("model: field required");
    }
    let limit = body["max_tokens"].as_u64().or(body["max_completion_tokens"].as_u64());
    if limit.is_none_or(|limit| limit == 0) {
        return wrong("max_tokens: field required");
    }
    if let Some(violation) = violated(protocol, body) {
        return Err((400, violation));
    }
    let messages = body["messages"].as_array().map(Vec::as_slice).unwrap_or_default();
    let mut system = body["system"].as_str().unwrap_or_default().to_owned();
    let mut heard = Vec::new();
    for message in messages {
        match message["role"].as_str() {
            Some("system") => system += message["content"].as_str().unwrap_or_default(),
            Some("tool") => heard.push(Heard::Result(text(&message["content"]))),
            Some("user") => hear(&message["content"], &mut heard),
            _ => {}
        }
    }
    let (tools, may_call) = tools(protocol, body);
    let Some(nonce) = nonce(&system) else { return wrong("this model answers extractions only") };
    Ok(Ask { protocol, system, heard, tools, may_call, nonce })
}

/// Returns a rule of the provider that the messages break.
fn violated(protocol: Protocol, body: &Value) -> Option<String> {
    let format = match protocol {
        Protocol::OpenAi => HistoryFormat::OpenaiChat,
        Protocol::Anthropic => HistoryFormat::Anthropic,
    };
    let messages = body["messages"].as_array().map(Vec::as_slice).unwrap_or_default();
    violations(format, messages).into_iter().next()
}

fn hear(content: &Value, heard: &mut Vec<Heard>) {
    match content {
        Value::String(text) => heard.push(Heard::User(text.clone())),
        Value::Array(blocks) => heard.extend(blocks.iter().map(|block| match block["type"].as_str() {
            Some("tool_result") => Heard::Result(text(&block["content"])),
            _ => Heard::User(text(&block["text"])),
        })),
        _ => {}
    }
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

fn tools(protocol: Protocol, body: &Value) -> (Vec<(String, Value)>, bool) {
    let listed = body["tools"].as_array().map(Vec::as_slice).unwrap_or_default();
    let tools: Vec<(String, Value)> = listed
        .iter()
        .map(|tool| match protocol {
            Protocol::OpenAi => (text(&tool["function"]["name"]), tool["function"]["parameters"].clone()),
            Protocol::Anthropic => (text(&tool["name"]), tool["input_schema"].clone()),
        })
        .collect();
    let choice = &body["tool_choice"];
    let is_none = choice == "none" || choice["type"] == "none";
    let may_call = !tools.is_empty() && !is_none;
    (tools, may_call)
}

/// Returns the nonce of the wrapper that a system prompt asks for.
pub fn nonce(system: &str) -> Option<String> {
    let (_, behind) = system.rsplit_once("<ai-agent-")?;
    behind.split_once("-FINAL").map(|(nonce, _)| nonce.to_owned())
}

/// Writes an answer, with thinking that a client has to ignore.
pub fn write(protocol: Protocol, said: &Said) -> Value {
    let output_tokens = said.text.len().div_ceil(4).max(1);
    match protocol {
        Protocol::OpenAi => {
            let call = |(index, (name, arguments)): (usize, &(String, Value))| {
                json!({
                    "id": format!("call_{}_{index}", arguments.to_string().len()),
                    "type": "function",
                    "function": {"name": name, "arguments": arguments.to_string()},
                })
            };
            let mut message = json!({
                "role": "assistant",
                "content": said.text,
                "reasoning_content": "I think about <ai-agent-thinking-FINAL>nothing</ai-agent-thinking-FINAL>.",
            });
            if !said.calls.is_empty() {
                message["tool_calls"] = said.calls.iter().enumerate().map(call).collect();
            }
            let reason = match (said.is_cut, said.calls.is_empty()) {
                (true, _) => "length",
                (false, true) => "stop",
                (false, false) => "tool_calls",
            };
            json!({
                "object": "chat.completion",
                "choices": [{"index": 0, "message": message, "finish_reason": reason}],
                "usage": {"prompt_tokens": 1_000, "completion_tokens": output_tokens, "total_tokens": 1_000 + output_tokens},
            })
        }
        Protocol::Anthropic => {
            let mut content = vec![json!({"type": "thinking", "thinking": "hm", "signature": "s"})];
            if !said.text.is_empty() {
                content.push(json!({"type": "text", "text": said.text}));
            }
            content.extend(said.calls.iter().enumerate().map(|(index, (name, input))| {
                let id = format!("toolu_{}_{index}", input.to_string().len());
                json!({"type": "tool_use", "id": id, "name": name, "input": input})
            }));
            let reason = match (said.is_cut, said.calls.is_empty()) {
                (true, _) => "max_tokens",
                (false, true) => "end_turn",
                (false, false) => "tool_use",
            };
            json!({
                "type": "message",
                "role": "assistant",
                "content": content,
                "stop_reason": reason,
                "usage": {
                    "input_tokens": 900,
                    "cache_creation_input_tokens": 0,
                    "cache_read_input_tokens": 100,
                    "output_tokens": output_tokens,
                },
            })
        }
    }
}

/// Writes an error.
pub fn refusal(why: &str) -> Value {
    json!({"type": "error", "error": {"type": "invalid_request_error", "message": why}})
}
