//! bun test.

use crate::runs::line::Meaning::*;
use crate::runs::line::ToolLine;
use crate::runs::profile::Profile;
use crate::runs::rule::{Matched, row};

/// The profile of the tool.
pub const PROFILE: Profile = Profile {
    name: "bun",
    counts: &[row(" fail", Failed, 3).refined(failures)],
    runs_tests: true,
    #[cfg(test)]
    samples: &[(" 0 fail", Passed), (" 2 fail", Failed)],
    ..Profile::NONE
};

fn failures(line: &Matched) -> Option<ToolLine> {
    line.passed_if(line.number == b"0").filter(|_| line.rest.is_empty())
}
