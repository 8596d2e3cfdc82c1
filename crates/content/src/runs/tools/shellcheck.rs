//! ShellCheck, in its format for terminals.

use tuckaway_search::find;

use crate::runs::line::Meaning::*;
use crate::runs::line::ToolLine;
use crate::runs::profile::Profile;
use crate::runs::rule::{Matched, is_number, row};

/// The profile of the tool.
pub const PROFILE: Profile = Profile {
    name: "ShellCheck",
    prefixes: &[row("^-", Warning, 2).refined(finding), row("In ", Context, 2).refined(script)],
    #[cfg(test)]
    samples: &[
        ("In a.sh line 3:", Context),
        ("     ^-- SC2086 (info): Double quote to prevent globbing.", Warning),
        ("  ^---^ SC1009 (error): The mentioned parser error was in this function.", Error),
    ],
    ..Profile::NONE
};

/// `^---^ SC2046 (warning): Quote this to prevent word splitting.`
fn finding(line: &Matched) -> Option<ToolLine> {
    let code = &line.text[find::text(b" SC", line.text)?..];
    line.default_if(line.is_indented()).map(|found| ToolLine {
        meaning: if find::text(b" (error): ", code).is_some() { Error } else { Warning },
        ..found
    })
}

/// `In a.sh line 3:`.
fn script(line: &Matched) -> Option<ToolLine> {
    let number = find::last_text(b" line ", line.rest)? + " line ".len();
    line.default_if(line.rest[number..].strip_suffix(b":").is_some_and(is_number))
}
