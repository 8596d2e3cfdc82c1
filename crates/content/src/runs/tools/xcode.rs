//! xcodebuild, and XCTest.

use crate::runs::Tool;
use crate::runs::line::Meaning::*;
use crate::runs::line::ToolLine;
use crate::runs::profile::Profile;
use crate::runs::rule::{Matched, row};

/// The profile of the tool.
pub const PROFILE: Profile = Profile {
    name: "xcodebuild",
    prefixes: &[
        row("** BUILD FAILED **", Failed, 3),
        row("** BUILD SUCCEEDED **", Passed, 3),
        row("** TEST FAILED **", Failed, 3),
        row("** TEST SUCCEEDED **", Passed, 3),
        row("Executed ", Summary, 2).refined(executed),
        row("Test Case '", Progress, 3).refined(case),
    ],
    #[cfg(test)]
    samples: &[
        ("Test Case '-[CartTests testTotal]' passed (0.001 seconds).", Progress),
        ("Test Case '-[CartTests testTotal]' failed (0.001 seconds).", FailedTest),
        ("** BUILD FAILED **", Failed),
    ],
    ..Profile::NONE
};

fn case(line: &Matched) -> Option<ToolLine> {
    line.or_default(line.has(b"' failed ("), ToolLine::new(Tool::Xcode, FailedTest, 3))
}

/// `Executed 3 tests, with 0 failures`, as XCTest counts, and Bazel: `Executed 2 out of 2
/// tests: 1 test passes and 1 fails locally.`
fn executed(line: &Matched) -> Option<ToolLine> {
    if line.has(b" out of ") && line.has(b" test") {
        let is_failure = line.has(b" fail");
        return Some(ToolLine::new(Tool::Bazel, if is_failure { Failed } else { Passed }, 3));
    }
    let counts = line.has(b" test") && line.has(b" failure");
    counts.then_some(ToolLine::new(Tool::Any, Summary, 2))
}
