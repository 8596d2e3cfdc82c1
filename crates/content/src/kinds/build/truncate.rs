//! Truncates a build or a test run: keeps results, errors with their context, failed
//! tests and the last lines. Traces are folded, progress is omitted.

use tuckaway_text::visible::visible;

use super::context::{self, Contexts};
use crate::hashes::Hashes;
use crate::line::counts::has_failures;
use crate::line::gist::Gist;
use crate::line::word::explains;
use crate::runs::{Meaning, ToolLine, classify, is_above_message};
use crate::stack::Folder;
use crate::truncate::lines::{Line, Middle, Priority, ranked_lines};
use crate::truncate::select;

/// The rank of a trace's message.
const TRACE_RANK: u8 = 2;
/// Bytes of a line that are compared to find lines that differ only in numbers.
const GIST_BYTES: usize = 200;

/// Truncates a build or a test run to `max` bytes.
pub fn truncate(text: &str, max: usize, middle: &mut Middle) -> String {
    let lines = ranked_lines(text, max, middle, rank);
    select::render(text, lines, max)
}

/// Returns the priority of a line of a tool by its meaning, if only that counts.
fn of_meaning(meaning: Meaning, shown: &[u8]) -> Option<Priority> {
    Some(match meaning {
        Meaning::Failed => Priority::Rank(0),
        Meaning::Summary if has_failures(shown) => Priority::Rank(0),
        Meaning::Summary | Meaning::Passed | Meaning::StepDone | Meaning::Plan => Priority::Rank(3),
        Meaning::Warning => Priority::Rank(5),
        Meaning::Progress | Meaning::Started => Priority::Foldable,
        _ => return None,
    })
}

fn rank(text: &str, lines: &mut [Line]) {
    let mut traces = Folder::default();
    let mut contexts = Contexts::default();
    let mut known = Hashes::default();
    let mut awaits_message = false;
    let mut is_new = |line: &[u8]| known.is_new(Gist::of(line, GIST_BYTES).text);
    for index in 0..lines.len() {
        let line = &mut lines[index];
        let shown = visible(line.text(text).as_bytes());
        let is_in_trace = traces.read(index, &shown);
        let tool_line = classify(&shown);
        let meaning = tool_line.map(|line| line.meaning);
        let is_error = matches!(meaning, Some(Meaning::Error | Meaning::FailedTest));
        // Any program may print such a line.
        let is_certain = tool_line.is_some_and(|line| line.weight > 0);
        match (meaning, meaning.and_then(|meaning| of_meaning(meaning, &shown))) {
            _ if is_error => {
                line.priority = Priority::Rank(if is_new(&shown) { 2 - u8::from(is_certain) } else { 4 });
            }
            (_, Some(priority)) => line.priority = priority,
            _ if is_in_trace => continue,
            (Some(Meaning::Why), _) => {
                contexts.add_other(line, &shown, index);
                if explains(&shown) {
                    line.priority = Priority::Rank(if is_new(&shown) { 1 } else { 4 });
                }
                continue;
            }
            _ => {
                contexts.add_other(line, &shown, index);
                // The message of a failed test may be below its name.
                if awaits_message && !shown.trim_ascii().is_empty() {
                    awaits_message = false;
                    if is_new(&shown) {
                        line.priority = Priority::Rank(1);
                    }
                }
            }
        }
        if let Some(line) = tool_line {
            awaits_message = is_above_message(line, &shown);
        }
        let is_listed = tool_line.is_some_and(ToolLine::is_listed);
        if is_listed {
            contexts.add_listed(line);
        } else if let Some(meaning) = meaning {
            contexts.add(meaning, index, line);
        }
        if is_error && !is_listed {
            context::attach_lead(lines, index, text);
        }
    }
    traces.fold(lines, TRACE_RANK);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_depends_on_few_others() {
        for line in [
            "x: In y\n  1:2  error  x\n",
            "  --> src/a.rs:1:2\n",
            "Caused by:\n",
            "note: this\n",
            "  12:5  error  x\n",
        ] {
            let text = format!("error: x\n{}", line.repeat(60_000));
            let view = truncate(&text, 600, &mut Middle::default());
            assert!(view.starts_with("error: x\n") && view.len() <= 600, "{view}");
        }
    }
}
