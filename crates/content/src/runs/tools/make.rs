//! make, the test harness of Automake, Meson and ninja.

use crate::runs::Tool;
use crate::runs::line::Meaning::*;
use crate::runs::line::ToolLine;
use crate::runs::profile::Profile;
use crate::runs::rule::{Matched, count_of_failures, row};

/// The profile of the tool.
pub const PROFILE: Profile = Profile {
    name: "make",
    prefixes: &[
        row("# ERROR: ", Summary, 3).refined(count_of_failures),
        row("# FAIL:  ", Summary, 3).refined(count_of_failures),
        row("# XPASS: ", Summary, 3).refined(count_of_failures),
        row("Fail:    ", Summary, 3).refined(count_of_failures),
        row("Scanning dependencies of target", Progress, 3),
        row("Timeout:    ", Summary, 3).refined(count_of_failures),
        row("Unexpected Pass:    ", Summary, 3).refined(count_of_failures),
        row("gmake: ***", Failed, 3),
        row("gmake[", Progress, 2).refined(result),
        row("make: ***", Failed, 3),
        row("make[", Progress, 2).refined(result),
        row("make: Target ", Failed, 3).refined(not_remade),
        row("make: ", Progress, 1).refined(up_to_date),
        row("ninja: build stopped", Failed, 3),
        row("ninja: no work to do", Passed, 3),
        row("ninja: error: ", Failed, 3),
    ],
    reports_last: false,
    #[cfg(test)]
    samples: &[
        ("make: *** [Makefile:3: all] Error 2", Failed),
        ("make[1]: *** [Makefile:3: all] Error 2", Failed),
        ("make[1]: Entering directory '/app'", Progress),
        ("make: Target 'all' not remade because of errors.", Failed),
        ("make: 'all' is up to date.", Passed),
        ("# FAIL:  1", Failed),
        ("# FAIL:  0", Passed),
        ("# XPASS: 1", Failed),
        ("# ERROR: 0", Progress),
        ("ninja: build stopped: subcommand failed.", Failed),
    ],
    ..Profile::NONE
};

/// `make: Target 'all' not remade because of errors.`, last of `make -k`.
fn not_remade(line: &Matched) -> Option<ToolLine> {
    line.default_if(line.rest.ends_with(b" not remade because of errors."))
}

/// A rule that failed, unless its failure is ignored.
fn result(line: &Matched) -> Option<ToolLine> {
    line.or_default(line.has(b"]: *** "), ToolLine::new(Tool::Make, Failed, 3))
}

fn up_to_date(line: &Matched) -> Option<ToolLine> {
    let is_done =
        line.rest.ends_with(b" is up to date.") || line.rest.starts_with(b"Nothing to be done for ");
    line.or_default(is_done, ToolLine::new(Tool::Make, Passed, 3))
}
