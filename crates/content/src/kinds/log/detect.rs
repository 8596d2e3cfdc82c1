//! How logs are detected.

use tuckaway_text::visible::visible;

use crate::line::{log as line, time};
use crate::sample::Sample;
use crate::stack::Reader;

/// Lines of a sample that are inspected.
const LINES: usize = 300;

/// Detects logs: most lines begin with a time or a level, apart from those that continue
/// an entry.
pub fn detect(sample: &Sample) -> bool {
    let (mut entries, mut others, mut timed) = (0, 0, 0);
    let mut form = time::NO_FORM;
    let mut traces = Reader::default();
    for text in sample.lines().filter(|line| !line.trim().is_empty()).take(LINES) {
        let text = visible(text.as_bytes());
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
    let min_entries = if timed * 2 >= entries { 2 } else { 4 };
    entries >= min_entries && entries > 2 * others
}
