//! minitest.

use tuckaway_search::find;

use crate::runs::line::Meaning::*;
use crate::runs::line::ToolLine;
use crate::runs::profile::Profile;
use crate::runs::rule::{CAPITALS, Matched, row, starting_with};

/// The profile of the tool.
pub const PROFILE: Profile = Profile {
    name: "minitest",
    prefixes: &[row("# Running:", Progress, 2), row("Run options: ", Progress, 2)],
    counts: &[row(" runs, ", Summary, 3)],
    forms: &[starting_with(CAPITALS, FailedTest, 2, failed).ending_with(b":")],
    runs_tests: true,
    #[cfg(test)]
    samples: &[
        ("# Running:", Progress),
        ("CartTest#test_adds [test/cart_test.rb:3]:", FailedTest),
        ("2 runs, 2 assertions, 1 failures, 0 errors, 0 skips", Summary),
    ],
    ..Profile::NONE
};

/// `CartTest#test_adds [test/cart_test.rb:3]:`, `CartTest#test_adds:`.
fn failed(line: &Matched) -> Option<ToolLine> {
    let test = find::text(b"#test_", line.text)?;
    line.default_if(!line.text[..test].contains(&b' '))
}
