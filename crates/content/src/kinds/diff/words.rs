//! Diffs by words, as `git diff --word-diff` prints them: `[-old-]{+new+}` within lines.

use tuckaway_search::{Lines, find};

/// Bytes of a diff that decide whether it is one by words.
const HEAD_BYTES: usize = 64 << 10;

/// Returns whether a diff is one by words: lines of its hunks have marked words, and no mark
/// at the start that all lines of other hunks have.
pub fn is_by_words(diff: &[u8]) -> bool {
    let head = &diff[..diff.len().min(HEAD_BYTES)];
    let (mut in_hunk, mut marked, mut bare, mut added) = (false, false, false, false);
    for line in Lines::of(head) {
        in_hunk = line.starts_with(b"@@ ") || in_hunk && !line.starts_with(b"diff --");
        if in_hunk && !line.starts_with(b"@@ ") {
            marked |= changes(line) != (false, false);
            bare |= line.first().is_some_and(|first| !b" +-\\".contains(first));
            added |= line.starts_with(b"+");
        }
    }
    marked && bare && !added
}

/// Returns whether a line has words marked as removed, and words marked as added.
pub fn changes(line: &[u8]) -> (bool, bool) {
    let has = |open: &[u8], close: &[u8]| {
        find::text(open, line).is_some_and(|at| find::text(close, &line[at + open.len()..]).is_some())
    };
    (has(b"[-", b"-]"), has(b"{+", b"+}"))
}
