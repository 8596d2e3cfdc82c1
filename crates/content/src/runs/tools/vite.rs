//! Vite.

use crate::runs::line::Meaning::*;
use crate::runs::profile::Profile;
use crate::runs::rule::row;

/// The profile of the tool.
pub const PROFILE: Profile = Profile {
    name: "Vite",
    prefixes: &[
        row("[UNRESOLVED_IMPORT]", Error, 3),
        row("error during build", Failed, 3),
        row("transforming", Progress, 1),
        row("vite v", Progress, 3),
        row("x Build failed in ", Failed, 3),
        row("✗ Build failed in ", Failed, 3),
        row("✓ built in", Passed, 3),
    ],
    #[cfg(test)]
    samples: &[
        ("vite v7.0.0 building for production...", Progress),
        ("error during build:", Failed),
        ("✓ built in 1.20s", Passed),
    ],
    ..Profile::NONE
};
