//! cargo, rustc, the test harness of Rust, nextest and rustfmt.

use crate::runs::Tool;
use crate::runs::line::Meaning::*;
use crate::runs::line::ToolLine;
use crate::runs::profile::Profile;
use crate::runs::rule::{Matched, nothing_more, row};

/// The profile of the tool.
pub const PROFILE: Profile = Profile {
    name: "cargo",
    prefixes: &[
        row("-->", Context, 1).refined(location),
        row("Blocking waiting for file lock", Progress, 3),
        row("Compiling ", Progress, 2).refined(step),
        row("Checking ", Progress, 2).refined(step),
        row("Doc-tests ", Started, 2),
        row("Documenting ", Progress, 1).refined(step),
        row("Diff in /", Error, 3).refined(unformatted),
        row("FAIL [", FailedTest, 3),
        row("Finished ", StepDone, 1).refined(finished),
        row("Fresh ", Progress, 0).refined(step),
        row("Generated ", StepDone, 1).refined(documentation),
        row("PASS [", Progress, 3),
        row("Running unittests ", Started, 3),
        row("Running tests/", Started, 2),
        row("Running `", Started, 1),
        row("Summary [", Summary, 3),
        row("Updating crates.io index", Progress, 3),
        row("error[", Error, 3),
        row("error: process didn't exit successfully", Failed, 3),
        row("error: could not compile", Failed, 3),
        row("error: test failed", Failed, 3),
        row("error: aborting due to", Failed, 3),
        row("failures:", Heading, 2).refined(nothing_more),
        row("running ", Progress, 3).refined(running),
        row("test result: ", Summary, 3),
        row("warning[", Warning, 3),
    ],
    forms: &[
        row("---- ", Heading, 3).refined(|line| line.default_if(line.rest.ends_with(b" stdout ----"))),
        row("test ", Progress, 3).ending_with(b"Dkd").refined(test),
    ],
    test_names: &[("test ", " ... FAILED")],
    location: Some("--> "),
    #[cfg(test)]
    samples: &[
        ("error[E0425]: cannot find value `x` in this scope", Error),
        ("error: could not compile `a` (lib) due to 2 previous errors", Failed),
        ("   Compiling serde v1.0.228", Progress),
        ("test tests::it_works ... ok", Progress),
        ("test tests::it_fails ... FAILED", FailedTest),
        ("---- tests::it_fails stdout ----", Heading),
        ("test result: FAILED. 3 passed; 1 failed; 0 ignored", Summary),
        ("  --> src/main.rs:3:5", Context),
        ("warning: 1 warning emitted", StepDone),
        ("warning: 12 warnings emitted", StepDone),
        ("Diff in /app/a.rs:1:", Error),
        ("Diff in /app/a.rs at line 1:", Error),
    ],
    ..Profile::NONE
};

/// `test tests::reads ... ok`.
fn test(line: &Matched) -> Option<ToolLine> {
    if line.rest.ends_with(b" ... FAILED") {
        return line.meaning(FailedTest);
    }
    line.default_if(line.rest.ends_with(b" ... ok") || line.rest.ends_with(b" ... ignored"))
}

/// cargo indents its steps and names a crate with its version; other tools compile and check
/// as well.
fn step(line: &Matched) -> Option<ToolLine> {
    // Names are short.
    let space = || line.rest.iter().position(|byte| *byte == b' ');
    let is_versioned = || space().is_some_and(|space| line.rest.get(space + 1) == Some(&b'v'));
    line.or_default(!line.is_indented() || !is_versioned(), ToolLine::new(Tool::Any, Progress, 0))
}

fn finished(line: &Matched) -> Option<ToolLine> {
    line.or_default(!line.is_indented(), ToolLine::new(Tool::Any, Progress, 0))
}

fn documentation(line: &Matched) -> Option<ToolLine> {
    line.default_if(line.rest.ends_with(b"/index.html"))
}

/// ruff points at files of Python as rustc does at its own.
fn location(line: &Matched) -> Option<ToolLine> {
    let location = line.default_if(line.is_indented() && line.has(b":"))?;
    Some(if line.has(b".rs:") { location } else { ToolLine { tool: Tool::Any, ..location } })
}

fn running(line: &Matched) -> Option<ToolLine> {
    line.default_if(line.rest.ends_with(b" tests") || line.rest.ends_with(b" test"))
}

/// `Diff in /app/src/main.rs:3:`, as rustfmt begins a file that is not formatted; until 2024,
/// `… at line 3:`.
fn unformatted(line: &Matched) -> Option<ToolLine> {
    line.default_if(line.rest.ends_with(b":") && (line.has(b".rs:") || line.has(b".rs at line ")))
}
