//! esbuild.

use crate::runs::line::Meaning::*;
use crate::runs::profile::Profile;
use crate::runs::rule::row;

/// The profile of the tool.
pub const PROFILE: Profile = Profile {
    name: "esbuild",
    prefixes: &[row("▲ [WARNING] ", Warning, 3), row("✘ [ERROR] ", Error, 3)],
    #[cfg(test)]
    samples: &[("✘ [ERROR] Could not resolve \"./a\"", Error), ("▲ [WARNING] Duplicate key \"a\"", Warning)],
    ..Profile::NONE
};
