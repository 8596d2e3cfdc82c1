//! dotnet build and dotnet test.

use crate::runs::line::Meaning::*;
use crate::runs::profile::Profile;
use crate::runs::rule::{nothing_more, row};

/// What is known of the tool.
pub const PROFILE: Profile = Profile {
    name: "dotnet",
    prefixes: &[
        row("Build failed with ", Failed, 3),
        row("Build FAILED.", Failed, 3),
        row("Build succeeded", Passed, 3),
        row("Determining projects to restore", Progress, 3),
        row("Failed!  - Failed:", Summary, 3),
        row("Passed!  - Failed:", Summary, 3),
        row("Test Run Failed.", Failed, 3),
        row("Test Run Successful.", Passed, 3),
        row("Test summary: total: ", Summary, 3),
        row("Test run for ", Progress, 3),
    ],
    counts: &[row(" Error(s)", Summary, 3).refined(nothing_more)],
    compiles: Some(|at| {
        at.is_location && [&b" CS"[..], b" NU", b" MSB"].iter().any(|code| at.rest.starts_with(code))
    }),
    runs_others: true,
    #[cfg(test)]
    samples: &[
        ("/app/A.cs(3,17): error CS0103: The name 'x' does not exist [/app/a.csproj]", Error),
        ("Build FAILED.", Failed),
        ("    2 Error(s)", Summary),
        ("Passed!  - Failed:     0, Passed:     3, Skipped:     0", Summary),
    ],
    ..Profile::NONE
};
