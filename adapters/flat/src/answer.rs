//! Answers as JSON.

use serde_json::{Value, json};
use tuckaway::{Engine, Error};

/// Calls a function with its arguments as JSON, and returns `{"ok": result}` or
/// `{"error": {"kind", "message", "arguments"}}`.
pub fn answer(engine: &Engine<'_>, name: &str, arguments: &[u8]) -> Vec<u8> {
    respond(crate::call(engine, name, arguments))
}

/// Writes a result or an error.
pub fn respond(result: Result<Value, Error>) -> Vec<u8> {
    match result {
        Ok(value) => json!({ "ok": value }),
        Err(error) => json!({ "error": error }),
    }
    .to_string()
    .into_bytes()
}
