//! The fixed texts of views, separate from the logic that selects them.

use tuckaway_text::cut::head;

/// Maximum bytes of a resource's URI in a label.
const MAX_URI_BYTES: usize = 160;

/// Returns the label of a resource's content.
pub fn resource_label(uri: &str) -> String {
    let uri: String = head(uri, MAX_URI_BYTES).chars().filter(|c| !c.is_control()).collect();
    format!("[resource {uri}]")
}

/// The first line of a truncated view whose wrapped result reports a failure.
pub const TOOL_FAILED: &str = "[the tool reported an error]";

/// Replaces the explanation in further envelopes of the same view.
pub const AS_ABOVE: &str = "as above";
