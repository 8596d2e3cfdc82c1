//! mypy.

use tuckaway_search::find;

use crate::runs::line::Meaning::*;
use crate::runs::profile::Profile;
use crate::runs::rule::row;

/// The profile of the tool.
pub const PROFILE: Profile = Profile {
    name: "mypy",
    prefixes: &[row("Success: no issues found", Passed, 3)],
    compiles: Some(|at| at.is_location && find::text(b".py:", at.location).is_some()),
    #[cfg(test)]
    samples: &[
        ("app.py:3: error: Incompatible return value type", Error),
        ("Found 2 errors in 1 file (checked 3 source files)", Summary),
        ("Success: no issues found in 3 source files", Passed),
    ],
    ..Profile::NONE
};
