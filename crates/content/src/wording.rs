//! What the model reads that is not data: notices and hints, apart from the
//! logic that decides when they are given, so that other wordings can follow.

use tuckaway_text::{counted, human_bytes};

/// Stands where the middle of a text was.
pub fn truncated(bytes: usize) -> String {
    format!("... [truncated {}; head and tail preserved] ...", human_bytes(bytes as u64))
}

/// Stands where the middle of a text was, before those of its lines that are
/// kept because they look like errors.
pub fn truncated_but_errors(bytes: usize, kept: usize, found: &str) -> String {
    let lines = if found == "1" { "line that looks like an error" } else { "lines that look like errors" };
    format!(
        "... [truncated {}; head and tail preserved, and {kept} of {found} {lines}:] ...",
        human_bytes(bytes as u64)
    )
}

/// Stands where the middle of a string, or all of a number, was.
pub fn truncated_inside(bytes: usize) -> String {
    format!("... [truncated {}] ...", human_bytes(bytes as u64))
}

/// Stands for content of which it is known what it is, and that is nothing to
/// read.
pub fn not_shown(what: &str, bytes: u64) -> String {
    format!("[{what}, {}, not shown]", human_bytes(bytes))
}

/// Stands for bytes that no reader can use.
pub fn binary(bytes: u64) -> String {
    format!("[binary output of {}, not shown]", human_bytes(bytes))
}

/// Stands where members of an array or an object were.
pub fn truncated_members(left_out: usize, of: usize, what: &str, bytes: usize) -> String {
    format!(
        "... [truncated {left_out} of {of} {what}, {}; head and tail preserved] ...",
        human_bytes(bytes as u64)
    )
}

/// Stands where lines of a part were.
pub fn left_out_lines(lines: usize) -> String {
    format!("... [{} left out] ...", counted(lines as u64, "more line"))
}

/// Stands where lines were, before the entries of an outline that lead to them.
pub fn left_out_with_outline(first: usize, last: usize, kept: usize, of: &str, noun: &str) -> String {
    format!("... [lines {first} to {last} left out; {kept} of {of} {noun} in them:] ...")
}

/// Stands where hunks of a file's diff were.
pub fn left_out_hunks(hunks: usize, lines: usize) -> String {
    format!("... [{} of this file left out, {lines} lines] ...", counted(hunks as u64, "more hunk"))
}

/// Stands where lines were.
pub fn lines_left_out(lines: u64) -> String {
    format!("... [{} left out] ...", counted(lines, "line"))
}

/// Stands where frames of a stack were.
pub fn frames_left_out(frames: usize) -> String {
    format!("... [{} left out] ...", counted(frames as u64, "frame"))
}
