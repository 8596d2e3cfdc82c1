//! docker build, with BuildKit, which prints its step before each line, and without.

use tuckaway_search::find;

use crate::runs::Tool;
use crate::runs::line::Meaning::*;
use crate::runs::line::ToolLine;
use crate::runs::profile::Profile;
use crate::runs::rule::{Matched, row};

/// The profile of the tool.
pub const PROFILE: Profile = Profile {
    name: "docker build",
    prefixes: &[
        row("=> CACHED", Progress, 2),
        row("=> ERROR", Error, 3),
        row("=> => naming to ", StepDone, 3),
        row("=> [", Progress, 2),
        row("[+] Building ", Progress, 3),
        row("ERROR: failed to solve", Failed, 3),
        row("Successfully built ", StepDone, 2),
        row("Step ", Progress, 1).refined(step),
        row("The command '/bin/sh -c", Failed, 2),
    ],
    forms: &[row("#", Progress, 2).refined(buildkit)],
    lead: Some(lead),
    reports_last: false,
    #[cfg(test)]
    samples: &[
        ("#12 ERROR: process \"/bin/sh -c make\" failed", Error),
        ("#3 DONE 0.1s", Progress),
        ("#9 naming to docker.io/library/a done", StepDone),
        ("Step 2/4 : RUN make", Progress),
        ("Successfully built 0123456789ab", StepDone),
    ],
    ..Profile::NONE
};

/// `#12 0.345 error: …`.
fn lead(text: &[u8]) -> Option<&[u8]> {
    let rest = text.strip_prefix(b"#")?;
    let digits = rest.iter().take_while(|b| b.is_ascii_digit()).count();
    let step = rest[digits..].strip_prefix(b" ").filter(|_| digits > 0)?;
    let time = step.iter().take_while(|b| b.is_ascii_digit() || **b == b'.').count();
    let has_time = time > 1 && step[..time].contains(&b'.');
    has_time.then(|| step[time..].strip_prefix(b" ").unwrap_or(&step[time..]))
}

/// `#12 ERROR: …`, `#12 [2/4] RUN …`, `#12 DONE 0.1s`.
fn buildkit(line: &Matched) -> Option<ToolLine> {
    if !line.counts() {
        return None;
    }
    let after = &line.rest[find::byte(b' ', line.rest)? + 1..];
    if after.starts_with(b"ERROR") {
        return Some(ToolLine::new(Tool::Docker, Error, 3));
    }
    if after.starts_with(b"naming to ") {
        return Some(ToolLine::new(Tool::Docker, StepDone, 3));
    }
    let steps = [&b"["[..], b"DONE ", b"CACHED", b"sha256:", b"exporting ", b"transferring "];
    line.default_if(steps.iter().any(|step| after.starts_with(step)))
}

fn step(line: &Matched) -> Option<ToolLine> {
    line.default_if(line.has(b" : "))
}
