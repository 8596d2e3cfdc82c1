//! Vitest.

use super::jest::is_indented;
use crate::runs::Tool;
use crate::runs::line::Meaning::*;
use crate::runs::line::ToolLine;
use crate::runs::profile::Profile;
use crate::runs::rule::{Matched, number_follows, row};

/// The profile of the tool.
pub const PROFILE: Profile = Profile {
    name: "Vitest",
    prefixes: &[
        row("Errors  ", Summary, 2).refined(number_follows),
        row("FAIL  ", FailedTest, 2),
        row("RUN  v", Progress, 3),
        row("Test Files ", Summary, 3),
        row("Tests  ", Summary, 2).refined(summary),
        row("❯ ", Progress, 1),
        row("× ", FailedTest, 2).refined(failed),
        row("No test files found, exiting with code 1", Failed, 3),
    ],
    runs_tests: true,
    // It names a test more than once, and its file; its summary counts.
    counts_failed_tests: false,
    #[cfg(test)]
    samples: &[
        (" FAIL  src/cart.test.ts > cart > counts", FailedTest),
        ("   × counts 3ms", FailedTest),
        (" Test Files  1 failed (1)", Summary),
        ("      Tests  1 failed | 3 passed (4)", Summary),
    ],
    ..Profile::NONE
};

fn summary(line: &Matched) -> Option<ToolLine> {
    line.default_if(line.text.iter().any(u8::is_ascii_digit))
}

/// `   × counts 3ms`; pip marks a step of a build that failed in the same way.
fn failed(line: &Matched) -> Option<ToolLine> {
    let is_step = line.rest.ends_with(b" did not run successfully.");
    line.or_default(is_step, ToolLine::new(Tool::Pip, Heading, 3)).filter(|_| is_indented(line))
}
