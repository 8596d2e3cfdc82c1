//! Gradle, which runs other tools.

use crate::runs::Tool;
use crate::runs::line::Meaning::*;
use crate::runs::line::ToolLine;
use crate::runs::profile::Profile;
use crate::runs::rule::{LETTERS, Matched, row, starting_with};

/// The profile of the tool.
pub const PROFILE: Profile = Profile {
    name: "Gradle",
    prefixes: &[
        row("* What went wrong:", Heading, 3),
        row("> Task :", Progress, 3).refined(task),
        row("BUILD SUCCESSFUL", Passed, 3),
        row("BUILD FAILED", Failed, 3),
        row("Execution failed for task", Error, 3),
        row("FAILURE: Build failed", Failed, 3),
        row("e: file://", Error, 3),
        row("w: file://", Warning, 3),
    ],
    counts: &[row(" tests completed, ", Summary, 3)],
    forms: &[starting_with(LETTERS, FailedTest, 2, test).ending_with(b"D")],
    runs_others: true,
    #[cfg(test)]
    samples: &[
        ("> Task :app:test FAILED", Error),
        ("> Task :app:test", Progress),
        ("ReaderTest > reads a row FAILED", FailedTest),
        ("3 tests completed, 1 failed", Summary),
        ("BUILD SUCCESSFUL in 2s", Passed),
    ],
    ..Profile::NONE
};

fn task(line: &Matched) -> Option<ToolLine> {
    line.or_default(line.text.ends_with(b" FAILED"), ToolLine::new(Tool::Gradle, Error, 3))
}

/// `ReaderTest > reads a row FAILED`.
fn test(line: &Matched) -> Option<ToolLine> {
    line.default_if(line.text.ends_with(b" FAILED") && line.has(b" > "))
}
