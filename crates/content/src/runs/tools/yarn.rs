//! yarn.

use crate::runs::Tool;
use crate::runs::line::Meaning::*;
use crate::runs::line::ToolLine;
use crate::runs::profile::Profile;
use crate::runs::rule::{Matched, is_number, row};

/// The profile of the tool.
pub const PROFILE: Profile = Profile {
    name: "yarn",
    prefixes: &[
        row("[1/", Progress, 0),
        row("Done in ", StepDone, 1).refined(seconds),
        row("Failed with errors in ", Failed, 3),
        row("error Command failed with exit code", Failed, 3),
        row("success Saved lockfile", StepDone, 3),
        row("yarn run v", Progress, 3),
        row("✨  Done in ", StepDone, 3),
    ],
    before: &["yarn run v"],
    behind: &["Done in ", "✨"],
    #[cfg(test)]
    samples: &[
        ("Done in 4.31s.", StepDone),
        // Any program may say so.
        ("Done in 350 ms", StepDone),
        ("Done in 2 runs 350ms", StepDone),
        ("Failed with errors in 0s 858ms", Failed),
        ("error Command failed with exit code 1.", Failed),
    ],
    ..Profile::NONE
};

/// `Done in 4.31s.`; `Done in 1s 422ms`, as yarn says of all workspaces since version 2.
pub fn seconds(line: &Matched) -> Option<ToolLine> {
    line.default_if(line.counts() && (line.rest.ends_with(b"s") || line.rest.ends_with(b"s.")))?;
    line.or_default(is_time_of_workspaces(line.rest), ToolLine::new(Tool::TaskRunner, Passed, 1))
}

/// Returns whether a time is as yarn prints it since version 2: `1s 422ms`, and not `350 ms`.
fn is_time_of_workspaces(time: &[u8]) -> bool {
    let mut words = time.rsplit(|byte| *byte == b' ');
    let mut has = |unit: &[u8]| words.next().map(|word| word.strip_suffix(unit).is_some_and(is_number));
    has(b"ms") == Some(true) && has(b"s") == Some(true) && has(b"m") != Some(false) && has(b"").is_none()
}
