//! The tools of an extraction's sub-agent: [`dialects::pinned`](super::dialects::pinned) on
//! one artifact.

use super::dialects::pinned::TABLE;
use super::{Arguments, answer, definition, replied, wording};
use crate::error::Error;
use crate::model::{ToolDefinition, ToolReply};
use crate::ports::Store;
use crate::query::{self, Target};

/// Returns the definitions of `Read` and `Grep`.
pub(crate) fn definitions() -> Vec<ToolDefinition> {
    TABLE.tools.iter().map(definition).collect()
}

/// Runs `Read` or `Grep` on the artifact `id`, as [`call`](super::call) runs a tool. Another
/// file and another tool are mistakes of the model.
///
/// Errors: `invalid-input` for a `max_bytes` under 256, `store` for a store that failed.
pub(crate) fn call(
    store: &dyn Store,
    id: &str,
    name: &str,
    arguments: &str,
    max_bytes: Option<u32>,
) -> Result<ToolReply, Error> {
    let max = query::page_bytes(max_bytes)?;
    replied(run(store, id, name, arguments, max), max)
}

fn run(store: &dyn Store, id: &str, name: &str, json: &str, max: usize) -> Result<ToolReply, Error> {
    let tool = TABLE.tools.iter().find(|tool| tool.name == name);
    let tool =
        tool.ok_or_else(|| Error::invalid(wording::only_read_and_grep(tuckaway_text::cut::head(name, 80))))?;
    let arguments = Arguments::parse(&tool.signature(), json)?;
    let named = arguments.text("filename").unwrap_or_default().trim();
    if named != id {
        return Err(Error::invalid(wording::other_file(tuckaway_text::cut::head(named, 160), id)));
    }
    answer(&Target { store, id, words: TABLE.words }, tool, &arguments, max)
}
