//! Stores files.

use serde_json::Value;
use tuckaway_host::{Action, Block, Content, ToolOutput, Turn};

use super::engine::Engine;
use super::tools::result;

/// Stores a file, however small it is. Returns a result with the envelope of the file.
pub(super) async fn put(engine: &Engine, name: &str, bytes: Vec<u8>) -> Value {
    let settings = &engine.settings;
    let mut policy = settings.policy.clone();
    policy.keep_all = true;
    let turn = Turn {
        context_window: settings.context_window,
        used_tokens: 0,
        tools: settings.artifact_tools.clone(),
    };
    let output = ToolOutput {
        tool: name.to_owned(),
        is_error: false,
        blocks: vec![Block { content: Content::Bytes(bytes), media_type: None }],
        structured: None,
    };
    match engine.tuckaway.process(&output, &turn, &policy).await {
        Ok(view) if view.decision.action == Action::Inline => {
            let ids: Vec<&str> = view.artifacts.iter().map(|artifact| artifact.id.as_str()).collect();
            result(&format!("Stored as {}.\n\n{}", ids.join(", "), view.text), false)
        }
        Ok(view) => result(&view.text, view.artifacts.is_empty()),
        Err(error) => result(&format!("{name} could not be stored: {error}"), true),
    }
}
