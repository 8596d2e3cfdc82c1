//! Ansible, which reports a result for each host.

use tuckaway_search::find;

use crate::runs::line::Meaning::*;
use crate::runs::line::ToolLine;
use crate::runs::profile::Profile;
use crate::runs::rule::{LETTERS, Matched, row, starting_with};

/// The profile of the tool.
pub const PROFILE: Profile = Profile {
    name: "Ansible",
    prefixes: &[
        row("PLAY RECAP *", Progress, 3),
        row("TASK [", Progress, 3),
        row("fatal: [", Error, 3).refined(fatal),
    ],
    forms: &[starting_with(LETTERS, Summary, 3, recap)],
    reports_last: false,
    #[cfg(test)]
    samples: &[
        ("fatal: [web1]: FAILED! => {\"msg\": \"no\"}", Error),
        ("TASK [nginx : install] ****", Progress),
        ("web1 : ok=2 changed=1 unreachable=0 failed=0 skipped=0", Passed),
        ("web1 : ok=2 changed=1 unreachable=1 failed=0 skipped=0", Failed),
    ],
    ..Profile::NONE
};

fn fatal(line: &Matched) -> Option<ToolLine> {
    line.default_if(line.has(b"]: FAILED!") || line.has(b"]: UNREACHABLE!"))
}

/// `web1 : ok=2 changed=1 unreachable=0 failed=0 …`.
fn recap(line: &Matched) -> Option<ToolLine> {
    // The rare byte first, as most other lines come this far.
    find::byte(b'=', line.text)?;
    find::text(b" unreachable=", line.text)?;
    let is_fine = line.has(b" unreachable=0 ") && line.has(b" failed=0 ");
    line.passed_if(is_fine).filter(|_| line.has(b" failed="))
}
