//! tox, which runs other tools.

use crate::runs::line::Meaning::*;
use crate::runs::profile::Profile;
use crate::runs::rule::row;

/// The profile of the tool.
pub const PROFILE: Profile = Profile {
    name: "tox",
    prefixes: &[row("congratulations :)", Passed, 3), row("evaluation failed :(", Failed, 3)],
    runs_others: true,
    #[cfg(test)]
    samples: &[
        ("  congratulations :) (1.20 seconds)", Passed),
        ("  evaluation failed :( (1.20 seconds)", Failed),
    ],
    ..Profile::NONE
};
