//! The Test Anything Protocol: `prove`, Node.js, tap and others.

use tuckaway_search::find;

use crate::runs::line::Meaning::*;
use crate::runs::line::ToolLine;
use crate::runs::profile::Profile;
use crate::runs::rule::{Matched, count_of_failures, is_number, nothing_more, number_follows, row};

/// The profile of the tool.
pub const PROFILE: Profile = Profile {
    name: "TAP",
    prefixes: &[
        row("#   Failed test", FailedTest, 2),
        row("# Looks like you", Failed, 2),
        row("# Subtest: ", Progress, 2),
        row("# cancelled ", Summary, 2).refined(count_of_failures),
        row("# fail ", Summary, 3).refined(count_of_failures),
        row("# pass ", Progress, 2),
        row("# tests ", Progress, 2).refined(tests),
        row("All tests successful.", Passed, 3),
        row("Result: FAIL", Failed, 3).refined(nothing_more),
        row("Result: PASS", Passed, 3).refined(nothing_more),
        row("TAP version ", Progress, 3),
        row("not ok ", FailedTest, 2).refined(failed),
    ],
    forms: &[row("ok ", Progress, 1).refined(number_follows)],
    test_names: &[("not ok ", "")],
    runs_tests: true,
    quotes_others: true,
    #[cfg(test)]
    samples: &[
        ("TAP version 13", Progress),
        ("not ok 3 - reads", FailedTest),
        ("not ok 3 - reads # TODO", Progress),
        ("ok 2 - writes", Progress),
        ("# fail 0", Passed),
        ("# fail 2", Failed),
        ("# tests 0", NothingRan),
        ("Result: PASS", Passed),
    ],
    ..Profile::NONE
};

/// `# tests 0`, `ℹ tests 0`, as Node.js counts.
pub fn tests(line: &Matched) -> Option<ToolLine> {
    line.meaning(if line.rest == b"0" { NothingRan } else { Progress }).filter(|_| is_number(line.rest))
}

fn failed(line: &Matched) -> Option<ToolLine> {
    if line.has(b"# TODO") || line.has(b"# SKIP") {
        return line.meaning(Progress);
    }
    line.default_if(matches!(line.rest.first(), Some(b'0'..=b'9' | b'-')))
}

/// Distinguishes failed tests from those that only sum up their subtests.
#[derive(Default)]
pub struct Leaves {
    /// The indentation of the last failed test, unless tests outside it have passed since.
    failed_at: Option<usize>,
    /// Whether subtests are in braces, below the line that sums them up.
    has_braces: bool,
}

impl Leaves {
    /// Reads the next test, `ok 1 - reads` or `not ok 1 - reads`. Returns whether it is one that sums up
    /// subtests: Vitest prints it above them, all others below.
    pub fn sums_up(&mut self, line: &[u8]) -> bool {
        let text = line.trim_ascii();
        let indentation = line.trim_ascii_end().len() - text.len();
        let has_inner = self.failed_at.is_some_and(|inner| inner > indentation);
        if text.ends_with(b" {") {
            self.has_braces = true;
            return true;
        }
        if text.starts_with(b"not ok ") {
            self.failed_at = Some(indentation);
        } else if has_inner {
            self.failed_at = None;
        }
        has_inner && !self.has_braces
    }
}

/// Returns whether a line is a test, perhaps a subtest.
pub fn is_any_test(line: &[u8]) -> bool {
    is_test(line.trim_ascii_start())
}

/// Tests that are not subtests, since the last complete plan. When their number reaches the plan,
/// they are a result: not every producer reports one.
#[derive(Default)]
pub struct Plan {
    planned: u64,
    seen: u64,
    has_failed: bool,
}

impl Plan {
    /// Reads the next line of any kind. Returns whether a test failed once the plan is complete.
    pub fn read(&mut self, line: &[u8]) -> Option<bool> {
        // Most lines begin in another way.
        if !matches!(line.first(), Some(b'1' | b'n' | b'o')) {
            return None;
        }
        let has = |text: &[u8]| find::text(text, line).is_some();
        if let Some(planned) = line.strip_prefix(b"1..") {
            let digits = planned.split(|byte| *byte == b' ').next().unwrap_or_default();
            let planned =
                std::str::from_utf8(digits.trim_ascii_end()).ok().and_then(|digits| digits.parse().ok());
            self.planned = planned.unwrap_or_default();
        } else if is_test(line) {
            self.seen += 1;
            self.has_failed |= line[0] == b'n' && !has(b"# TODO") && !has(b"# SKIP");
        } else {
            return None;
        }
        let is_complete = self.seen > 0 && self.seen == self.planned;
        is_complete.then(|| std::mem::take(self).has_failed)
    }
}

/// Returns whether a line is a test: `ok 1 - reads`, `not ok 1 - reads`, `not ok - reads`. A
/// sentence that begins like this is not.
fn is_test(line: &[u8]) -> bool {
    let rest = line.strip_prefix(b"not ").unwrap_or(line).strip_prefix(b"ok ");
    matches!(rest, Some([b'0'..=b'9' | b'-', ..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tests_that_sum_up_subtests_are_no_failed_tests_of_their_own() {
        let leaves = |lines: &[&'static str]| -> Vec<&str> {
            let mut leaves = Leaves::default();
            lines.iter().copied().filter(|line| !leaves.sums_up(line.as_bytes())).collect()
        };
        let node = ["    ok 1 - a", "    not ok 2 - b", "not ok 1 - c", "not ok 2 - d", "ok 3 - e"];
        assert_eq!(leaves(&node), [node[0], node[1], node[3], node[4]]);
        let vitest = ["not ok 1 - a # time=1ms {", "    not ok 1 - b", "}", "not ok 2 - c"];
        assert_eq!(leaves(&vitest), [vitest[1], vitest[2], vitest[3]]);
        let todo = ["    not ok 1 - a", "ok 1 - b # TODO", "not ok 2 - c"];
        assert_eq!(leaves(&todo), [todo[0], todo[2]]);
    }

    /// Returns the results of complete plans, one after another.
    fn plans(lines: &[&str]) -> Vec<bool> {
        let mut plan = Plan::default();
        lines.iter().filter_map(|line| plan.read(line.as_bytes())).collect()
    }

    #[test]
    fn a_plan_is_complete_with_as_many_tests() {
        for lines in [
            &["1..2", "ok 1 - a", "ok 2 - b # SKIP"][..],
            &["1..1", "not ok really: printed", "ok 1 - a"],
            &["1..1", "ok really: printed", "ok - a"],
            &["    ok 1 - subtest", "ok 1 - a", "not ok 2 - b # TODO later", "1..2\r"],
        ] {
            assert_eq!(plans(lines), [false], "{lines:?}");
        }
        for lines in [&["not ok 1 - a", "ok 2 - b", "1..2"][..], &["1..2", "ok 1 - a", "not ok - b"]] {
            assert_eq!(plans(lines), [true], "{lines:?}");
        }
        for lines in [
            &["1..2", "ok 1 - a"][..],
            &["ok 2 - b", "1..2"],
            &["1..1", "    ok 1 - subtest"],
            &["1..0 # skip all"],
            &["1..2", "ok a", "not ok b", "ok then"],
        ] {
            assert!(plans(lines).is_empty(), "{lines:?}");
        }
        assert_eq!(plans(&["1..2", "ok 1 - a", "not ok 2 - b", "1..1", "ok 1 - c"]), [true, false]);
    }
}
