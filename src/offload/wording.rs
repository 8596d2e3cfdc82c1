//! What an envelope says that is not data, apart from the logic that decides
//! when it is said.

use crate::model::ArtifactTool;
use tuckaway_text::cut::head;

/// A resource's address is shown in at most this much.
const MAX_URI_BYTES: usize = 160;

/// Stands before what was read from a resource.
pub fn resource(uri: &str) -> String {
    let uri: String = head(uri, MAX_URI_BYTES).chars().filter(|c| !c.is_control()).collect();
    format!("[resource {uri}]")
}

/// The first line where a result that was unwrapped said so, and nothing else does.
pub const TOOL_FAILED: &str = "[the tool reported an error]";

/// How an envelope says what a tool is for.
pub fn how_to_access(tool: ArtifactTool) -> &'static str {
    match tool {
        ArtifactTool::Read => "Read full content or a line range (start_line/end_line)",
        ArtifactTool::Grep => "Search for patterns with grep",
        ArtifactTool::Jq => "Query with jq expressions, e.g. '.results[0]', '.[] | select(.score > 0.5)'",
    }
}

/// The same in a further envelope of one view.
pub const AS_ABOVE: &str = "as above";
