//! pnpm.

use crate::runs::line::Meaning::*;
use crate::runs::profile::Profile;
use crate::runs::rule::row;

/// The profile of the tool.
pub const PROFILE: Profile = Profile {
    name: "pnpm",
    prefixes: &[row("ERR_PNPM_", Error, 3), row("Packages: +", Progress, 3)],
    #[cfg(test)]
    samples: &[("Packages: +12", Progress), (" ERR_PNPM_OUTDATED_LOCKFILE  Cannot install", Error)],
    ..Profile::NONE
};
