//! dotnet build and dotnet test.

use crate::runs::Tool;
use crate::runs::line::Meaning::*;
use crate::runs::line::ToolLine;
use crate::runs::profile::Profile;
use crate::runs::rule::{Matched, nothing_more, row};

/// The profile of the tool.
pub const PROFILE: Profile = Profile {
    name: "dotnet",
    prefixes: &[
        row("Build failed with ", Failed, 3).refined(build_failed),
        row("Build FAILED.", Failed, 3),
        row("Build succeeded", Passed, 3),
        row("Determining projects to restore", Progress, 3),
        row("Failed ", FailedTest, 2).refined(failed),
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
    test_names: &[("Failed ", "")],
    runs_others: true,
    #[cfg(test)]
    samples: &[
        ("/app/A.cs(3,17): error CS0103: The name 'x' does not exist [/app/a.csproj]", Error),
        ("  Failed Shop.CartTests.Total [12 ms]", FailedTest),
        ("Build FAILED.", Failed),
        ("    2 Error(s)", Summary),
        ("Passed!  - Failed:     0, Passed:     3, Skipped:     0", Summary),
    ],
    ..Profile::NONE
};

/// `  Failed Shop.CartTests.Total [12 ms]`.
fn failed(line: &Matched) -> Option<ToolLine> {
    line.default_if(line.is_indented() && line.text.ends_with(b"s]") && line.has(b" ["))
}

/// `Build failed with 2 error(s) in 3.1s`; Vite counts errors, too.
fn build_failed(line: &Matched) -> Option<ToolLine> {
    line.or_default(!line.has(b"(s)"), ToolLine::new(Tool::Vite, Failed, 3))
}
