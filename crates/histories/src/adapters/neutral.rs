//! The neutral form itself.

use serde_json::{Value, json};
use tuckaway_conversation::{Message, Replacement, TextMessage};

use super::Adapter;
use super::blocks::element;

pub(super) struct Neutral;

impl Adapter for Neutral {
    fn system_member(&self) -> Option<&'static str> {
        None
    }

    fn read(&self, item: &Value) -> Result<Message, String> {
        serde_json::from_value(item.clone()).map_err(|error| error.to_string())
    }

    fn replace(&self, item: &mut Value, replacement: &Replacement) -> Result<(), String> {
        let part = element(item, "parts", replacement.part).and_then(|part| part.get_mut("tool_result"));
        let part = part.filter(|part| part.is_object());
        let part = part.ok_or_else(|| format!("part {} is not a tool result", replacement.part))?;
        part["text"] = Value::from(&*replacement.text);
        part["artifact"] = Value::from(&*replacement.artifact);
        // The tokens counted the old text.
        if let Some(members) = item.as_object_mut() {
            members.shift_remove("tokens");
        }
        Ok(())
    }

    fn insert(&self, message: &TextMessage) -> Value {
        json!({"role": message.role, "parts": [{"text": message.text}], "inserted": true})
    }

    fn tool_name<'a>(&self, definition: &'a Value) -> Option<&'a str> {
        definition["name"].as_str()
    }

    fn is_hosted(&self, _: &Value) -> bool {
        false
    }
}
