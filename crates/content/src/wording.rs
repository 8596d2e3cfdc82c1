//! Notices that a model reads, separate from the logic that selects them.

use tuckaway_text::{counted, human_bytes};

/// Replaces the middle of a text.
pub fn truncated(bytes: usize) -> String {
    format!("... [truncated {}; head and tail preserved] ...", human_bytes(bytes as u64))
}

/// Replaces the middle of a text; the lines of it that look like errors follow.
pub fn truncated_but_errors(bytes: usize, kept: usize, found: &str) -> String {
    let lines = if found == "1" { "line that looks like an error" } else { "lines that look like errors" };
    format!(
        "... [truncated {}; head and tail preserved, and {kept} of {found} {lines}:] ...",
        human_bytes(bytes as u64)
    )
}

/// Replaces the middle of a string, or all of a number.
pub fn truncated_inside(bytes: usize) -> String {
    format!("... [truncated {}] ...", human_bytes(bytes as u64))
}

/// Replaces content that is detected but cannot be read as text.
pub fn not_shown(what: &str, bytes: u64) -> String {
    format!("[{what}, {}, not shown]", human_bytes(bytes))
}

/// Replaces bytes that are not text.
pub fn binary(bytes: u64) -> String {
    format!("[binary output of {}, not shown]", human_bytes(bytes))
}

/// Replaces members of an array or an object.
pub fn truncated_members(omitted: usize, of: usize, what: &str, bytes: usize) -> String {
    format!(
        "... [truncated {omitted} of {of} {what}, {}; head and tail preserved] ...",
        human_bytes(bytes as u64)
    )
}

/// Replaces the last lines of a section.
pub fn omitted_rest(lines: usize) -> String {
    format!("... [{} omitted] ...", counted(lines as u64, "more line"))
}

/// Replaces lines, before the entries of a table of contents that lead to them.
pub fn omitted_with_contents(first: usize, last: usize, kept: usize, of: &str, noun: &str) -> String {
    format!("... [lines {first} to {last} omitted; {kept} of {of} {noun} in them:] ...")
}

/// Replaces hunks of a file's diff.
pub fn omitted_hunks(hunks: usize, lines: usize) -> String {
    format!("... [{} of this file omitted, {lines} lines] ...", counted(hunks as u64, "more hunk"))
}

/// Replaces lines.
pub fn omitted_lines(lines: u64) -> String {
    format!("... [{} omitted] ...", counted(lines, "line"))
}

/// Replaces frames of a stack.
pub fn omitted_frames(frames: usize) -> String {
    format!("... [{} omitted] ...", counted(frames as u64, "frame"))
}
