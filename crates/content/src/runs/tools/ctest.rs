//! CTest, which runs the tests of a build of CMake.

use crate::runs::line::Meaning::*;
use crate::runs::line::ToolLine;
use crate::runs::profile::Profile;
use crate::runs::rule::{Matched, row};

/// The profile of the tool.
pub const PROFILE: Profile = Profile {
    name: "CTest",
    prefixes: &[row("Errors while running CTest", Failed, 3), row("The following tests FAILED", Heading, 3)],
    counts: &[row("/", Progress, 3).refined(test), row("% tests passed, ", Summary, 3)],
    #[cfg(test)]
    samples: &[
        ("1/2 Test #1: cart .............   Passed    0.01 sec", Progress),
        ("2/2 Test #2: shop .............***Failed    0.01 sec", FailedTest),
        ("50% tests passed, 1 tests failed out of 2", Summary),
        ("Errors while running CTest", Failed),
    ],
    ..Profile::NONE
};

/// `1/2 Test #1: cart .............***Failed    0.01 sec`.
fn test(line: &Matched) -> Option<ToolLine> {
    let is_failure = line.has(b"***Failed") || line.has(b"***Exception") || line.has(b"***Timeout");
    let meaning = if is_failure { FailedTest } else { Progress };
    line.meaning(meaning).filter(|_| line.has(b" Test ") && line.has(b" #"))
}
