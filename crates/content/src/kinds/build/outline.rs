//! The outline of a build or a test run: the tool, the result, errors, failed tests
//! and warnings.

use std::cmp::Reverse;

use tuckaway_search::{LineSpan, LineSpans};
use tuckaway_text::counted;
use tuckaway_text::order;
use tuckaway_text::visible::{VisibleLines, visible};

use super::messages::{MAX_LISTED, Messages, QUOTED_BYTES, Results};
use crate::line::error;
use crate::line::quoted;
use crate::outline::{Entry, Outline, push_numbered};
use crate::runs::{
    Classifier, Ending, Leaves, Logged, Meaning, Tool, ToolLine, Verdict, classify, indented,
    is_above_message, is_any_test, test_name, without_lead,
};
use crate::stack::{Event, Reader};

/// Maximum listed lines that any program may have printed, if other lines give the reason for the
/// failure.
const MAX_PRINTED: usize = 3;

/// Outlines a build or a test run; `has_failed` is set if its tool reports an error.
pub fn outline(bytes: &[u8], has_failed: bool) -> Outline {
    let mut report = Report::default();
    let mut traces = Reader::default();
    let mut classifier = Classifier::default();
    for (number, text) in VisibleLines::of(bytes) {
        report.lines = number;
        let indented = indented(&text);
        let shown = indented.trim_ascii_start();
        let line = classifier.read(&text, shown);
        let is_progress = line.is_some_and(|line| line.meaning == Meaning::Progress);
        if !is_progress || !traces.skip() {
            traces.read(number, &text, &mut |event| {
                if let Event::Message { at, text, .. } = event {
                    report.exceptions.push(at, &text);
                    report.verdict.doubt();
                }
            });
        }
        match line {
            Some(line) => report.add(line, number, &text, shown),
            None => report.add_other(number, &text),
        }
        report.verdict.read_any(indented, number);
        if line.is_some_and(|line| line.meaning == Meaning::Context) {
            report.errors.add_location(number, &text);
            report.printed.add_location(number, &text);
        }
    }
    if let Some(success) = report.verdict.last_success() {
        report.doubt_after(bytes, success);
    }
    report.into_outline(has_failed)
}

/// The facts that the lines of an output report.
#[derive(Default)]
struct Report {
    /// Each tool with the weight of its lines.
    tools: Vec<(Tool, u32)>,
    errors: Messages,
    /// Errors that any program may have printed.
    printed: Messages,
    /// The number of errors that no other program prints.
    certain_errors: u64,
    last_error: u64,
    /// Numbered titles: of failed tests, once those are counted.
    numbered_titles: Vec<(u64, String)>,
    /// Whether titles follow the count of failed tests, as none came before.
    awaits_titles: bool,
    /// A title that continues on the next lines.
    open_title: Option<(u64, String)>,
    failed_tests: Messages,
    /// Failed tests by their diagnostics, which repeat those that the tests report themselves.
    diagnosed: Messages,
    subtests: Leaves,
    exceptions: Messages,
    warnings: Messages,
    /// Messages of the failed tests themselves.
    why: Messages,
    logged: Logged,
    /// Whether the next line is the message of a failed test.
    awaits_message: bool,
    lines: u64,
    results: Results,
    verdict: Verdict,
}

impl Report {
    /// Adds the line of a tool; `shown` is what it is [`without_lead`].
    fn add(&mut self, line: ToolLine, number: u64, text: &[u8], shown: &[u8]) {
        self.add_tool(line);
        let sums_up = is_any_test(text) && self.subtests.sums_up(indented(text));
        self.awaits_message = is_above_message(line, text);
        let message = || quoted(shown, QUOTED_BYTES);
        if let Some(is_failure) = self.verdict.read(line, number, shown) {
            self.add_result(line, number, message(), is_failure);
            return;
        }
        let of = line.tool.profile();
        match line.meaning {
            // It goes on explaining an error whose first line says what is wrong.
            Meaning::Error if of.error_lines > 0 && number - self.last_error <= of.error_lines => {
                self.last_error = number
            }
            Meaning::Error => {
                if of.error_lines > 0 {
                    self.last_error = number;
                }
                self.certain_errors += u64::from(line.weight > 0);
                let errors = if line.weight > 0 { &mut self.errors } else { &mut self.printed };
                errors.push(number, &message());
            }
            Meaning::Warning => self.warnings.push(number, &message()),
            Meaning::FailedTest if sums_up => {}
            Meaning::FailedTest if shown.starts_with(b"#") => self.diagnosed.push(number, &message()),
            Meaning::FailedTest => self.failed_tests.push(number, &quoted(test_name(text), QUOTED_BYTES)),
            Meaning::Why if of.logs.is_none() => self.why.push(number, &message()),
            Meaning::Heading if of.numbers_failures => self.add_title(number, message()),
            _ => {}
        }
        if let Some(logs) = &of.logs {
            let why = &mut self.why;
            let add = &mut |number, message: &str| why.push(number, message);
            self.logged.read(logs, line.meaning, (number, text), &message, add);
        }
    }

    /// Adds the numbered title of a failed test: below the count of those that failed, only the line that
    /// ends the title has a colon.
    fn add_title(&mut self, number: u64, title: String) {
        match self.awaits_titles {
            true if title.ends_with(':') => self.failed_tests.push(number, &title),
            true => self.open_title = Some((number, title)),
            false if self.numbered_titles.len() < MAX_LISTED => self.numbered_titles.push((number, title)),
            false => {}
        }
    }

    /// Adds the next line of a title.
    fn continue_title(&mut self, text: &[u8]) {
        let Some((number, title)) = self.open_title.take() else { return };
        let text = quoted(without_lead(text), QUOTED_BYTES);
        let title = format!("{title} {text}");
        match text.is_empty() || text.ends_with(':') || title.len() > QUOTED_BYTES {
            true => self.failed_tests.push(number, title.trim_end()),
            false => self.open_title = Some((number, title)),
        }
    }

    /// Searches for errors after the last success: a program that ran then may have failed.
    fn doubt_after(&mut self, bytes: &[u8], success: u64) {
        let after = LineSpans::of(bytes).zip(1..).find(|(_, number)| *number == success);
        let Some((LineSpan { end, .. }, _)) = after else { return };
        let is_of_any = |line: &[u8]| classify(&visible(line)).is_none_or(|line| line.weight == 0);
        if error::near_end(&bytes[end..]).any(is_of_any) {
            self.verdict.doubt();
        }
    }

    /// Adds a line that has no tool's form: the message of a failed test may be
    /// below its name.
    fn add_other(&mut self, number: u64, text: &[u8]) {
        self.continue_title(text);
        if std::mem::take(&mut self.awaits_message) {
            match text.trim_ascii().is_empty() {
                true => self.awaits_message = true,
                false => self.why.push(number, &quoted(text, QUOTED_BYTES)),
            }
        }
    }

    fn add_tool(&mut self, line: ToolLine) {
        match self.tools.iter_mut().find(|(tool, _)| *tool == line.tool) {
            Some((_, weight)) => *weight = weight.saturating_add(line.weight),
            None => self.tools.push((line.tool, line.weight)),
        }
    }

    fn add_result(&mut self, line: ToolLine, number: u64, text: String, is_failure: bool) {
        if line.tool.profile().numbers_failures && is_failure {
            self.awaits_titles = self.numbered_titles.is_empty();
            for (number, title) in std::mem::take(&mut self.numbered_titles) {
                self.failed_tests.push(number, &title);
            }
        }
        self.results.push(number, text, is_failure);
    }

    fn into_outline(mut self, has_failed: bool) -> Outline {
        order::sort_by_key(&mut self.tools, |&(tool, count)| (tool == Tool::Any, Reverse(count)));
        let tool = self.tools.first().map(|(tool, _)| *tool);
        let ending = self.verdict.ending(self.lines, has_failed);
        if ending == Ending::Passed {
            self.forget_failures();
        }
        if self.failed_tests.count == 0 {
            self.failed_tests = std::mem::take(&mut self.diagnosed);
        }
        self.why.remove_listed_by(&self.exceptions);
        self.errors.remove_listed_by(&self.exceptions);
        let mut printed = std::mem::take(&mut self.printed);
        printed.remove_listed_by(&self.exceptions);
        let says_why = [&self.why, &self.errors, &self.exceptions].iter().any(|said| said.different > 0);
        match says_why && ending != Ending::Passed {
            true => printed.keep(MAX_PRINTED),
            false => self.errors.append(std::mem::take(&mut printed)),
        }
        let mut outline = Outline::default();
        outline.push("kind", Entry::Text(self.title(tool, ending, has_failed)));
        push_numbered(&mut outline, "result", self.results.of(ending == Ending::Failed), 0);
        let errors = if ending == Ending::Passed { "printed" } else { "errors" };
        for (name, messages) in [
            ("why", self.why),
            (errors, self.errors),
            ("failed_tests", self.failed_tests),
            ("exceptions", self.exceptions),
            ("printed", printed),
            ("warnings", self.warnings),
        ] {
            let omitted = messages.omitted();
            // Some runners name a failed test more than once.
            let listed = if name == "failed_tests" { messages.listed } else { messages.counted() };
            push_numbered(&mut outline, name, listed, omitted);
        }
        outline
    }

    /// Discards the failures of a run that passed, and keeps the other lines that it printed.
    fn forget_failures(&mut self) {
        self.why = Messages::default();
        self.failed_tests = Messages::default();
        for (line, text) in std::mem::take(&mut self.exceptions).listed {
            self.errors.push(line, &text);
        }
    }

    /// Returns the first line of the outline: `cargo output: failed, 2 errors`.
    fn title(&self, tool: Option<Tool>, ending: Ending, has_failed: bool) -> String {
        let said = match ending {
            Ending::Passed if has_failed => "passed, but the call reports an error",
            Ending::Passed => "passed",
            Ending::Failed => "failed",
            Ending::NoResult => "no result",
        };
        let mut counts = String::new();
        let mut count = |count: u64, what: &str| {
            if count > 0 {
                counts += &format!(", {}", counted(count, what));
            }
        };
        let profile = tool.unwrap_or(Tool::Any).profile();
        if profile.counts_errors && ending != Ending::Passed {
            count(self.certain_errors, "error");
        }
        if profile.counts_failed_tests {
            count(self.failed_tests.different, "failed test");
        }
        count(self.warnings.count, "warning");
        format!("{} output: {said}{counts}", profile.name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::outline::Layout;

    #[test]
    fn lines_behind_times_decide_as_others_do() {
        let tap = ["1..2", "ok 1 - a", "    not ok 1 - subtest # TODO", "    1..1", "ok 2 - b", ""];
        let npm = [
            "> api@1.0.0 test",
            "FAIL a.test.js",
            "npm error Lifecycle script `test` failed with error:",
            "> api@1.0.0 test",
            "PASS a.test.js",
            "",
            "Tests: 2 passed, 2 total",
            "",
        ];
        for (lines, ending) in [(&tap[..], "passed"), (&npm, "no result")] {
            for lead in ["", "2024-01-02T03:04:05.1234567Z ", "#12 0.345 "] {
                let text: String = lines.iter().map(|line| format!("{lead}{line}\n")).collect();
                let json = outline(text.as_bytes(), false).to_json(1_000, &Layout::ONE_LINE);
                assert!(json.contains(&format!("output: {ending}")), "{text}{json}");
            }
        }
    }

    fn titled(text: &str) -> String {
        outline(text.as_bytes(), false).to_json(1_000, &Layout::ONE_LINE)
    }

    #[test]
    fn each_failed_test_is_counted_once() {
        for (text, expected) in [
            ("#   Failed test 'a'\n1..2\nnot ok 1 - a\nok 2 - b\nResult: FAIL\n", "1 failed test"),
            ("#   Failed test 'a'\n#   Failed test 'b'\nResult: FAIL\n", "2 failed tests"),
            ("1..1\nnot ok 1 - a.ts # time=1ms {\n    1..1\n    not ok 1 - b\n}\n", "1 failed test"),
            ("    not ok 1 - a\n    1..1\nnot ok 1 - b\nnot ok 2 - c\n1..2\n# fail 3\n", "2 failed tests"),
            (
                "FAILED a.py::T::test_a - no\nSUBFAILED(i=1) a.py::T::test_b - no\n2 failed in 0.1s\n",
                "2 failed tests",
            ),
        ] {
            assert!(
                titled(text).contains(&format!("output: failed, {expected}\"")),
                "{text}{}",
                titled(text)
            );
        }
    }

    #[test]
    fn titles_below_the_count_name_the_failed_tests() {
        let json = titled(
            "  ..!!\n\n  2 passing (4ms)\n  2 failing\n\n  1) shop\n       breaks:\n\n      Error: no\n\n  2) cart:\n     no\n",
        );
        assert!(json.contains(r#"failed, 2 failed tests"#), "{json}");
        assert!(json.contains(r#""6": "1) shop breaks:", "11": "2) cart:""#), "{json}");
    }

    #[test]
    fn lines_behind_a_result_take_it_back() {
        let passed = "..\n2 passed in 0.09s\n";
        assert!(titled(passed).contains("output: passed"));
        for line in ["Cannot connect to the Docker daemon at unix:///a.", "E: Unable to locate package a"] {
            assert!(titled(&format!("{passed}{line}\n")).contains("output: no result"), "{line}");
        }
    }

    #[test]
    fn progress_after_a_panic_is_its_message() {
        for message in ["the shader failed", "Compiling the shader failed", "Resolving the shader failed"] {
            let text = format!(
                "running 1 test\nthread 'main' panicked at src/main.rs:3:5:\n{message}\ntest result: FAILED. 0 passed\n"
            );
            let json = outline(text.as_bytes(), false).to_json(1_000, &Layout::ONE_LINE);
            assert!(json.contains(&format!("src/main.rs:3:5: {message}")), "{json}");
        }
    }
}
