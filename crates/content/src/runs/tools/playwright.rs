//! Playwright, which counts failures before successes.

use crate::runs::line::Meaning::*;
use crate::runs::line::ToolLine;
use crate::runs::profile::Profile;
use crate::runs::rule::{Matched, row};

/// The profile of the tool.
pub const PROFILE: Profile = Profile {
    name: "Playwright",
    counts: &[row(" failed", Failed, 2).refined(failures), row(" passed (", Passed, 3)],
    reports_last: false,
    #[cfg(test)]
    samples: &[("  1 failed", Failed), ("  2 passed (3.1s)", Passed)],
    ..Profile::NONE
};

fn failures(line: &Matched) -> Option<ToolLine> {
    line.default_if(line.rest.is_empty() && line.number != b"0")
}
