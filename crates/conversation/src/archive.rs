//! The stored form of messages that are removed from the conversation.

use serde_json::{Map, Value, json};

use tuckaway_contract::{Conversation, Message, Part, Role};

/// The tool name of stored messages.
pub const TOOL: &str = "conversation";
/// Their media type.
pub const MEDIA_TYPE: &str = "application/x-ndjson";

/// Writes messages as NDJSON: each with its index in the conversation, its role, and its
/// parts in order.
pub fn ndjson(conversation: &Conversation, messages: &[usize]) -> Vec<u8> {
    let mut bytes = Vec::new();
    for index in messages {
        let line = record(*index, &conversation.messages[*index]);
        bytes.extend_from_slice(line.to_string().as_bytes());
        bytes.push(b'\n');
    }
    bytes
}

fn record(index: usize, message: &Message) -> Value {
    let mut record = Map::new();
    record.insert("index".to_owned(), index.into());
    record.insert("role".to_owned(), role_name(message.role).into());
    record.insert("parts".to_owned(), message.parts.iter().map(part_record).collect());
    Value::Object(record)
}

fn part_record(part: &Part) -> Value {
    match part {
        Part::Text(text) => json!({"text": text}),
        Part::ToolCall(call) => {
            json!({"call": call.name, "id": call.id, "arguments": call.arguments})
        }
        Part::ToolResult(result) => {
            let mut record = json!({"result_of": result.call_id, "text": result.text});
            if result.is_error {
                record["is_error"] = true.into();
            }
            if let Some(artifact) = &result.artifact {
                record["artifact"] = artifact.clone().into();
            }
            record
        }
        Part::Media(medium) => {
            let mut record = json!({"media_tokens": medium.tokens});
            if let Some(artifact) = &medium.artifact {
                record["artifact"] = artifact.clone().into();
            }
            record
        }
        Part::Opaque(bytes) | Part::Thinking(bytes) => json!({"opaque_bytes": bytes}),
    }
}

/// Returns the name of a role.
fn role_name(role: Role) -> &'static str {
    match role {
        Role::System => "system",
        Role::User => "user",
        Role::Assistant => "assistant",
        Role::Tool => "tool",
    }
}
