//! ESLint, in the formats `stylish`, `compact` and `unix`.

use tuckaway_search::find;

use crate::runs::Tool;
use crate::runs::line::Meaning::*;
use crate::runs::line::ToolLine;
use crate::runs::profile::Profile;
use crate::runs::rule::{Matched, row};

/// The profile of the tool.
pub const PROFILE: Profile = Profile {
    name: "ESLint",
    prefixes: &[row("ESLint found too many warnings", Failed, 3), row("✖ ", Summary, 3).refined(summary)],
    counts: &[row(" ", Error, 2).refined(listed)],
    forms: &[row("/", Error, 2).refined(compact)],
    located: Some(|at| find::text(b" [Error/", at.message).is_some().then_some(Error)),
    lists_errors: true,
    #[cfg(test)]
    samples: &[
        ("  12:5  error  'n' is never used  no-unused-vars", Error),
        ("  12:5  warning  'n' is never used  no-unused-vars", Warning),
        ("✖ 3 problems (1 error)", Summary),
        ("/app/a.js:1:7: 'x' is assigned a value but never used. [Error/no-unused-vars]", Error),
        ("/app/a.js: line 1, col 7, Error - 'x' is never used. (no-unused-vars)", Error),
    ],
    ..Profile::NONE
};

/// `  12:5  error  message  rule`.
fn listed(line: &Matched) -> Option<ToolLine> {
    if !line.number.contains(&b':') || line.line.len() <= line.text.len() {
        return None;
    }
    // yamllint puts its rules in parentheses.
    if line.text.ends_with(b")") {
        return None;
    }
    match line.rest.trim_ascii_start() {
        message if message.starts_with(b"error  ") => Some(line.default),
        message if message.starts_with(b"warning  ") => line.meaning(Warning),
        _ => None,
    }
}

/// `/app/a.js: line 1, col 7, Error - …`.
fn compact(line: &Matched) -> Option<ToolLine> {
    let after = &line.text[find::text(b": line ", line.text)?..];
    line.default_if(find::text(b", Error - ", after).is_some())
}

/// ESLint counts problems; test runners mark a failed test in the same way.
fn summary(line: &Matched) -> Option<ToolLine> {
    let is_expected = line.has(b" # TODO") || line.has(b" # SKIP");
    let meaning = if is_expected { Progress } else { FailedTest };
    line.or_default(!line.has(b" problem"), ToolLine::new(Tool::Any, meaning, 1))
}
