//! The outline of a build or a test run: the tool, how it ended, errors, failed tests
//! and warnings.

use std::collections::VecDeque;

use tuckaway_search::hash;
use tuckaway_text::counted;
use tuckaway_text::visible::VisibleLines;

use super::classify::classify;
use super::excerpt::{location, test_name, without_lead};
use super::line::{Meaning, Tool, ToolLine};
use crate::hashes::Hashes;
use crate::line::counts::has_failures;
use crate::line::quoted;
use crate::outline::{Entry, Outline, push_numbered};
use crate::stack::{Event, Reader};

/// The most messages of one kind that an outline lists.
const MAX_LISTED: usize = 40;
/// The most bytes of each.
const QUOTED_BYTES: usize = 160;
/// The most different messages that are remembered; repetitions of others count again.
const MAX_REMEMBERED: usize = 4_096;

/// Outlines a build or a test run.
pub fn outline(bytes: &[u8]) -> Outline {
    let mut report = Report::default();
    let mut traces = Reader::default();
    for (number, text) in VisibleLines::of(bytes) {
        let line = classify(&text);
        let is_progress = line.is_some_and(|line| line.meaning == Meaning::Progress);
        if !is_progress || !traces.skip() {
            traces.read(number, &text, &mut |event| {
                if let Event::Message { at, text, .. } = event {
                    report.exceptions.push(at, &text);
                }
            });
        }
        if let Some(line) = line {
            report.add(line, number, &text);
        }
        if line.is_some_and(|line| line.meaning == Meaning::Context) {
            report.errors.add_location(number, &text);
        }
    }
    report.into_outline()
}

/// What the lines of an output report.
#[derive(Default)]
struct Report {
    /// Each tool with the weight of its lines.
    tools: Vec<(Tool, u32)>,
    errors: Messages,
    last_error: u64,
    /// Mocha's numbered titles: of failed tests, once it counts them.
    numbered_titles: Vec<(u64, String)>,
    failed_tests: Messages,
    exceptions: Messages,
    warnings: Messages,
    results: Results,
    has_failed: bool,
    has_passed: bool,
}

impl Report {
    fn add(&mut self, line: ToolLine, number: u64, text: &[u8]) {
        self.add_tool(line);
        let message = || quoted(without_lead(text), QUOTED_BYTES);
        match line.meaning {
            // pytest explains an error in several lines: the first says what is wrong.
            Meaning::Error if line.tool == Tool::Pytest && self.last_error + 1 == number => {
                self.last_error = number
            }
            Meaning::Error => {
                self.last_error = number;
                self.errors.push(number, &message());
            }
            Meaning::Warning => self.warnings.push(number, &message()),
            Meaning::FailedTest => {
                self.failed_tests.push(number, &quoted(test_name(text), QUOTED_BYTES));
                self.has_failed = true;
            }
            Meaning::Summary | Meaning::Failed | Meaning::Passed => self.add_result(line, number, message()),
            Meaning::Heading if line.tool == Tool::Mocha && self.numbered_titles.len() < MAX_LISTED => {
                self.numbered_titles.push((number, message()));
            }
            Meaning::Progress | Meaning::Heading | Meaning::Context => {}
        }
    }

    fn add_tool(&mut self, line: ToolLine) {
        match self.tools.iter_mut().find(|(tool, _)| *tool == line.tool) {
            Some((_, weight)) => *weight = weight.saturating_add(line.weight),
            None => self.tools.push((line.tool, line.weight)),
        }
    }

    fn add_result(&mut self, line: ToolLine, number: u64, text: String) {
        // Mocha numbers the failed tests before it counts them.
        if line.tool == Tool::Mocha {
            for (number, title) in std::mem::take(&mut self.numbered_titles) {
                self.failed_tests.push(number, &title);
            }
        }
        let is_failure = line.meaning == Meaning::Failed || has_failures(text.as_bytes());
        self.has_failed |= is_failure;
        self.has_passed |= !is_failure;
        self.results.push(number, text, is_failure);
    }

    fn into_outline(mut self) -> Outline {
        self.tools.sort_by(|l, r| (l.0 == Tool::Any).cmp(&(r.0 == Tool::Any)).then(r.1.cmp(&l.1)));
        let tool = self.tools.first().map(|(tool, _)| *tool);
        let has_failed = self.has_failed || self.errors.count > 0;
        let mut outline = Outline::default();
        outline.push("kind", Entry::Text(self.title(tool, has_failed)));
        push_numbered(&mut outline, "result", self.results.of(has_failed), 0);
        for (name, messages) in [
            ("errors", self.errors),
            ("failed_tests", self.failed_tests),
            ("exceptions", self.exceptions),
            ("warnings", self.warnings),
        ] {
            let omitted = messages.omitted();
            push_numbered(&mut outline, name, messages.listed, omitted);
        }
        outline
    }

    /// Returns the first line of the outline: `cargo output: failed, 2 errors`.
    fn title(&self, tool: Option<Tool>, has_failed: bool) -> String {
        let ending = match (has_failed, self.has_passed) {
            (true, _) => "failed",
            (false, true) => "passed",
            (false, false) => "no result",
        };
        let mut counts = String::new();
        let mut count = |count: u64, what: &str| {
            if count > 0 {
                counts += &format!(", {}", counted(count, what));
            }
        };
        // What pytest calls errors are failures outside of tests; its lines with `E` are
        // what tests print.
        if tool != Some(Tool::Pytest) {
            count(self.errors.count, "error");
        }
        // Jest and Vitest name a test more than once, and its file; their summary counts.
        if !matches!(tool, Some(Tool::Jest | Tool::Vitest)) {
            count(self.failed_tests.different, "failed test");
        }
        count(self.warnings.count, "warning");
        format!("{} output: {ending}{counts}", tool.map_or("build", Tool::name))
    }
}

/// Messages of one kind, each listed once with the line where it is first printed.
#[derive(Default)]
struct Messages {
    listed: Vec<(u64, String)>,
    known: Hashes,
    count: u64,
    different: u64,
}

impl Messages {
    fn push(&mut self, line: u64, text: &str) {
        let hash = hash::of(&text.as_bytes()[..text.len().min(300)]);
        let is_new = self.known.len() >= MAX_REMEMBERED || self.known.is_new(hash);
        self.count += 1;
        if !is_new {
            return;
        }
        self.different += 1;
        if self.listed.len() < MAX_LISTED {
            self.listed.push((line, quoted(text.as_bytes(), QUOTED_BYTES)));
        }
    }

    /// Adds the location of the last message, if the line after it names one.
    fn add_location(&mut self, number: u64, line: &[u8]) {
        if let Some((message_line, text)) = self.listed.last_mut()
            && *message_line + 1 == number
            && text.len() < QUOTED_BYTES
            && let Some(location) = location(line)
        {
            *text += &format!(" ({})", quoted(location, QUOTED_BYTES));
        }
    }

    /// Returns how many different messages are not listed.
    fn omitted(&self) -> u64 {
        self.different - self.listed.len() as u64
    }
}

/// The last results, and the last that report a failure.
#[derive(Default)]
struct Results {
    all: VecDeque<(u64, String)>,
    failed: VecDeque<(u64, String)>,
}

impl Results {
    fn push(&mut self, line: u64, text: String, is_failure: bool) {
        const MAX: usize = 3;
        if is_failure {
            self.failed.push_back((line, text.clone()));
        }
        self.all.push_back((line, text));
        for last in [&mut self.all, &mut self.failed] {
            if last.len() > MAX {
                last.pop_front();
            }
        }
    }

    /// Returns the results that an outline lists: of an output that failed, those that
    /// report a failure.
    fn of(self, has_failed: bool) -> Vec<(u64, String)> {
        let listed = if has_failed && !self.failed.is_empty() { self.failed } else { self.all };
        listed.into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::outline::Layout;

    #[test]
    fn progress_after_a_panic_is_its_message() {
        for message in ["the shader failed", "Compiling the shader failed", "Resolving the shader failed"] {
            let text = format!(
                "running 1 test\nthread 'main' panicked at src/main.rs:3:5:\n{message}\ntest result: FAILED. 0 passed\n"
            );
            let json = outline(text.as_bytes()).to_json(1_000, &Layout::ONE_LINE);
            assert!(json.contains(&format!("src/main.rs:3:5: {message}")), "{json}");
        }
    }
}
