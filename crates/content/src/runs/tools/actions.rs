//! GitHub Actions, which runs other tools and prints a time before each of their lines.

use crate::runs::line::Meaning::*;
use crate::runs::line::ToolLine;
use crate::runs::profile::Profile;
use crate::runs::rule::{Matched, is_number, row};

/// The profile of the tool.
pub const PROFILE: Profile = Profile {
    name: "GitHub Actions",
    prefixes: &[
        row("##[error]Process completed with exit code", Failed, 3),
        row("##[error]", Error, 3),
        row("##[warning]", Warning, 3),
        row("##[group]", Progress, 3),
        row("##[", Progress, 1),
        row("::error ", Error, 3),
        row("::error::", Error, 3),
        row("::warning ", Warning, 3),
        row("Command completed after ", Passed, 3).refined(attempts),
        row("Error: Process completed with exit code", Failed, 3),
        row("Process completed with exit code", Failed, 2),
    ],
    lead: Some(lead),
    runs_others: true,
    #[cfg(test)]
    samples: &[
        ("2024-01-02T03:04:05.1234567Z ##[error]No", Error),
        ("##[error]Process completed with exit code 1.", Failed),
        ("::warning file=a.js::no", Warning),
        ("Command completed after 2 attempt(s).", Passed),
    ],
    ..Profile::NONE
};

/// `2024-01-02T03:04:05.1234567Z ##[error]…`.
fn lead(text: &[u8]) -> Option<&[u8]> {
    let has_time = text.len() > 28 && text[0].is_ascii_digit() && text[10] == b'T' && text[27] == b'Z';
    has_time.then(|| text[28..].strip_prefix(b" ").unwrap_or(&text[28..]))
}

/// `Command completed after 2 attempt(s).`, of an action that repeats a command until it passes.
fn attempts(line: &Matched) -> Option<ToolLine> {
    line.default_if(line.rest.strip_suffix(b" attempt(s).").is_some_and(is_number))
}
