//! minitest.

use crate::runs::line::Meaning::*;
use crate::runs::profile::Profile;
use crate::runs::rule::row;

/// What is known of the tool.
pub const PROFILE: Profile = Profile {
    name: "minitest",
    prefixes: &[row("# Running:", Progress, 2), row("Run options: ", Progress, 2)],
    counts: &[row(" runs, ", Summary, 3)],
    runs_tests: true,
    #[cfg(test)]
    samples: &[("# Running:", Progress), ("2 runs, 2 assertions, 1 failures, 0 errors, 0 skips", Summary)],
    ..Profile::NONE
};
