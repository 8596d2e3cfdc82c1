//! pre-commit, which reports a result for each hook.

use crate::runs::line::Meaning::*;
use crate::runs::line::ToolLine;
use crate::runs::profile::Profile;
use crate::runs::rule::{LETTERS, Matched, starting_with};

/// The profile of the tool.
pub const PROFILE: Profile = Profile {
    name: "pre-commit",
    forms: &[starting_with(LETTERS, Passed, 2, hook).ending_with(b"d")],
    reports_last: false,
    #[cfg(test)]
    samples: &[
        ("trim trailing whitespace.......................Passed", Passed),
        ("ruff...........................................Failed", FailedTest),
    ],
    ..Profile::NONE
};

/// `ruff.....................Failed`.
fn hook(line: &Matched) -> Option<ToolLine> {
    match line.text {
        text if text.ends_with(b"...Passed") => Some(line.default),
        text if text.ends_with(b"...Failed") => line.meaning(FailedTest),
        _ => None,
    }
}
