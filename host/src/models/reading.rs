//! Code that the adapters share: it reads numbers and tools from JSON, and writes them.

use serde_json::{Value, json};
use tuckaway_contract::{HistoryInput, ModelReply, ModelTurn, StopReason, ToolDefinition};
use tuckaway_usage::token_usage;

use super::ModelError;

/// Creates a reply with the usage that a provider reported.
pub fn reply(turn: ModelTurn, stop: StopReason, usage: &Value) -> ModelReply {
    let usage = token_usage(usage).ok();
    let input = usage.map(|usage| {
        let cached = usage.cache_creation_tokens.saturating_add(usage.cache_read_tokens);
        usage.input_tokens.saturating_add(cached)
    });
    // A server that does not count tokens reports 0.
    let counted = |tokens: Option<u64>| tokens.filter(|&tokens| tokens > 0);
    ModelReply {
        turn,
        stop,
        input_tokens: counted(input),
        output_tokens: counted(usage.map(|usage| usage.output_tokens)),
    }
}

/// Returns the schema of a tool as JSON.
pub fn schema(tool: &ToolDefinition) -> Value {
    serde_json::from_str(&tool.input_schema).unwrap_or_else(|_| json!({"type": "object"}))
}

/// Returns the id of a call, or an id that is unique in the conversation if the server left it
/// empty.
pub fn call_id(id: &str, request: &str, index: usize) -> String {
    match id.is_empty() {
        true => format!("call_{}_{index}", request.replace('-', "_")),
        false => id.to_owned(),
    }
}

/// Parses the items to compact.
pub fn items_to_compact(items: &str) -> Result<Value, ModelError> {
    let parsed = serde_json::from_str(items).ok().filter(Value::is_array);
    parsed.ok_or_else(|| ModelError::new("The items to compact are not a JSON list."))
}

/// Copies members of a history, if it is a whole request, to the body of another request.
pub fn copy_members(history: &HistoryInput, names: &[&str], body: &mut Value) {
    let request: Value = serde_json::from_str(&history.json).unwrap_or_default();
    for name in names {
        if let Some(member) = request.get(name).filter(|member| !member.is_null()) {
            body[name] = member.clone();
        }
    }
}
