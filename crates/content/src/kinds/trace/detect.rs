//! Detects stack traces.

use crate::line::is_fenced;
use crate::sample::{Sample, visible_lines};
use crate::stack::{Event, Reader};

/// Lines at the end of a text among which its last trace ends.
const LAST_LINES: usize = 6;

/// Detects traces: at least half of the lines are part of one.
pub fn detect(sample: &Sample) -> bool {
    let counts = Counts::of(&sample.head);
    counts.parts >= 2 && counts.parts * 2 >= counts.lines && !is_fenced(&sample.head)
}

/// Detects texts that end with a trace.
pub fn ends_with_a_trace(sample: &Sample) -> bool {
    let is_all = sample.tail.len() == sample.head.len();
    Counts::of(if is_all { &sample.head } else { &sample.tail }).is_at_end && !is_fenced(&sample.head)
}

/// Detects traces in a text whose media type claims one.
pub fn can_be(sample: &Sample) -> bool {
    detect(sample) || ends_with_a_trace(sample)
}

/// The lines of a text that are not blank.
struct Counts {
    lines: usize,
    /// Those that are part of a trace; none if no trace has a message or a frame.
    parts: usize,
    /// Whether one of the last lines is part of a trace.
    is_at_end: bool,
}

impl Counts {
    fn of(text: &str) -> Self {
        let mut reader = Reader::default();
        let (mut lines, mut parts, mut last_part, mut is_trace) = (0, 0, 0, false);
        for (index, (_, line)) in visible_lines(text).enumerate() {
            if line.trim_ascii().is_empty() {
                continue;
            }
            lines += 1;
            let is_part = reader.read(index as u64, &line, &mut |event| {
                is_trace |= matches!(event, Event::Message { .. } | Event::Frame { begins: true, .. });
            });
            if is_part {
                parts += 1;
                last_part = lines;
            }
        }
        match is_trace {
            true => Counts { lines, parts, is_at_end: last_part + LAST_LINES > lines },
            false => Counts { lines, parts: 0, is_at_end: false },
        }
    }
}
