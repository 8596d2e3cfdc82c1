//! Mocha.

use crate::runs::line::Meaning::*;
use crate::runs::line::ToolLine;
use crate::runs::profile::Profile;
use crate::runs::rule::{Matched, nothing_more, row};

/// The profile of the tool.
pub const PROFILE: Profile = Profile {
    name: "Mocha",
    counts: &[
        row(" failing", Failed, 3).refined(nothing_more),
        row(" passing", Passed, 3).refined(nothing_more),
        row(" passing (", Passed, 3),
        row(") ", Heading, 0).refined(title),
    ],
    numbers_failures: true,
    runs_tests: true,
    passes_above: Some(2),
    #[cfg(test)]
    samples: &[("  12 passing (34ms)", Passed), ("  2 failing", Failed), ("  1) cart counts:", Heading)],
    ..Profile::NONE
};

/// `  1) cart counts:`.
fn title(line: &Matched) -> Option<ToolLine> {
    line.default_if(line.line.len() >= line.text.len() + 2 && line.number.len() <= 3)
}
