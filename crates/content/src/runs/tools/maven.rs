//! Maven, which runs other tools.

use crate::runs::line::Meaning::*;
use crate::runs::profile::Profile;
use crate::runs::rule::{number_follows, row};

/// The profile of the tool.
pub const PROFILE: Profile = Profile {
    name: "Maven",
    prefixes: &[
        row("[ERROR] COMPILATION ERROR", Heading, 3),
        row("[ERROR] Could not ", Error, 2),
        row("[ERROR] Failed to execute goal", Error, 3),
        row("[ERROR] No goals have been specified", Error, 3),
        row("[ERROR] Plugin ", Error, 3),
        row("[ERROR] The build could not read ", Error, 3),
        row("[ERROR] Unknown lifecycle phase ", Error, 3),
        row("[ERROR] Tests run:", Summary, 3),
        row("[WARNING] Tests run:", Summary, 3),
        row("[INFO] Tests run:", Summary, 3),
        row("[INFO] BUILD SUCCESS", Passed, 3),
        row("[INFO] BUILD FAILURE", Failed, 3),
        row("[ERROR] Re-run Maven", Progress, 2),
        row("[ERROR] To see the full stack", Progress, 2),
        row("[ERROR] For more information", Progress, 1),
        row("[ERROR] -> [Help", Progress, 2),
        row("[ERROR] [Help", Progress, 2),
        row("[ERROR] /", Error, 1),
        row("[INFO] ---", Progress, 1),
        row("[INFO] Scanning for projects", Progress, 3),
        row("[INFO] Building ", Progress, 1),
        row("[INFO] Download", Progress, 2),
        row("Tests run: ", Summary, 3).refined(number_follows),
    ],
    runs_others: true,
    #[cfg(test)]
    samples: &[
        ("[INFO] BUILD FAILURE", Failed),
        ("[INFO] BUILD SUCCESS", Passed),
        ("[ERROR] Tests run: 2, Failures: 1, Errors: 0, Skipped: 0", Summary),
        ("[ERROR] Plugin org.a:b-plugin:2.6 or one of its dependencies could not be resolved", Error),
        ("[ERROR] /app/A.java:[3,5] cannot find symbol", Error),
    ],
    ..Profile::NONE
};
