//! yamllint.

use crate::runs::line::Meaning::*;
use crate::runs::line::ToolLine;
use crate::runs::profile::Profile;
use crate::runs::rule::{Matched, row};

/// The profile of the tool.
pub const PROFILE: Profile = Profile {
    name: "yamllint",
    counts: &[row(" ", Error, 2).refined(listed)],
    lists_errors: true,
    #[cfg(test)]
    samples: &[
        ("  3:3       error    syntax error: no value (syntax)", Error),
        ("  1:1       warning  missing document start \"---\"  (document-start)", Warning),
    ],
    ..Profile::NONE
};

/// `  3:81      error    line too long (92 > 80 characters)  (line-length)`.
fn listed(line: &Matched) -> Option<ToolLine> {
    if !line.number.contains(&b':') || !line.is_indented() || !line.text.ends_with(b")") {
        return None;
    }
    match line.rest.trim_ascii_start() {
        message if message.starts_with(b"error    ") => Some(line.default),
        message if message.starts_with(b"warning  ") => line.meaning(Warning),
        _ => None,
    }
}
