//! Prettier.

use crate::runs::line::Meaning::*;
use crate::runs::profile::Profile;
use crate::runs::rule::row;

/// The profile of the tool.
pub const PROFILE: Profile = Profile {
    name: "Prettier",
    prefixes: &[
        row("[warn] Code style issues", Failed, 3),
        row("All matched files use Prettier", Passed, 3),
        row("Checking formatting...", Progress, 3),
    ],
    #[cfg(test)]
    samples: &[
        ("Checking formatting...", Progress),
        ("[warn] Code style issues found in 2 files.", Failed),
        ("[error] a.js: SyntaxError: Unexpected token (1:11)", Error),
        ("All matched files use Prettier code style!", Passed),
    ],
    ..Profile::NONE
};
