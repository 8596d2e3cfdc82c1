//! PHPUnit.

use crate::runs::line::Meaning::*;
use crate::runs::profile::Profile;
use crate::runs::rule::{number_follows, row};

/// The profile of the tool.
pub const PROFILE: Profile = Profile {
    name: "PHPUnit",
    prefixes: &[
        row("ERRORS!", Failed, 2),
        row("FAILURES!", Failed, 2),
        row("Failed asserting that ", Why, 1),
        row("OK, but ", Passed, 3),
        row("PHPUnit ", Progress, 2).refined(number_follows),
    ],
    runs_tests: true,
    #[cfg(test)]
    samples: &[
        ("PHPUnit 11.5.1 by Sebastian Bergmann and contributors.", Progress),
        ("FAILURES!", Failed),
        ("Failed asserting that 77 is 78.", Why),
        ("Tests: 2, Assertions: 2, Failures: 1.", Summary),
        ("OK (2 tests, 4 assertions)", Passed),
    ],
    ..Profile::NONE
};
