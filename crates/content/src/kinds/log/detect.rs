//! How logs are detected.

use crate::line::{log as line, time};
use crate::sample::Sample;
use crate::stack::Reader;

/// Lines of a sample that are inspected.
const LINES: usize = 300;
/// The least entries if most of them begin with a level and no time.
const UNTIMED_ENTRIES: usize = 4;

/// Detects logs: most lines begin with a time or a level, apart from those that continue
/// an entry.
pub fn detect(sample: &Sample) -> bool {
    if is_blame(sample) {
        return false;
    }
    let (mut entries, mut others, mut timed) = (0, 0, 0);
    let mut form = time::NO_FORM;
    let mut traces = Reader::default();
    let lines = sample.visible_lines().filter(|(line, _)| !line.trim().is_empty()).take(LINES);
    for (seen, (_, text)) in lines.enumerate() {
        // The lines to come cannot outweigh so many entries.
        if entries >= UNTIMED_ENTRIES && entries > 2 * (others + LINES - seen) {
            return true;
        }
        let line = line::parse(&text, form);
        form = line.form;
        if line.begins() {
            entries += 1;
            timed += usize::from(line.time.is_some());
        } else if !traces.is_part(&text) && !text.starts_with(b" ") && !text.starts_with(b"\t") {
            others += 1;
        }
    }
    // Lines that begin with a level and no time occur in other texts too.
    let min_entries = if timed * 2 >= entries { 2 } else { UNTIMED_ENTRIES };
    entries >= min_entries && entries > 2 * others
}

/// Returns whether lines are as `git blame` prints them: each with the hash of a commit
/// before its author and time, in brackets. Those are of lines of another text.
fn is_blame(sample: &Sample) -> bool {
    const LEAST_DIGITS: usize = 7;
    let (mut blamed, mut lines) = (0, 0);
    for (_, line) in sample.visible_lines().take(LINES) {
        let line = line.strip_prefix(b"^").unwrap_or(&line);
        let digits = line.iter().take_while(|byte| byte.is_ascii_hexdigit()).count();
        let names_author = || line.get(digits) == Some(&b' ') && line.contains(&b'(') && line.contains(&b')');
        lines += 1;
        blamed += usize::from(digits >= LEAST_DIGITS && names_author());
    }
    blamed * 2 > lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn annotated_lines_are_not_entries() {
        let blame = "^d2537ce (Ada Byron 2026-11-21 22:04:26 +0000  1) [profile]\n197a1f10 (Ada Byron 2026-11-22 21:25:01 +0000  2) panic = \"abort\"\n";
        assert!(!detect(&Sample::of(blame.as_bytes())));
        let coloured = blame.replace("^d", "\x1b[33m^d").replace("]\n", "]\x1b[0m\n");
        assert!(!detect(&Sample::of(coloured.as_bytes())));
        assert!(detect(&Sample::of("2026-11-21 22:04:26 a (b)\n".repeat(4).as_bytes())));
    }
}
