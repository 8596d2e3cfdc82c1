//! The test runner of Node.js, in the format `spec`.

use super::tap::tests;
use crate::runs::line::Meaning::*;
use crate::runs::profile::Profile;
use crate::runs::rule::{count_of_failures, row};

/// The profile of the tool.
pub const PROFILE: Profile = Profile {
    name: "node:test",
    prefixes: &[
        row("✖ failing tests:", Heading, 3),
        row("ℹ cancelled ", Summary, 2).refined(count_of_failures),
        row("ℹ fail ", Summary, 3).refined(count_of_failures),
        row("ℹ pass ", Progress, 3),
        row("ℹ tests ", Progress, 3).refined(tests),
        row("▶ ", Progress, 1),
    ],
    runs_tests: true,
    #[cfg(test)]
    samples: &[
        ("ℹ fail 1", Failed),
        ("ℹ fail 0", Passed),
        ("✖ failing tests:", Heading),
        ("▶ cart", Progress),
    ],
    ..Profile::NONE
};
