//! Terraform.

use crate::runs::line::Meaning::*;
use crate::runs::line::ToolLine;
use crate::runs::profile::Profile;
use crate::runs::rule::{LETTERS, Matched, row, starting_with};

/// The profile of the tool.
pub const PROFILE: Profile = Profile {
    name: "Terraform",
    prefixes: &[
        row("Apply complete!", Passed, 3),
        row("Plan: ", Plan, 3).refined(|line| line.default_if(line.counts() && line.has(b" to destroy"))),
        row("Refreshing state...", Progress, 2),
        row("Success! The configuration is valid", Passed, 3),
        row("Terraform will perform", Progress, 3),
        row("Terraform used the selected providers", Progress, 3),
        row("│ Error: ", Error, 3),
        row("│ Warning: ", Warning, 3),
    ],
    forms: &[starting_with(LETTERS, Started, 1, begins_change).ending_with(b".")],
    #[cfg(test)]
    samples: &[
        ("Plan: 2 to add, 0 to change, 0 to destroy.", Plan),
        ("aws_instance.web: Creating...", Started),
        ("│ Error: Reference to undeclared resource", Error),
        ("Apply complete! Resources: 2 added, 0 changed, 0 destroyed.", Passed),
    ],
    ..Profile::NONE
};

/// `aws_instance.web: Creating...`: Terraform continues after its plan.
fn begins_change(line: &Matched) -> Option<ToolLine> {
    line.default_if([&b": Creating..."[..], b": Modifying..."].iter().any(|end| line.text.ends_with(end)))
}
