//! deno test.

use crate::runs::line::Meaning::*;
use crate::runs::profile::Profile;
use crate::runs::rule::row;

/// The profile of the tool.
pub const PROFILE: Profile = Profile {
    name: "deno",
    prefixes: &[row("FAILED | ", Failed, 3), row("ok | ", Passed, 3)],
    #[cfg(test)]
    samples: &[("ok | 3 passed | 0 failed (12ms)", Passed), ("FAILED | 2 passed | 1 failed (12ms)", Failed)],
    ..Profile::NONE
};
