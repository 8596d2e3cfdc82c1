//! pip.

use crate::runs::line::Meaning::*;
use crate::runs::profile::Profile;
use crate::runs::rule::row;

/// The profile of the tool.
pub const PROFILE: Profile = Profile {
    name: "pip",
    prefixes: &[
        row("Collecting ", Progress, 1),
        row("ERROR: Could not find a version", Error, 3),
        row("ERROR: No matching distribution", Error, 3),
        row("No broken requirements found.", Passed, 3),
        row("Successfully installed ", StepDone, 3),
        row("× Encountered error while generating package metadata.", Heading, 3),
    ],
    #[cfg(test)]
    samples: &[
        ("Collecting flask", Progress),
        ("ERROR: No matching distribution found for nothing", Error),
        ("Successfully installed flask-3.1.0", StepDone),
    ],
    ..Profile::NONE
};
