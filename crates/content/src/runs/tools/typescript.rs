//! tsc.

use crate::runs::Tool;
use crate::runs::line::Meaning::*;
use crate::runs::line::ToolLine;
use crate::runs::profile::Profile;
use crate::runs::rule::{Matched, row};

/// The profile of the tool.
pub const PROFILE: Profile = Profile {
    name: "tsc",
    prefixes: &[
        row("Found 0 errors", Passed, 1),
        row("Found ", Summary, 1).refined(found),
        row("Starting compilation in watch mode", Progress, 3),
        row("error TS", Error, 2),
    ],
    compiles: Some(|at| {
        // Other programs print a time before a dash.
        let has_code = at.rest.starts_with(b" TS");
        at.is_dashed && (at.is_location || has_code) || at.is_location && has_code
    }),
    lead: Some(lead),
    #[cfg(test)]
    samples: &[
        ("src/a.ts(12,5): error TS2304: Cannot find name 'x'.", Error),
        ("src/a.ts:12:5 - error TS2304: Cannot find name 'x'.", Error),
        ("error TS18003: No inputs were found", Error),
        ("Found 2 errors in the same file, starting at: a.ts:1", Summary),
        ("10:00:41 AM - Found 0 errors. Watching for file changes.", Passed),
    ],
    ..Profile::NONE
};

/// `10:00:41 AM - `, as tsc prints when it watches.
fn lead(text: &[u8]) -> Option<&[u8]> {
    let time = text.get(..14).filter(|_| text.len() > 14)?;
    let is_time = time[0].is_ascii_digit() && time[2] == b':' && time[10] == b'M' && time.ends_with(b"- ");
    is_time.then(|| &text[14..])
}

/// `Found 2 errors in 1 file`, as tsc, mypy and linters count.
fn found(line: &Matched) -> Option<ToolLine> {
    let count = line.default_if(line.counts())?;
    let is_of_warnings = line.rest.ends_with(b" warnings.") || line.rest.ends_with(b" warning.");
    if !line.has(b" error") {
        // Warnings of Biome fail a run that requests it.
        return is_of_warnings.then_some(ToolLine::new(Tool::Linter, Why, 0));
    }
    // ruff fixes some of them.
    if line.has(b", 0 remaining)") {
        return Some(ToolLine::new(Tool::Linter, Passed, 3));
    }
    if line.has(b" (checked ") || line.has(b" (errors prevented ") {
        return Some(ToolLine::new(Tool::Mypy, Summary, 3));
    }
    let is_linter =
        [&b" errors."[..], b" error.", b" remaining)."].iter().any(|end| line.text.ends_with(end));
    Some(if is_linter || is_of_warnings { ToolLine::new(Tool::Linter, Summary, 3) } else { count })
}
