//! javac.

use tuckaway_search::find;

#[cfg(test)]
use crate::runs::line::Meaning::*;
use crate::runs::profile::Profile;

/// The profile of the tool.
pub const PROFILE: Profile = Profile {
    name: "javac",
    compiles: Some(|at| at.is_location && find::text(b".java", at.location).is_some()),
    #[cfg(test)]
    samples: &[("src/A.java:3: error: cannot find symbol", Error)],
    ..Profile::NONE
};
