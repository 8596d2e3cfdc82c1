//! How a run ended, by its lines.
//!
//! ```text
//! a result line      decides: a failure for good, unless the build tool or the task runner
//!                    that ran it reports a success; a success for what the tool printed so
//!                    far. A failure before a success of the same tool, before one of
//!                    another runner of tests, or within a run that passed, is that of
//!                    another run or printed by a test: it decides nothing, and neither does
//!                    the success
//! the exit status    decides if no result line does
//! an error           of a tool decides if neither does; one that any program may have
//!                    printed decides nothing
//! ```

use tuckaway_search::{find, hash};

use super::line::{Meaning, Tool, ToolLine};
use crate::line::counts::has_failures;
use crate::line::is_npm_script;

/// Lines at the end of an output among which the exit status of the run may be.
const EXIT_STATUS_LINES: u64 = 3;
/// Lines of a summary that counts suites and tests: of a suite that does not load, no test failed.
const SUMMARY_LINES: u64 = 3;
/// Lines from Mocha's count of tests that passed, be there none, to that of those that failed.
const MOCHA_LINES: u64 = 2;

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// A tool reports a success, and nothing after it contradicts.
    Passed,
    /// A tool, or the exit status, reports a failure.
    Failed,
    /// Nothing decides.
    NoResult,
}

/// What the lines that were read say about the ending. Lines are given by their numbers.
#[derive(Default)]
pub struct Verdict {
    /// Each tool with the first line of the run that it has not reported a result of.
    runs: Vec<(Tool, u64)>,
    /// The last failure of each tool: its line, and whether it is the tool's last word.
    failed: Vec<(Tool, u64, bool)>,
    /// The first failure that a later success contradicts.
    contradicted: Option<u64>,
    /// The first error of a tool that no success covers; the tool if it is a failed test.
    error: Option<(u64, Option<Tool>)>,
    /// The first mark of a failed test that any program may print, such as `✗`, if no success
    /// covers it.
    marked: Option<u64>,
    /// Whether a line like an error of a tool, which any may have printed, follows the
    /// last success.
    has_error_of_any: bool,
    /// The last exit status of 0.
    exited: Option<u64>,
    /// Whether a line after the last success may be an error.
    is_doubtful: bool,
    tap: Tap,
    /// The last script that npm began, by the hash of its name, with the line.
    script: (u64, u64),
    /// The last script that npm says failed; 0 if its first line is cut off.
    failed_script: u64,
    /// The last success, unless a program is started after it.
    passed: Option<u64>,
}

/// Tests of TAP that are no subtests, since the last complete plan.
#[derive(Default)]
struct Tap {
    planned: u64,
    seen: u64,
    has_failed: bool,
}

impl Verdict {
    /// Reads the next line of a tool. Returns whether it is a result that reports a
    /// failure; none if it is no result.
    pub fn read(&mut self, line: ToolLine, number: u64, text: &[u8]) -> Option<bool> {
        let is_failure = match line.meaning {
            // A test printed it: Mocha counts what passed first.
            Meaning::Failed if line.tool == Tool::Mocha && !self.has_passed_since(number, MOCHA_LINES) => {
                self.is_doubtful = true;
                return None;
            }
            Meaning::Failed => true,
            Meaning::Summary => has_failures(text),
            Meaning::Passed | Meaning::StepDone => false,
            Meaning::Plan => return Some(false),
            meaning => {
                self.read_other(line, meaning, number, text);
                return None;
            }
        };
        // Any program may print an exit status, or a lone `OK`.
        match (line.tool, is_failure) {
            (Tool::Any, true) if line.weight == 0 && text == b"FAIL" => self.has_error_of_any = true,
            (Tool::Any, true) if line.weight == 0 => self.error = self.error.or(Some((number, None))),
            (tool @ (Tool::Pytest | Tool::Unittest), false)
                if line.weight == 0 && self.start(tool).is_none() =>
            {
                return None;
            }
            (Tool::Any, false) if line.weight == 0 => self.exited = Some(number),
            (tool, true) => {
                let is_last_word = line.meaning == Meaning::Failed;
                let mut number = number;
                if tool == Tool::Npm {
                    // It is of the whole script: the tool that ran in it began later, and may run again.
                    self.failed_script = self.script.0;
                    number = if self.script.1 > 0 { self.script.1 } else { number };
                }
                self.failed.retain(|failed| (failed.0, failed.2) != (tool, is_last_word));
                self.failed.push((tool, number, is_last_word));
                // Counts are not the last word of a tool that runs others.
                if is_last_word {
                    self.end_run(tool);
                }
            }
            (tool, false) => self.pass(tool, number, line.meaning),
        }
        Some(is_failure)
    }

    /// Reads the next line of any kind.
    pub fn read_any(&mut self, line: &[u8], number: u64) {
        match is_npm_script(line) {
            true => self.begin_script(hash::of(line.trim_ascii_end()), number),
            false => self.read_tap(line, number),
        }
    }

    /// Records a script that npm begins. If it is one that failed, or one failed whose name is cut off, it
    /// may be repeated, and that failure decides nothing.
    fn begin_script(&mut self, script: u64, number: u64) {
        let failed = self.failed.iter().position(|failed| failed.0 == Tool::Npm);
        if let Some(failed) = failed.filter(|_| [0, script].contains(&self.failed_script)) {
            let (_, began, _) = self.failed.swap_remove(failed);
            self.error = self.error.filter(|error| error.0 < began);
            self.contradict_line(Some(began));
        }
        self.script = (script, number);
    }

    /// Reads the next line of any kind but npm's. As many tests of TAP as are planned, none of which
    /// failed, are a success: not every producer reports one.
    fn read_tap(&mut self, line: &[u8], number: u64) {
        let has = |text: &[u8]| find::text(text, line).is_some();
        if let Some(planned) = line.strip_prefix(b"1..") {
            let digits = planned.split(|byte| *byte == b' ').next().unwrap_or_default();
            let planned =
                std::str::from_utf8(digits.trim_ascii_end()).ok().and_then(|digits| digits.parse().ok());
            self.tap.planned = planned.unwrap_or_default();
        } else if line.starts_with(b"ok ") || is_failed_tap(line) {
            self.tap.seen += 1;
            self.tap.has_failed |= line[0] == b'n' && !has(b"# TODO") && !has(b"# SKIP");
        } else {
            return;
        }
        if self.tap.seen > 0 && self.tap.seen == self.tap.planned {
            let tap = std::mem::take(&mut self.tap);
            if !tap.has_failed {
                self.pass(Tool::Tap, number, Meaning::Passed);
            }
        }
    }

    fn read_other(&mut self, line: ToolLine, meaning: Meaning, number: u64, text: &[u8]) {
        let is_certain = line.weight > 0;
        match meaning {
            Meaning::Error if is_certain && line.tool == Tool::Any => self.has_error_of_any = true,
            Meaning::FailedTest if line.weight == 1 => self.marked = self.marked.or(Some(number)),
            Meaning::Error | Meaning::FailedTest if is_certain => {
                let tool = (meaning == Meaning::FailedTest).then_some(line.tool);
                self.error = self.error.or(Some((number, tool)));
            }
            Meaning::Error | Meaning::FailedTest | Meaning::Why => self.is_doubtful = true,
            Meaning::Started => {
                self.passed = None;
                self.begin_run(line.tool, number);
            }
            // A package that passed says nothing of what the Go compiler prints before it.
            Meaning::Progress if is_certain && (line.tool != Tool::Go || text.starts_with(b"=== RUN")) => {
                self.begin_run(line.tool, number)
            }
            _ => {}
        }
    }

    /// Returns the line of the last success, unless something makes it doubtful already.
    pub fn last_success(&self) -> Option<u64> {
        self.passed.filter(|_| self.failed.is_empty() && !self.is_doubtful)
    }

    /// Records a line that may be an error: an exception, what a shell says.
    pub fn doubt(&mut self) {
        self.is_doubtful = true;
    }

    fn has_passed_since(&self, number: u64, lines: u64) -> bool {
        self.passed.is_some_and(|passed| passed + lines >= number)
    }

    fn start(&self, tool: Tool) -> Option<u64> {
        self.runs.iter().find(|(other, _)| *other == tool).map(|(_, start)| *start)
    }

    fn begin_run(&mut self, tool: Tool, number: u64) {
        if self.start(tool).is_none() {
            self.runs.push((tool, number));
        }
    }

    fn end_run(&mut self, tool: Tool) {
        self.runs.retain(|(other, _)| *other != tool && *other != Tool::Any);
    }

    /// Records a success: what the tool printed since its first line made no failure.
    fn pass(&mut self, tool: Tool, number: u64, meaning: Meaning) {
        // Marks such as `✓` are of whichever tool reports the result.
        let start = [self.start(tool), self.start(Tool::Any)].into_iter().flatten().min().unwrap_or(number);
        let is_final = tool.reports_last()
            && (meaning == Meaning::Passed || meaning == Meaning::Summary && !tool.runs_others());
        if meaning == Meaning::Passed && tool.runs_others() {
            let stays = |failed: &(Tool, u64, bool)| failed.1 < start && (failed.0 != tool || failed.2);
            self.failed.retain(stays);
            self.contradicted = self.contradicted.filter(|line| *line < start);
        }
        let is_contradicted =
            |&(line, of): &(u64, Option<Tool>)| line < start && is_final && of == Some(tool);
        self.contradict_line(self.error.filter(is_contradicted).map(|error| error.0));
        self.error = self.error.filter(|error| error.0 < start && !is_contradicted(error));
        if is_final {
            self.contradict(tool, number, start);
        }
        let marked = self.marked.take();
        self.contradict_line(marked.filter(|marked| *marked < start));
        self.has_error_of_any = false;
        self.is_doubtful = false;
        self.passed = Some(number);
        if meaning == Meaning::Passed {
            self.end_run(tool);
        }
    }

    fn contradict_line(&mut self, line: Option<u64>) {
        self.contradicted = match (self.contradicted, line) {
            (Some(first), Some(line)) => Some(first.min(line)),
            (first, line) => first.or(line),
        };
    }

    /// Forgets failures that a success of a tool contradicts, with the errors that they count.
    fn contradict(&mut self, tool: Tool, number: u64, start: u64) {
        let began = self.start(tool);
        let (mut first, mut last) = (None, None);
        self.failed.retain(|(other, line, is_last_word)| {
            let is_of_summary = !is_last_word && number - line <= SUMMARY_LINES;
            let stays = match *other == tool {
                true => is_of_summary && began.is_none_or(|began| began < *line),
                // Which of two runners of tests runs the other, or prints what it does, is not known.
                false => *line < start && !(tool.runs_tests() && other.runs_tests()) || *other == Tool::Any,
            };
            // In TAP, lines of others are what the tests print.
            let is_in_tap = tool == Tool::Tap && *other != tool && began.is_some_and(|began| began <= *line);
            if !stays && !is_in_tap {
                first = Some(first.map_or(*line, |first: u64| first.min(*line)));
                last = last.max(Some(*line));
            }
            stays
        });
        self.contradict_line(first);
        self.error = self.error.filter(|(error, _)| Some(*error) > last);
    }

    /// Returns how the run of so many lines ended; `has_failed` is set if its exit status
    /// is known to report a failure.
    pub fn ending(&self, lines: u64, has_failed: bool) -> Ending {
        // Only one at the end is of the whole run.
        let exited = self.exited.is_some_and(|exited| exited + EXIT_STATUS_LINES > lines);
        let has_error = self.error.is_some() || self.marked.is_some() || self.has_error_of_any;
        let is_doubtful = self.is_doubtful || self.contradicted.is_some();
        match !self.failed.is_empty() {
            true => Ending::Failed,
            false if exited && !has_failed => Ending::Passed,
            false if self.passed.is_some() && !has_error && !is_doubtful => Ending::Passed,
            false if has_failed || has_error => Ending::Failed,
            false => Ending::NoResult,
        }
    }
}

/// Returns whether a line is a failed test of TAP: `not ok 1 - reads`, `not ok - reads`.
fn is_failed_tap(line: &[u8]) -> bool {
    matches!(line.strip_prefix(b"not ok "), Some([b'0'..=b'9' | b'-', ..]))
}

#[cfg(test)]
mod tests {
    use super::super::classify::classify;
    use super::*;

    fn ending(lines: &[&str], has_failed: bool) -> Ending {
        let mut verdict = Verdict::default();
        for (text, number) in lines.iter().zip(1..) {
            if let Some(line) = classify(text.as_bytes()) {
                verdict.read(line, number, text.trim().as_bytes());
            }
            verdict.read_any(text.as_bytes(), number);
        }
        verdict.ending(lines.len() as u64, has_failed)
    }

    #[test]
    fn a_result_decides_for_what_the_tool_printed() {
        let run = ["running 1 test", "a.c:1:2: error: printed by a test", "test a ... ok"];
        let ok = "test result: ok. 1 passed; 0 failed; 0 ignored";
        assert_eq!(ending(&[run.as_slice(), &[ok]].concat(), false), Ending::Passed);
        assert_eq!(ending(&run, false), Ending::Failed);
        // The compiler came before the test runner began.
        let tsc = ["a.ts(1,2): error TS2322: no", "PASS a.test.js", "Tests:       1 passed, 1 total"];
        assert_eq!(ending(&tsc, false), Ending::Failed);
        assert_eq!(ending(&tsc[1..], false), Ending::Passed);
    }

    #[test]
    fn a_build_tool_overrules_what_it_ran() {
        let failed = ["[INFO] Scanning for projects...", "[ERROR] Tests run: 2, Failures: 1, Errors: 0"];
        assert_eq!(ending(&failed, false), Ending::Failed);
        assert_eq!(ending(&[failed.as_slice(), &["[INFO] BUILD SUCCESS"]].concat(), false), Ending::Passed);
        let twice =
            [&failed[..], &["[INFO] BUILD FAILURE"], &failed[..1], &["[INFO] BUILD SUCCESS"]].concat();
        assert_eq!(ending(&twice, false), Ending::NoResult);
        assert_eq!(ending(&twice[..2], false), Ending::Failed);
    }

    #[test]
    fn a_failure_that_a_later_success_contradicts_decides_nothing() {
        let (failed, passed) = ("3 examples, 1 failure", "3 examples, 0 failures");
        let twice = [failed, "", "a", "b", passed];
        assert_eq!(ending(&twice, false), Ending::NoResult);
        assert_eq!(ending(&twice, true), Ending::Failed);
        assert_eq!(ending(&[&twice[..], &["exit status 0"]].concat(), false), Ending::Passed);
        assert_eq!(ending(&[&twice[..], &[failed]].concat(), false), Ending::Failed);
        let go = ["--- FAIL: TestA (0.00s)", "FAIL\tshop/a\t0.1s", "ok  \tshop/b\t0.1s", "FAIL"];
        assert_eq!(ending(&go, false), Ending::Failed);
        assert_eq!(ending(&go[..3], false), Ending::NoResult);
        // Without the line of the package that failed.
        assert_eq!(ending(&[go[0], go[2], "ok  \tshop/c\t0.1s"], false), Ending::NoResult);
        let cargo =
            ["test a ... FAILED", "error: test failed", "running 1 test", "test result: ok. 1 passed"];
        assert_eq!(ending(&cargo, false), Ending::NoResult);
        // Two runners of tests: either ran first and failed, or a test of the second printed it.
        let two = ["3 examples, 1 failure", "TAP version 13", "ok 1 - a", "# fail 0"];
        assert_eq!(ending(&two, false), Ending::NoResult);
        assert_eq!(ending(&two[..2], false), Ending::Failed);
        let script = ["FAIL: expected", "All tests passed"];
        assert_eq!(ending(&script, false), Ending::NoResult);
        assert_eq!(ending(&script[..1], false), Ending::Failed);
        // A suite did not load; hosts are reported one by one.
        let jest = ["Test Suites: 1 failed, 1 passed, 2 total", "Tests:       3 passed, 3 total"];
        assert_eq!(ending(&jest, false), Ending::Failed);
        let host = |failed| format!("web : ok=2 changed=1 unreachable=0 failed={failed} skipped=0");
        let hosts: Vec<String> = [1, 0, 0, 0, 0, 0].into_iter().map(host).collect();
        assert_eq!(ending(&hosts.iter().map(String::as_str).collect::<Vec<_>>(), false), Ending::Failed);
    }

    #[test]
    fn lines_of_tap_decide_about_tap() {
        let printed = ["  1 failing", "ok 1 - a", "  0 passing (1ms)", "  1 failing", "ok 2 - b", "# fail 0"];
        assert_eq!(ending(&printed, false), Ending::Passed);
        assert_eq!(ending(&printed[..5], false), Ending::Failed);
        assert_eq!(ending(&[&printed[..4], &["not ok 2 - b", "# fail 1"]].concat(), false), Ending::Failed);
        // Mocha failed before TAP began, or a test printed both.
        let before = [&printed[2..4], &["TAP version 13", "ok 1 - a", "# fail 0"]].concat();
        assert_eq!(ending(&before, false), Ending::NoResult);
    }

    #[test]
    fn mocha_counts_what_passed_before_what_failed() {
        assert_eq!(ending(&["  2 passing (4ms)", "  1 pending", "  1 failing"], false), Ending::Failed);
        assert_eq!(ending(&["  1 failing", "    ✔ a", "  2 passing (4ms)"], false), Ending::Passed);
        assert_eq!(ending(&["  1 failing"], false), Ending::NoResult);
    }

    #[test]
    fn a_task_runner_decides_about_its_tasks() {
        let (failed, passed) =
            ("api:test: Tests:       1 failed, 2 total", "web:test: Tests: 3 passed, 3 total");
        assert_eq!(ending(&[failed, passed], false), Ending::Failed);
        // Others may have failed.
        assert_eq!(ending(&[passed, passed], false), Ending::NoResult);
        let turbo = ["• Packages in scope: api, web", failed, passed];
        for (line, expected) in [
            (" Tasks:    2 successful, 2 total", Ending::Passed),
            (" Tasks:    1 successful, 2 total", Ending::Failed),
            (" NX   Successfully ran target test for 2 projects", Ending::Passed),
            (" NX   Running target test for 2 projects failed", Ending::Failed),
            ("Failed with errors in 1s 20ms", Ending::Failed),
            ("Done in 1s 20ms", Ending::Passed),
        ] {
            assert_eq!(ending(&[&turbo[..], &[line]].concat(), false), expected, "{line}");
            assert_eq!(ending(&[&turbo[1..], &[line]].concat(), false), expected, "{line}");
            assert_eq!(ending(&[line], false), expected, "{line}");
        }
        // Lerna's own runner goes on with the others.
        assert_eq!(ending(&["lerna ERR! Received non-zero exit code 1", passed], false), Ending::Failed);
        // Every attempt but the last failed.
        let (first, second) = (["Tests: 1 failed, 1 total", "", ""], ["", "Tests: 1 passed, 1 total"]);
        let attempts = [&["##[group]Run a"], &first[..], &second].concat();
        assert_eq!(ending(&attempts, false), Ending::NoResult);
        let done = [&attempts[..], &["Command completed after 2 attempt(s)."]].concat();
        assert_eq!(ending(&done, false), Ending::Passed);
        let stopped = "make: *** [Makefile:3: api] Error 1";
        let make = [&["PASS b.test.js"], &first[..1], &[stopped, ""], &second].concat();
        assert_eq!(ending(&make, false), Ending::NoResult);
        let kept = [&make[..], &["make: Target 'test' not remade because of errors."]].concat();
        assert_eq!(ending(&kept, false), Ending::Failed);
    }

    #[test]
    fn a_workspace_that_failed_decides_unless_its_script_is_repeated() {
        let api = ["> api@1.0.0 test", "FAIL a.test.js", "", "Tests: 1 failed, 2 total"];
        let error = ["npm error Lifecycle script `test` failed with error:", "npm error code 1"];
        let passed = |name| [name, "PASS a.test.js", "", "Tests: 2 passed, 2 total"];
        let (web, again) = (passed("> web@1.0.0 test"), passed("> api@1.0.0 test"));
        assert_eq!(ending(&[&api[..], &error, &web].concat(), false), Ending::Failed);
        assert_eq!(ending(&[&api[..], &error, &again].concat(), false), Ending::NoResult);
        assert_eq!(ending(&[&api[..], &error, &web, &again].concat(), false), Ending::NoResult);
        assert_eq!(ending(&[&api[..], &error, &web, &api, &error].concat(), false), Ending::Failed);
        // Its name is cut off.
        assert_eq!(ending(&[&error[..], &again].concat(), false), Ending::NoResult);
        assert_eq!(ending(&error, false), Ending::Failed);
    }

    #[test]
    fn the_exit_status_decides_if_no_result_does() {
        assert_eq!(ending(&["error: cannot open config"], false), Ending::Failed);
        assert_eq!(ending(&["Error: cannot open config"], false), Ending::NoResult);
        assert_eq!(ending(&["Error: cannot open config"], true), Ending::Failed);
        assert_eq!(ending(&["a.c:1:2: error: x", "exit status 0"], false), Ending::Passed);
        assert_eq!(ending(&["make: *** [all] Error 1", "exit status 0"], false), Ending::Failed);
        let quoted = ["a.c:1:2: error: x", "exit status 0", "a", "b", "c"];
        assert_eq!(ending(&quoted, false), Ending::Failed);
        assert_eq!(ending(&[], false), Ending::NoResult);
    }

    #[test]
    fn a_complete_plan_is_a_success() {
        let passed = |lines: &[&str]| {
            let mut verdict = Verdict::default();
            lines.iter().zip(1..).for_each(|(line, number)| verdict.read_any(line.as_bytes(), number));
            verdict.ending(lines.len() as u64, false) == Ending::Passed
        };
        assert!(passed(&["1..2", "ok 1 - a", "ok 2 - b # SKIP"]));
        assert!(passed(&["1..1", "not ok really: printed", "ok 1 - a"]));
        assert!(passed(&["    ok 1 - subtest", "ok 1 - a", "not ok 2 - b # TODO later", "1..2\r"]));
        for lines in [
            &["1..2", "ok 1 - a"][..],
            &["ok 2 - b", "1..2"],
            &["1..1", "    ok 1 - subtest"],
            &["not ok 1 - a", "ok 2 - b", "1..2"],
            &["1..2", "ok 1 - a", "not ok - b"],
            &["1..0 # skip all"],
        ] {
            assert!(!passed(lines), "{lines:?}");
        }
    }

    #[test]
    fn a_program_that_is_started_may_still_fail() {
        let run =
            ["    Finished `dev` profile in 0.1s", "     Running `target/debug/app`", "Error: no config"];
        assert_eq!(ending(&run[..1], false), Ending::Passed);
        assert_eq!(ending(&run[..2], false), Ending::NoResult);
        assert_eq!(ending(&run, false), Ending::NoResult);
        assert_eq!(ending(&run, true), Ending::Failed);
    }
}
