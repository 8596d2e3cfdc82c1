//! Detects builds and tests.

use tuckaway_text::visible::visible;

use crate::line::is_fenced;
use crate::runs::{CERTAIN, Meaning, classify};
use crate::sample::{Sample, visible_lines};

/// Lines at the end of an output. If one of them is a tool's, so is the output.
const LAST_LINES: usize = 6;
/// Lines at the end of an output; one of them may be its result: some runners repeat failures below
/// the result.
const CONCLUSION_LINES: usize = 24;
/// One line of a tool among this many others is enough; among more, a text may only quote
/// a tool.
const MAX_LINES_PER_TOOL_LINE: usize = 20;

/// Detects builds and tests: enough lines are printed only by tools, and they are not a few quotes
/// among many others.
pub fn detect(sample: &Sample) -> bool {
    let mut evidence = Evidence::default();
    evidence.add(&sample.head);
    if sample.tail.len() != sample.head.len() {
        evidence.add(&sample.tail);
    }
    evidence.weight >= CERTAIN && evidence.is_dense() && !is_fenced(&sample.head)
}

/// Detects builds and tests by the result that they end with, which no other content has, or by
/// the line that a runner of tests begins with: they may have printed a trace, a table or a log
/// between them.
pub fn is_concluded(sample: &Sample) -> bool {
    let is_result = |text: &str| {
        let line = classify(&visible(text.as_bytes()));
        line.is_some_and(|line| {
            let is_result = matches!(line.meaning, Meaning::Passed | Meaning::Failed | Meaning::Summary);
            is_result && line.weight >= CERTAIN
        })
    };
    let says_something =
        |line: &&str| !matches!(line.trim_start(), "" | "}") && !line.trim_start().starts_with("at ");
    let mut last = sample.tail.lines().rev().filter(says_something).take(CONCLUSION_LINES);
    (last.any(is_result) || begins_tests(&sample.head)) && !is_fenced(&sample.head)
}

/// Returns whether the first line is one with which a runner of tests begins.
fn begins_tests(head: &str) -> bool {
    let first = head.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
    classify(&visible(first.as_bytes())).is_some_and(|line| {
        let begins = line.meaning == Meaning::Progress && line.weight >= CERTAIN;
        begins && line.tool.profile().runs_tests
    })
}

/// The lines of a sample that a tool prints, among all that are not blank.
#[derive(Default)]
struct Evidence {
    lines: usize,
    tool_lines: usize,
    last_tool_line: usize,
    /// Whether the last line is a tool's, or indented below one.
    is_explained: bool,
    /// Whether a tool counts planned actions, below its list of them.
    is_planned: bool,
    weight: u32,
}

impl Evidence {
    fn add(&mut self, text: &str) {
        for (_, shown) in visible_lines(text).filter(|(line, _)| !line.trim().is_empty()) {
            let line = classify(&shown);
            // Notes and excerpts explain what a tool says above them, however many they are.
            self.is_explained = line.is_some() || self.is_explained && shown.starts_with(b" ");
            let dilutes = line.map_or(!self.is_explained, |line| line.weight > 0);
            self.lines += usize::from(dilutes);
            self.is_planned |= line.is_some_and(|line| line.meaning == Meaning::Plan);
            if let Some(line) = line.filter(|line| line.weight > 0) {
                self.tool_lines += 1;
                self.last_tool_line = self.lines;
                // An error that names its file and line is enough.
                let is_located = line.meaning == Meaning::Error && line.weight == 2;
                self.weight += if is_located { CERTAIN } else { line.weight };
            }
        }
    }

    fn is_dense(&self) -> bool {
        self.tool_lines * MAX_LINES_PER_TOOL_LINE >= self.lines
            || self.is_planned
            || self.last_tool_line + LAST_LINES > self.lines
    }
}
