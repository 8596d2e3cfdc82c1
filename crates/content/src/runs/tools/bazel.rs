//! Bazel, which runs other tools.

use crate::runs::line::Meaning::*;
use crate::runs::profile::Profile;
use crate::runs::rule::row;

/// The profile of the tool.
pub const PROFILE: Profile = Profile {
    name: "Bazel",
    prefixes: &[
        row("FAILED: Build did NOT", Failed, 3),
        row("INFO: Analyzed ", Progress, 3),
        row("INFO: Build completed successfully", Passed, 3),
        row("Target //", Progress, 2),
    ],
    runs_others: true,
    #[cfg(test)]
    samples: &[
        ("INFO: Analyzed 3 targets (1 packages loaded).", Progress),
        ("INFO: Build completed successfully, 4 total actions", Passed),
        ("FAILED: Build did NOT complete successfully", Failed),
        ("Executed 2 out of 2 tests: 1 test passes and 1 fails locally.", Failed),
    ],
    ..Profile::NONE
};
