//! Rollup.

use crate::runs::line::Meaning::*;
use crate::runs::profile::Profile;
use crate::runs::rule::row;

/// The profile of the tool.
pub const PROFILE: Profile = Profile {
    name: "Rollup",
    prefixes: &[
        row("(!) ", Warning, 1),
        row("[!] ", Failed, 3).refined(|line| line.default_if(line.has(b"Error: "))),
    ],
    #[cfg(test)]
    samples: &[
        ("[!] RollupError: Could not resolve \"./a\"", Failed),
        ("(!) Unresolved dependencies", Warning),
    ],
    ..Profile::NONE
};
