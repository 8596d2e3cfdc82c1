//! Classifies lines whose prefix alone is ambiguous.

use tuckaway_search::find;

use super::line::Meaning::{
    Context, Error, Failed, FailedTest, Passed, Progress, StepDone, Summary, Warning, Why,
};
use super::line::Tool::{
    Any, Bazel, Cargo, Compiler, Gradle, Linter, Make, Mypy, Npm, Phpunit, Tap, TaskRunner, Xcode,
};
use super::line::ToolLine;

/// Classifies a line with a known prefix; none if it is no line of a tool.
pub type Refine = fn(&Prefixed) -> Option<ToolLine>;

/// A line that begins with a known prefix.
pub struct Prefixed<'l> {
    /// The line without the white space around it and what CI services put before it.
    pub text: &'l [u8],
    /// What follows the prefix.
    pub rest: &'l [u8],
    /// Whether the line is indented.
    pub is_indented: bool,
    /// The classification by the prefix alone.
    pub default: ToolLine,
}

impl Prefixed<'_> {
    #[inline(always)]
    fn has(&self, text: &[u8]) -> bool {
        find::text(text, self.text).is_some()
    }

    /// Keeps the default if a condition holds; otherwise the line is no line of a tool.
    fn default_if(&self, holds: bool) -> Option<ToolLine> {
        holds.then_some(self.default)
    }

    /// Returns another classification if a condition holds, or else the default.
    fn or_default(&self, holds: bool, other: ToolLine) -> Option<ToolLine> {
        Some(if holds { other } else { self.default })
    }
}

fn is_number(text: &[u8]) -> bool {
    !text.is_empty() && text.iter().all(u8::is_ascii_digit)
}

/// Cargo indents its steps and names a crate with its version; other tools compile and
/// check as well.
pub fn cargo_step(line: &Prefixed) -> Option<ToolLine> {
    let is_versioned =
        || find::byte(b' ', line.rest).is_some_and(|space| line.rest.get(space + 1) == Some(&b'v'));
    line.or_default(!line.is_indented || !is_versioned(), ToolLine::new(Any, Progress, 0))
}

pub fn cargo_finished(line: &Prefixed) -> Option<ToolLine> {
    line.or_default(!line.is_indented, ToolLine::new(Any, Progress, 0))
}

pub fn cargo_documentation(line: &Prefixed) -> Option<ToolLine> {
    line.default_if(line.rest.ends_with(b"/index.html"))
}

/// ruff points at files of Python as rustc does at its own.
pub fn cargo_location(line: &Prefixed) -> Option<ToolLine> {
    let location = line.default_if(line.is_indented && line.has(b":"))?;
    Some(if line.has(b".rs:") { location } else { ToolLine { tool: Any, ..location } })
}

pub fn cargo_running(line: &Prefixed) -> Option<ToolLine> {
    line.default_if(line.rest.ends_with(b" tests") || line.rest.ends_with(b" test"))
}

/// `Diff in /app/src/main.rs:3:`, as rustfmt begins a file that is not formatted; until 2024, `… at line 3:`.
pub fn rustfmt_diff(line: &Prefixed) -> Option<ToolLine> {
    line.default_if(line.rest.ends_with(b":") && (line.has(b".rs:") || line.has(b".rs at line ")))
}

/// A line that is the prefix alone.
pub fn nothing_more(line: &Prefixed) -> Option<ToolLine> {
    line.default_if(line.rest.is_empty())
}

pub fn gradle_task(line: &Prefixed) -> Option<ToolLine> {
    line.or_default(line.text.ends_with(b" FAILED"), ToolLine::new(Gradle, Error, 3))
}

pub fn pytest_error(line: &Prefixed) -> Option<ToolLine> {
    line.default_if(!line.is_indented)
}

pub fn docker_step(line: &Prefixed) -> Option<ToolLine> {
    line.default_if(line.has(b" : "))
}

/// `Found 2 errors in 1 file`, as tsc, mypy and linters count.
pub fn count_of_errors(line: &Prefixed) -> Option<ToolLine> {
    let count = line.default_if(line.rest.first().is_some_and(u8::is_ascii_digit))?;
    let is_of_warnings = line.rest.ends_with(b" warnings.") || line.rest.ends_with(b" warning.");
    if !line.has(b" error") {
        // What Biome warns of fails a run that asks for it.
        return is_of_warnings.then_some(ToolLine::new(Linter, Why, 0));
    }
    // ruff fixes some of them.
    if line.has(b", 0 remaining)") {
        return Some(ToolLine::new(Linter, Passed, 3));
    }
    if line.has(b" (checked ") || line.has(b" (errors prevented ") {
        return Some(ToolLine::new(Mypy, Summary, 3));
    }
    let is_linter =
        [&b" errors."[..], b" error.", b" remaining)."].iter().any(|end| line.text.ends_with(end));
    Some(if is_linter || is_of_warnings { ToolLine::new(Linter, Summary, 3) } else { count })
}

/// `Executed 3 tests, with 0 failures`, as XCTest counts, and Bazel: `Executed 2 out of 2
/// tests: 1 test passes and 1 fails locally.`
pub fn executed(line: &Prefixed) -> Option<ToolLine> {
    if line.has(b" out of ") && line.has(b" test") {
        let is_failure = line.has(b" fail");
        return Some(ToolLine::new(Bazel, if is_failure { Failed } else { Passed }, 3));
    }
    line.default_if(line.has(b" test") && line.has(b" failure"))
}

/// `Jest: "global" coverage threshold for lines (80%) not met: 75%`.
pub fn coverage(line: &Prefixed) -> Option<ToolLine> {
    line.default_if(line.has(b" coverage threshold ") && line.has(b" not met"))
}

/// `ERROR: Coverage for lines (60%) does not meet global threshold (90%)`, as Istanbul says.
pub fn coverage_of_istanbul(line: &Prefixed) -> Option<ToolLine> {
    line.or_default(!line.has(b" does not meet "), ToolLine::new(Any, Error, 0))
}

/// `All 3 tests passed.`
pub fn tests_passed(line: &Prefixed) -> Option<ToolLine> {
    line.default_if(line.has(b"tests passed"))
}

/// `# fail 0`, `ℹ cancelled 1`, `Fail:    0`, `# FAIL:  0`.
pub fn count_of_failures(line: &Prefixed) -> Option<ToolLine> {
    let meaning = match line.rest.trim_ascii() {
        b"0" if line.has(b"ail") || line.has(b"AIL") => Passed,
        b"0" => Progress,
        rest if rest.iter().all(u8::is_ascii_digit) => Failed,
        _ => return None,
    };
    Some(ToolLine { meaning, ..line.default })
}

/// `Tasks:    2 successful, 3 total`, as turbo counts.
pub fn turbo_tasks(line: &Prefixed) -> Option<ToolLine> {
    let counts = line.rest.trim_ascii_start().strip_suffix(b" total")?;
    let (done, all) = counts.split_at(counts.iter().take_while(|byte| byte.is_ascii_digit()).count());
    let all = all.strip_prefix(b" successful, ")?;
    line.or_default(done != all, ToolLine::new(TaskRunner, Failed, 3))
}

/// `NX   Successfully ran target test for 2 projects`, `NX   Running target test for 2 projects failed`.
pub fn nx_result(line: &Prefixed) -> Option<ToolLine> {
    let is_success = line.rest.starts_with(b"Successfully ran ");
    let meaning = if is_success { Passed } else { Failed };
    line.or_default(is_success || line.rest.ends_with(b" failed"), ToolLine { meaning, ..line.default })
}

/// `Checked 1 file in 22ms. No fixes applied.`, as Biome says before it counts what it found.
pub fn biome_checked(line: &Prefixed) -> Option<ToolLine> {
    let count = line.rest.strip_suffix(b". No fixes applied.");
    let (files, time) = count.and_then(|count| count.split_at_checked(find::last_text(b" in ", count)?))?;
    let takes_time = time[4..].first().is_some_and(u8::is_ascii_digit) && time.ends_with(b"s");
    line.default_if(takes_time && files.first().is_some_and(u8::is_ascii_digit))
}

/// `Command completed after 2 attempt(s).`, of an action that repeats a command until it passes.
pub fn attempts(line: &Prefixed) -> Option<ToolLine> {
    line.default_if(line.rest.strip_suffix(b" attempt(s).").is_some_and(is_number))
}

/// `make: Target 'all' not remade because of errors.`, last of `make -k`.
pub fn make_not_remade(line: &Prefixed) -> Option<ToolLine> {
    line.default_if(line.rest.ends_with(b" not remade because of errors."))
}

/// `Results (0.83s):`, before pytest-sugar counts.
pub fn sugar_results(line: &Prefixed) -> Option<ToolLine> {
    let time = line.rest.strip_suffix(b"s):")?;
    let (seconds, fraction) = time.split_at_checked(find::byte(b'.', time)?)?;
    line.default_if(is_number(seconds) && is_number(&fraction[1..]))
}

/// `rspec ./a_spec.rb:2 # Title`: without the title it is a command.
pub fn rspec_failure(line: &Prefixed) -> Option<ToolLine> {
    line.default_if(line.has(b" # "))
}

/// `Done in 4.31s.`; `Done in 1s 422ms`, as yarn says of all workspaces since version 2.
pub fn seconds(line: &Prefixed) -> Option<ToolLine> {
    let is_count = line.rest.first().is_some_and(u8::is_ascii_digit);
    line.default_if(is_count && (line.rest.ends_with(b"s") || line.rest.ends_with(b"s.")))?;
    line.or_default(is_time_of_yarn(line.rest), ToolLine::new(TaskRunner, Passed, 1))
}

/// Returns whether a time is as yarn prints it since version 2: `1s 422ms`, and not `350 ms`.
fn is_time_of_yarn(time: &[u8]) -> bool {
    let mut words = time.rsplit(|byte| *byte == b' ');
    let mut has = |unit: &[u8]| words.next().map(|word| word.strip_suffix(unit).is_some_and(is_number));
    has(b"ms") == Some(true) && has(b"s") == Some(true) && has(b"m") != Some(false) && has(b"").is_none()
}

pub fn version(line: &Prefixed) -> Option<ToolLine> {
    line.default_if(line.rest.first().is_some_and(u8::is_ascii_digit))
}

pub fn ok_with_counts(line: &Prefixed) -> Option<ToolLine> {
    line.or_default(line.has(b" assertion"), ToolLine::new(Phpunit, Passed, 3))
}

pub fn xcode_case(line: &Prefixed) -> Option<ToolLine> {
    line.or_default(line.has(b"' failed ("), ToolLine::new(Xcode, FailedTest, 3))
}

pub fn ansible_fatal(line: &Prefixed) -> Option<ToolLine> {
    line.default_if(line.has(b"]: FAILED!") || line.has(b"]: UNREACHABLE!"))
}

/// A rule that failed, unless its failure is ignored.
pub fn make_result(line: &Prefixed) -> Option<ToolLine> {
    line.or_default(line.has(b"]: *** "), ToolLine::new(Make, Failed, 3))
}

pub fn make_up_to_date(line: &Prefixed) -> Option<ToolLine> {
    let is_done =
        line.rest.ends_with(b" is up to date.") || line.rest.starts_with(b"Nothing to be done for ");
    line.or_default(is_done, ToolLine::new(Make, Passed, 3))
}

/// Jest's heading of what a test prints.
pub fn jest_console(line: &Prefixed) -> Option<ToolLine> {
    line.default_if(line.is_indented && matches!(line.rest, b"log" | b"error" | b"warn" | b"info" | b"debug"))
}

/// PHPUnit begins its summary as Jest does, and people begin sentences so. Jest indents only
/// what tests print.
pub fn jest_summary(line: &Prefixed) -> Option<ToolLine> {
    let counts = line.rest.trim_ascii_start().first().is_some_and(u8::is_ascii_digit);
    if line.is_indented || !counts {
        return None;
    }
    line.or_default(line.has(b", Assertions: "), ToolLine::new(Phpunit, Summary, 3))
}

pub fn vitest_summary(line: &Prefixed) -> Option<ToolLine> {
    line.default_if(line.text.iter().any(u8::is_ascii_digit))
}

pub fn npm_added(line: &Prefixed) -> Option<ToolLine> {
    line.default_if(line.has(b" package"))
}

/// npm ends an error with the path of its log, and explains it in indented lines. Of workspaces, it says
/// which one's script failed, and runs the others.
pub fn npm_error(line: &Prefixed) -> Option<ToolLine> {
    let message = line.rest.trim_ascii();
    if message.starts_with(b"Lifecycle script ") {
        return Some(ToolLine::new(Npm, Failed, 3));
    }
    let is_end = message.is_empty() || message.starts_with(b"A complete log") || message.starts_with(b"/");
    let is_explanation = line.rest.starts_with(b"  ") || message.starts_with(b"To see ");
    let meaning = match (is_end, is_explanation) {
        (true, _) => Progress,
        (false, true) => Context,
        (false, false) => Error,
    };
    Some(ToolLine::new(Npm, meaning, 3))
}

/// `FAIL: test_reads (a.ReaderTest)`; Automake and scripts name no class.
pub fn unittest_failed(line: &Prefixed) -> Option<ToolLine> {
    line.or_default(!line.text.ends_with(b")"), ToolLine { tool: Any, ..line.default })
}

pub fn unittest_ran(line: &Prefixed) -> Option<ToolLine> {
    line.default_if(line.has(b" test"))
}

/// ESLint counts problems; test runners mark a failed test in the same way.
pub fn eslint_summary(line: &Prefixed) -> Option<ToolLine> {
    let is_expected = line.has(b" # TODO") || line.has(b" # SKIP");
    let meaning = if is_expected { Progress } else { FailedTest };
    line.or_default(!line.has(b" problem"), ToolLine::new(Any, meaning, 1))
}

pub fn webpack_summary(line: &Prefixed) -> Option<ToolLine> {
    line.default_if(line.has(b" compiled "))
}

pub fn exit_status(line: &Prefixed) -> Option<ToolLine> {
    Some(ToolLine::new(Any, if line.rest == b"0" { Passed } else { Failed }, 0))
}

/// In YAML, `error: |-` begins a block of text.
pub fn error(line: &Prefixed) -> Option<ToolLine> {
    line.default_if(line.rest != b"|-")
}

/// In a log that pytest captured, spaces align what follows the level.
pub fn error_in_capitals(line: &Prefixed) -> Option<ToolLine> {
    line.default_if(!line.rest.starts_with(b" "))
}

/// Compilers count the warnings that they generated; rustc does so last, if it found no error.
pub fn warning(line: &Prefixed) -> Option<ToolLine> {
    let count =
        [&b" warning emitted"[..], b" warnings emitted"].iter().find_map(|end| line.rest.strip_suffix(*end));
    if count.is_some_and(is_number) {
        return Some(ToolLine::new(Cargo, StepDone, 1));
    }
    line.or_default(line.has(b" generated "), ToolLine::new(Any, Context, 1))
}

pub fn tap_failed(line: &Prefixed) -> Option<ToolLine> {
    if line.has(b"# TODO") || line.has(b"# SKIP") {
        return Some(ToolLine::new(Tap, Progress, 2));
    }
    line.default_if(matches!(line.rest.first(), Some(b'0'..=b'9' | b'-')))
}

pub fn linker(line: &Prefixed) -> Option<ToolLine> {
    let is_error = line.has(b"rror") || line.has(b"undefined") || line.has(b"not found");
    line.or_default(!is_error, ToolLine::new(Compiler, Warning, 1))
}
