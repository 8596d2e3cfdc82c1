//! `Read` and `Grep` on one artifact, for the model of an extraction.

use tuckaway_extraction::{Reply, ToolDefinition};

use crate::error::Error;
use crate::model::{ArtifactTool, ArtifactTools};
use crate::ports::Store;

/// Returns the definitions.
pub fn definitions() -> Vec<ToolDefinition> {
    let mut definitions = super::definitions(&ArtifactTools::from([ArtifactTool::Read, ArtifactTool::Grep]));
    for (definition, name) in definitions.iter_mut().zip(["Read", "Grep"]) {
        definition.name = name.to_owned();
    }
    definitions
}

/// Answers a call.
pub fn call(
    store: &dyn Store,
    id: &str,
    name: &str,
    arguments: &str,
    max_bytes: u32,
) -> Result<Reply, Error> {
    let name = match name {
        "Read" => "artifact_read",
        "Grep" => "artifact_grep",
        _ => "",
    };
    let _ = id;
    let reply = super::call(store, name, arguments, Some(max_bytes))?;
    Ok(Reply { text: reply.text, is_error: reply.is_error, read: None })
}
