//! sbt.

use crate::runs::line::Meaning::*;
use crate::runs::profile::Profile;
use crate::runs::rule::row;

/// The profile of the tool.
pub const PROFILE: Profile = Profile {
    name: "sbt",
    prefixes: &[
        row("[error] Total time", Failed, 3),
        row("[info] compiling ", Progress, 3),
        row("[success] Total time", Passed, 3),
    ],
    #[cfg(test)]
    samples: &[
        ("[info] compiling 3 Scala sources to /app/target ...", Progress),
        ("[error] Total time: 2 s, completed", Failed),
        ("[success] Total time: 2 s, completed", Passed),
    ],
    ..Profile::NONE
};
