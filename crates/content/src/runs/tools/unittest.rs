//! unittest.

use crate::runs::Tool;
use crate::runs::line::Meaning::*;
use crate::runs::line::ToolLine;
use crate::runs::profile::Profile;
use crate::runs::rule::{Matched, nothing_more, row};

/// The profile of the tool.
pub const PROFILE: Profile = Profile {
    name: "unittest",
    prefixes: &[
        row("ERROR: test_", FailedTest, 2),
        row("FAILED (", Summary, 3),
        row("FAIL: ", FailedTest, 1).refined(failed),
        row("JUnit version ", Progress, 3),
        row("OK (", Passed, 1).refined(ok_with_counts),
        row("Ran ", Progress, 3).refined(ran),
    ],
    forms: &[row("OK", Passed, 0).refined(nothing_more)],
    test_names: &[("FAIL: ", ""), ("ERROR: ", "")],
    runs_tests: true,
    #[cfg(test)]
    samples: &[
        ("FAIL: test_reads (a.ReaderTest)", FailedTest),
        ("Ran 3 tests in 0.01s", Progress),
        ("Ran 0 tests in 0.000s", NothingRan),
        ("FAILED (failures=1)", Summary),
        ("OK", Passed),
    ],
    ..Profile::NONE
};

/// `FAIL: test_reads (a.ReaderTest)`; Automake and scripts name no class.
fn failed(line: &Matched) -> Option<ToolLine> {
    line.or_default(!line.text.ends_with(b")"), ToolLine { tool: Tool::Any, ..line.default })
}

fn ran(line: &Matched) -> Option<ToolLine> {
    line.meaning(if line.rest.starts_with(b"0 ") { NothingRan } else { Progress })
        .filter(|_| line.has(b" test"))
}

/// PHPUnit counts assertions.
fn ok_with_counts(line: &Matched) -> Option<ToolLine> {
    line.or_default(line.has(b" assertion"), ToolLine::new(Tool::Phpunit, Passed, 3))
}
