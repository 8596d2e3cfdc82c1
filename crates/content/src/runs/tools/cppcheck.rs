//! cppcheck.

use crate::runs::line::Meaning::*;
use crate::runs::profile::{Located, Profile};

/// Its severities of findings that are not errors.
const SEVERITIES: [&[u8]; 4] = [b"style: ", b"performance: ", b"portability: ", b"information: "];

/// The profile of the tool.
pub const PROFILE: Profile = Profile {
    name: "cppcheck",
    located: Some(|at: &Located| {
        SEVERITIES.iter().any(|severity| at.message.starts_with(severity)).then_some(Warning)
    }),
    #[cfg(test)]
    samples: &[("src/a.c:752:0: information: Skipping configuration 'B' [ConfigurationNotChecked]", Warning)],
    ..Profile::NONE
};
