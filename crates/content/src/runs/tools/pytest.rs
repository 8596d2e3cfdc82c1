//! pytest, and pytest-sugar.

use tuckaway_search::find;

use crate::runs::Tool;
use crate::runs::line::Meaning::*;
use crate::runs::line::ToolLine;
use crate::runs::profile::Profile;
use crate::runs::rule::{Matched, is_number, nothing_more, row};

/// The profile of the tool.
pub const PROFILE: Profile = Profile {
    name: "pytest",
    prefixes: &[
        row("E   ", Error, 1).refined(error),
        row("INTERNALERROR> ", Progress, 1).refined(internal_error),
        row("ImportError while loading conftest ", Failed, 3),
        row("Results (", Progress, 3).refined(results),
        row("SKIPPED [", Progress, 2),
        row("SUBFAIL", FailedTest, 3).refined(|line| line.default_if(line.has(b"::"))),
        row("no tests ran in ", Failed, 3),
    ],
    counts: &[
        // pytest-sugar counts failures after that.
        row(" passed", Passed, 0).refined(nothing_more),
        row(" passed", Summary, 3).refined(takes_time),
        row(" failed", Summary, 3).refined(takes_time),
        row(" error", Summary, 3).refined(takes_time),
        row(" skipped", Summary, 3).refined(takes_time),
    ],
    forms: &[
        row("=", Summary, 3).refined(rule),
        row(">   ", Context, 0).refined(|line| line.default_if(line.line.len() == line.text.len())),
        row("____", Heading, 0).refined(|line| line.default_if(line.text.ends_with(b"____"))),
        row("_ ", Heading, 0).refined(|line| line.default_if(line.text.ends_with(b" _"))),
        row("FAILED ", FailedTest, 3).refined(|line| line.default_if(line.has(b"::"))),
    ],
    test_names: &[("FAILED ", "")],
    // It explains an error in several lines, one perhaps empty.
    error_lines: 2,
    runs_tests: true,
    // Errors are failures outside tests; its lines with `E` are the output of tests.
    counts_errors: false,
    #[cfg(test)]
    samples: &[
        ("============ test session starts ============", Progress),
        ("=================== FAILURES ===================", Heading),
        ("_____ test_reads _____", Heading),
        (">   assert read() == 1", Context),
        ("E   AssertionError: assert 1 == 2", Error),
        ("FAILED tests/test_a.py::test_run - ValueError: no", FailedTest),
        ("========= 1 failed, 3 passed in 0.12s =========", Summary),
        ("1 failed, 3 passed in 62.10s (0:01:02)", Summary),
        ("INTERNALERROR> ValueError: no", Error),
        ("INTERNALERROR>   File \"/a/b.py\", line 1, in c", Progress),
        ("SUBFAILED(i=1) a.py::TestU::test_sub - AssertionError: no", FailedTest),
        ("========== no tests ran in 0.01s ==========", Failed),
        ("Results (0.83s):", Progress),
        ("       3 passed", Passed),
    ],
    ..Profile::NONE
};

/// `===== 1 failed, 3 passed in 0.12s =====`.
fn rule(line: &Matched) -> Option<ToolLine> {
    if !line.text.ends_with(b"===") {
        return None;
    }
    if line.has(b" test session starts ") {
        return line.meaning(Progress);
    }
    if line.has(b" FAILURES ") || line.has(b" ERRORS ") {
        return Some(ToolLine::new(Tool::Pytest, Heading, 2));
    }
    if line.has(b" no tests ran in ") {
        return line.meaning(Failed);
    }
    let counts = line.has(b" passed") || line.has(b" failed") || line.has(b" error");
    line.default_if(counts && line.has(b" in "))
}

/// `… in 0.12s`, `… in 62.10s (0:01:02)`.
fn takes_time(line: &Matched) -> Option<ToolLine> {
    let at = find::last_text(b" in ", line.rest)?;
    let time = line.rest[at + 4..].split(|byte| *byte == b' ').next().unwrap_or_default();
    line.default_if(
        time.ends_with(b"s")
            && time.contains(&b'.')
            && time[..time.len() - 1].iter().all(|b| b.is_ascii_digit() || *b == b'.'),
    )
}

/// `INTERNALERROR> ValueError: no`, below the frames of its trace.
fn internal_error(line: &Matched) -> Option<ToolLine> {
    let word = line.rest.split(|byte| *byte == b' ').next().unwrap_or_default();
    line.or_default(word.len() > 1 && word.ends_with(b":"), ToolLine::new(Tool::Pytest, Error, 3))
}

fn error(line: &Matched) -> Option<ToolLine> {
    line.default_if(!line.is_indented())
}

/// `Results (0.83s):`, before pytest-sugar counts.
fn results(line: &Matched) -> Option<ToolLine> {
    let time = line.rest.strip_suffix(b"s):")?;
    let (seconds, fraction) = time.split_at_checked(find::byte(b'.', time)?)?;
    line.default_if(is_number(seconds) && is_number(&fraction[1..]))
}
