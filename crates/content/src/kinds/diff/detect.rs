//! Detects diffs.

use tuckaway_search::Lines;

use super::walker::{DiffLine, DiffWalker};
use crate::sample::Sample;

/// A diff begins within this many lines. A commit's message and its list of files may come
/// first.
const BEGINS_WITHIN: usize = 200;

/// Returns whether there is a hunk, or a file header with more of a header after it, and
/// most lines from there on belong to a diff. A text in which only colours show the words
/// that differ does not count as a diff, because nothing could be counted.
pub fn detect(sample: &Sample) -> bool {
    let (mut begun, mut files, mut belongs, mut strays) = (false, 0, 0, 0);
    let (mut hunks, mut changes) = (0, 0);
    let mut in_message = false;
    let head = sample.head.as_bytes();
    let mut walker = DiffWalker::of(head);
    let mut lines = Lines::of(head).enumerate().peekable();
    while let Some((index, line)) = lines.next() {
        let next = lines.peek().map_or(&b""[..], |(_, next)| next);
        let step = walker.step(line, next);
        begun |= matches!(step, DiffLine::File { .. } | DiffLine::Hunk);
        hunks += usize::from(step == DiffLine::Hunk);
        changes += usize::from(matches!(step, DiffLine::Added | DiffLine::Removed | DiffLine::Changed));
        in_message = step == DiffLine::Commit || in_message && step == DiffLine::Other;
        match step {
            _ if !begun && (index > BEGINS_WITHIN || line.starts_with(b"```")) => return false,
            _ if !begun => {}
            DiffLine::Commit => {}
            DiffLine::Other => strays += usize::from(!line.is_empty() && !in_message),
            DiffLine::File { .. } => files += 1,
            _ => belongs += 1,
        }
    }
    // Heads with wrong counts are of people and models, who use no colours.
    let strange = walker.broken + if sample.is_coloured() { walker.surplus } else { 0 };
    let is_counted = hunks == 0 || changes > 0 && strange * 2 <= hunks;
    belongs > 0 && strays <= belongs / 4 + 2 * files && is_counted
}
