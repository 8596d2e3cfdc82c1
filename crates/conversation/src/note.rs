//! The note after a truncated output.

use tuckaway_text::{counted, human_bytes};

/// Returns the text of the note after a truncated output, in fewer than 200 bytes: the size of the
/// output, and the reference from which it can be read.
pub fn truncation_note(size_bytes: u64, lines: u64, artifact: Option<&str>) -> String {
    let (size, lines) = (human_bytes(size_bytes), counted(lines, "line"));
    match artifact {
        Some(id) => format!("Cut: {size} in {lines}. The continuation can be expanded with ref={id}"),
        None => format!("Cut: {size} in {lines}"),
    }
}
