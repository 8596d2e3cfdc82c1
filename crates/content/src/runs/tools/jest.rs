//! Jest.

use crate::runs::Tool;
use crate::runs::excerpt::indented;
use crate::runs::line::Meaning::*;
use crate::runs::line::ToolLine;
use crate::runs::profile::Profile;
use crate::runs::rule::{Matched, row};

/// The profile of the tool.
pub const PROFILE: Profile = Profile {
    name: "Jest",
    prefixes: &[
        row("Jest: ", Failed, 2).refined(coverage),
        row("No tests found, exiting with code 0", Passed, 3),
        row("No tests found, exiting with code 1", Failed, 3),
        row("PASS ", Progress, 1),
        row("Ran all test suites", Progress, 3),
        row("Tests: ", Summary, 3).refined(summary),
        row("Test Suites: ", Summary, 3).refined(summary),
        row("console.", Progress, 1).refined(console),
        row("● Console", Progress, 2),
        row("● ", FailedTest, 2).refined(failed),
        row("✕ ", FailedTest, 2).refined(|line| line.default_if(is_indented(line))),
    ],
    forms: &[row("FAIL ", FailedTest, 1).refined(file)],
    above_message: Some("● "),
    runs_tests: true,
    // It names a test more than once, and its file; its summary counts.
    counts_failed_tests: false,
    #[cfg(test)]
    samples: &[
        ("FAIL src/cart.test.js", FailedTest),
        ("  ● cart › counts", FailedTest),
        ("    console.log", Progress),
        ("Tests:       1 failed, 2 passed, 3 total", Summary),
        ("No tests found, exiting with code 0", Passed),
    ],
    ..Profile::NONE
};

/// `FAIL src/cart.test.js`: with the path of a test, not just any word.
fn file(line: &Matched) -> Option<ToolLine> {
    let name = line.rest.split(|b| *b == b' ').next().unwrap_or_default();
    line.default_if(name.contains(&b'.') || name.contains(&b'/'))
}

/// `Jest: "global" coverage threshold for lines (80%) not met: 75%`, and as Istanbul says it.
fn coverage(line: &Matched) -> Option<ToolLine> {
    let is_missed = line.has(b" threshold") && (line.has(b" not met") || line.has(b" does not meet "));
    is_missed.then_some(ToolLine::new(Tool::Any, Failed, 2))
}

/// `  ● cart › counts`. Others use a bullet in lists, too.
fn failed(line: &Matched) -> Option<ToolLine> {
    if !is_indented(line) {
        return None;
    }
    let is_test = line.has(" › ".as_bytes()) || line.rest == b"Test suite failed to run";
    Some(ToolLine { weight: if is_test { 2 } else { 0 }, ..line.default })
}

/// Returns whether the line is indented after the prefix of a CI service.
pub fn is_indented(line: &Matched) -> bool {
    indented(line.line).len() > line.text.len()
}

/// The heading of a test's output.
fn console(line: &Matched) -> Option<ToolLine> {
    line.default_if(
        line.is_indented() && matches!(line.rest, b"log" | b"error" | b"warn" | b"info" | b"debug"),
    )
}

/// PHPUnit begins its summary like Jest, and people begin sentences like this. Jest indents only
/// the output of tests.
fn summary(line: &Matched) -> Option<ToolLine> {
    let counts = line.rest.trim_ascii_start().first().is_some_and(u8::is_ascii_digit);
    if line.is_indented() || !counts {
        return None;
    }
    line.or_default(line.has(b", Assertions: "), ToolLine::new(Tool::Phpunit, Summary, 3))
}
