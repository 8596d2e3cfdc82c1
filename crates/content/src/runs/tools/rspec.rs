//! RSpec.

use crate::runs::line::Meaning::*;
use crate::runs::line::ToolLine;
use crate::runs::profile::Profile;
use crate::runs::rule::{Matched, row};

/// The profile of the tool.
pub const PROFILE: Profile = Profile {
    name: "RSpec",
    prefixes: &[row("rspec ./", FailedTest, 3).refined(failure)],
    counts: &[row(" example", Summary, 3).refined(|line| line.default_if(line.has(b" failure")))],
    runs_tests: true,
    #[cfg(test)]
    samples: &[("3 examples, 1 failure", Summary), ("rspec ./spec/cart_spec.rb:2 # Cart price", FailedTest)],
    ..Profile::NONE
};

/// `rspec ./a_spec.rb:2 # Title`: without the title it is a command.
fn failure(line: &Matched) -> Option<ToolLine> {
    line.default_if(line.has(b" # "))
}
