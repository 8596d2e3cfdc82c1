//! npm, its installs and its scripts.

use tuckaway_search::find;

use crate::runs::line::Meaning::*;
use crate::runs::line::ToolLine;
use crate::runs::profile::Profile;
use crate::runs::rule::{Matched, row};

/// The profile of the tool.
pub const PROFILE: Profile = Profile {
    name: "npm",
    prefixes: &[
        row("added ", StepDone, 3).refined(added),
        row("audited ", Progress, 1),
        row("found 0 vulnerabilities", Progress, 2),
        row("npm ERR!", Error, 3).refined(error),
        row("npm error", Error, 3).refined(error),
        row("npm warn", Warning, 3),
        row("npm WARN", Warning, 3),
        row("npm notice", Progress, 1),
        row("up to date, audited ", StepDone, 3),
        row("up to date in ", StepDone, 3),
    ],
    script: Some(is_script),
    // It explains one error in many lines.
    counts_errors: false,
    before: &["npm warn", "npm WARN", "npm notice", "npm info", "npm verb", "> node ", "> npx ", "> tsx "],
    behind: &["npm notice", "npm warn", "> node ", "> npx ", "> tsx "],
    before_text: &["npm "],
    #[cfg(test)]
    samples: &[
        ("npm error code ERESOLVE", Error),
        ("npm error", Progress),
        ("npm ERR! Lifecycle script `test` failed with error:", Failed),
        ("added 12 packages in 2s", StepDone),
    ],
    ..Profile::NONE
};

/// Returns whether a line is the one that npm prints before it runs a script: `> name@1.0.0 start`.
fn is_script(line: &[u8]) -> bool {
    let name = line.strip_prefix(b"> ").and_then(|script| script.split(|byte| *byte == b' ').next());
    let version = name.and_then(|name| name.get(find::last_byte(b'@', name)? + 1));
    version.is_some_and(u8::is_ascii_digit)
}

fn added(line: &Matched) -> Option<ToolLine> {
    line.default_if(line.has(b" package"))
}

/// npm ends an error with the path of its log, and explains it in indented lines. For workspaces,
/// it names the one whose script failed, and runs the others.
fn error(line: &Matched) -> Option<ToolLine> {
    let message = line.rest.trim_ascii();
    if message.starts_with(b"Lifecycle script ") {
        return line.meaning(Failed);
    }
    let is_end = message.is_empty() || message.starts_with(b"A complete log") || message.starts_with(b"/");
    let is_explanation = line.rest.starts_with(b"  ") || message.starts_with(b"To see ");
    line.meaning(match (is_end, is_explanation) {
        (true, _) => Progress,
        (false, true) => Context,
        (false, false) => Error,
    })
}
