//! Thresholds of coverage, as Istanbul checks them.

use crate::runs::Tool;
use crate::runs::line::Meaning::*;
use crate::runs::line::ToolLine;
use crate::runs::profile::Profile;
use crate::runs::rule::{Matched, row};

/// The profile of the tool.
pub const PROFILE: Profile = Profile {
    name: "coverage",
    prefixes: &[row("ERROR: Coverage for ", Failed, 3).refined(coverage_of_lines)],
    runs_tests: true,
    #[cfg(test)]
    samples: &[("ERROR: Coverage for lines (60%) does not meet global threshold (90%)", Failed)],
    ..Profile::NONE
};

/// `ERROR: Coverage for lines (60%) does not meet global threshold (90%)`.
fn coverage_of_lines(line: &Matched) -> Option<ToolLine> {
    line.or_default(!line.has(b" does not meet "), ToolLine::new(Tool::Any, Error, 0))
}
