//! Detects logs.

use crate::line::{log as line, time};
use crate::sample::Sample;
use crate::stack::Reader;

/// Lines of a sample that are inspected.
const LINES: usize = 300;
/// Minimum entries if most of them begin with a level and no time.
const UNTIMED_ENTRIES: usize = 4;

/// Detects logs: most lines begin with a time or a level, apart from those that continue
/// an entry.
pub fn detect(sample: &Sample) -> bool {
    let (mut entries, mut others, mut timed) = (0, 0, 0);
    let mut form = time::NO_FORM;
    let mut traces = Reader::default();
    let lines = sample.visible_lines().filter(|(line, _)| !line.trim().is_empty()).take(LINES);
    for (seen, (_, text)) in lines.enumerate() {
        // The lines to come cannot outweigh so many entries.
        if entries >= UNTIMED_ENTRIES && entries > 2 * (others + LINES - seen) {
            return true;
        }
        // Elements of XML may have times in them.
        if matches!(&text[..], [b'<', b'a'..=b'z' | b'A'..=b'Z' | b'/' | b'!', ..]) {
            others += 1;
            continue;
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_begin_with_a_time() {
        let detects = |line: &str| detect(&Sample::of(line.repeat(4).as_bytes()));
        assert!(detects("2026-11-21 22:04:26 a (b)\n"));
        assert!(!detects("<item><title>One</title><date>Tue, 06 Jan 2026 10:00:00 GMT</date></item>\n"));
    }
}
