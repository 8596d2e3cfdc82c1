//! The result of a run, by its lines.
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

use tuckaway_search::hash;

use super::Tool;
use super::line::{Meaning, ToolLine};
use super::rules::SCRIPTS;
use super::tools::any::is_lone_failure;
use super::tools::tap::Plan;
use crate::line::counts::has_failures;

/// Lines at the end of an output among which the exit status of the run may be.
const EXIT_STATUS_LINES: u64 = 3;
/// Lines of a summary that counts suites and tests: no test fails in a suite that does not load.
const SUMMARY_LINES: u64 = 3;

/// The result of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// A tool reports a success, and nothing after it contradicts.
    Passed,
    /// A tool, or the exit status, reports a failure.
    Failed,
    /// Nothing decides.
    NoResult,
}

/// The evidence about the result in the lines read so far. Lines are given by their numbers.
#[derive(Default)]
pub struct Verdict {
    /// Each tool with the first line of the run for which it has not reported a result.
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
    tap: Plan,
    /// The last script that began; none if its first line is cut off.
    script: Option<Script>,
    /// The last script that was reported as failed, if any.
    failed_script: Option<Script>,
    /// The last success, unless a program is started after it.
    passed: Option<u64>,
}

/// A script that a tool runs.
#[derive(Clone, Copy)]
struct Script {
    /// The tool.
    tool: Tool,
    /// The hash of the line that names it.
    name: u64,
    /// The number of that line.
    line: u64,
}

impl Verdict {
    /// Reads the next line of a tool. Returns whether it is a result that reports a
    /// failure; none if it is no result.
    pub fn read(&mut self, line: ToolLine, number: u64, text: &[u8]) -> Option<bool> {
        let runs_nothing = line.tool.profile().runs_tests && text.starts_with(b"0 ");
        let is_failure = match line.meaning {
            Meaning::NothingRan => {
                self.contradict_line(Some(number));
                return Some(false);
            }
            Meaning::Summary if runs_nothing && !has_failures(text) => {
                self.contradict_line(Some(number));
                return Some(false);
            }
            // A test printed it.
            Meaning::Failed if !self.has_passed_above(line.tool, number) => {
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
            (Tool::Any, true) if line.weight == 0 && is_lone_failure(text) => self.has_error_of_any = true,
            // A count says less than an exit status.
            (Tool::Any, true) if line.weight == 0 || line.weight == 1 && line.meaning == Meaning::Summary => {
                self.error = self.error.or(Some((number, None)))
            }
            (Tool::Any, false) if line.weight == 0 => self.exited = Some(number),
            (tool, false) if line.weight == 0 && self.start(tool).is_none() => return None,
            (tool, true) => {
                let mut began = None;
                if tool.profile().script.is_some() {
                    // It is of the whole script: the tool that ran in it began later, and may run again.
                    self.failed_script = self.script.filter(|script| script.tool == tool);
                    began = self.failed_script.map(|script| script.line);
                }
                self.fail(tool, began.unwrap_or(number), line.meaning == Meaning::Failed);
            }
            (tool, false) => self.pass(tool, number, line.meaning),
        }
        Some(is_failure)
    }

    /// Reads the next line of any kind.
    pub fn read_any(&mut self, line: &[u8], number: u64) {
        match SCRIPTS.iter().find(|(_, is_script)| is_script(line)) {
            Some((tool, _)) => {
                self.begin_script(Script { tool: *tool, name: hash::of(line.trim_ascii_end()), line: number })
            }
            None => match self.tap.read(line) {
                Some(true) => self.fail(Tool::Tap, number, true),
                Some(false) => self.pass(Tool::Tap, number, Meaning::Passed),
                None => {}
            },
        }
    }

    /// Records a script that begins. If it is one that failed, or one failed whose name is cut off, it
    /// may be repeated, and that failure decides nothing.
    fn begin_script(&mut self, script: Script) {
        let failed = self.failed.iter().position(|failed| failed.0 == script.tool);
        let may_repeat = self.failed_script.is_none_or(|failed| failed.name == script.name);
        if let Some(failed) = failed.filter(|_| may_repeat) {
            let (_, began, _) = self.failed.swap_remove(failed);
            self.error = self.error.filter(|error| error.0 < began);
            self.contradict_line(Some(began));
        }
        self.script = Some(script);
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
            Meaning::Progress if is_certain && begins_run(line.tool, text) => {
                self.begin_run(line.tool, number)
            }
            _ => {}
        }
    }

    /// Returns the line of the last success, unless something makes it doubtful already.
    pub fn last_success(&self) -> Option<u64> {
        self.passed.filter(|_| self.failed.is_empty() && !self.is_doubtful)
    }

    /// Records a line that may be an error: an exception, or a message of a shell.
    pub fn doubt(&mut self) {
        self.is_doubtful = true;
    }

    /// Returns whether a tool may count failures here: if it counts successes first, that count is
    /// just above.
    fn has_passed_above(&self, tool: Tool, number: u64) -> bool {
        let above = |lines| self.passed.is_some_and(|passed| passed + lines >= number);
        tool.profile().passes_above.is_none_or(above)
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

    /// Records a failure.
    fn fail(&mut self, tool: Tool, number: u64, is_last_word: bool) {
        self.failed.retain(|failed| (failed.0, failed.2) != (tool, is_last_word));
        self.failed.push((tool, number, is_last_word));
        // Counts are not the last word of a tool that runs others.
        if is_last_word {
            self.end_run(tool);
        }
    }

    /// Records a success: the lines of the tool since its first one are no failure.
    fn pass(&mut self, tool: Tool, number: u64, meaning: Meaning) {
        // Marks such as `✓` are of whichever tool reports the result.
        let start = [self.start(tool), self.start(Tool::Any)].into_iter().flatten().min().unwrap_or(number);
        let is_final = tool.profile().reports_last
            && (meaning == Meaning::Passed || meaning == Meaning::Summary && !tool.profile().runs_others);
        if meaning == Meaning::Passed && tool.profile().runs_others {
            self.overrule(self.start(tool).unwrap_or(number), start);
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

    /// Forgets failures since a runner of others began, which passed. An earlier failure may belong
    /// to another run, and so may all failures if its first line is cut off.
    fn overrule(&mut self, began: u64, start: u64) {
        self.failed.retain(|failed| failed.1 < began);
        self.contradicted = self.contradicted.filter(|line| *line < began);
        for line in [self.error.map(|error| error.0), self.marked] {
            self.contradict_line(line.filter(|line| (start..began).contains(line)));
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
        let is_headless = tool.profile().runs_others && began.is_none();
        let (mut first, mut last) = (None, None);
        self.failed.retain(|(other, line, is_last_word)| {
            let is_of_summary = !is_last_word && !is_headless && number - line <= SUMMARY_LINES;
            let stays = match *other == tool {
                true => is_of_summary && began.is_none_or(|began| began < *line),
                // Which of two runners of tests runs the other, or prints what it does, is not known.
                false => {
                    *line < start
                        && !is_headless
                        && !(tool.profile().runs_tests && other.profile().runs_tests)
                        || *other == Tool::Any
                }
            };
            let is_printed = tool.profile().quotes_others
                && (*other != tool && other.profile().runs_tests)
                && began.is_some_and(|began| began <= *line);
            if !stays && !is_printed {
                first = Some(first.map_or(*line, |first: u64| first.min(*line)));
                last = last.max(Some(*line));
            }
            stays
        });
        self.contradict_line(first);
        self.error = self.error.filter(|(error, _)| Some(*error) > last);
    }

    /// Returns the result of a run of this many lines; `has_failed` is set if its exit status
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

/// Returns whether a line of progress begins the run of a tool, if none has begun.
fn begins_run(tool: Tool, text: &[u8]) -> bool {
    let begins = tool.profile().begins;
    begins.is_empty() || begins.iter().any(|start| text.starts_with(start.as_bytes()))
}
