//! The Test Anything Protocol: `prove`, Node.js, tap and others.

use tuckaway_search::find;

use crate::runs::line::Meaning::*;
use crate::runs::line::ToolLine;
use crate::runs::profile::Profile;
use crate::runs::rule::{Matched, count_of_failures, nothing_more, number_follows, row};

/// What is known of the tool.
pub const PROFILE: Profile = Profile {
    name: "TAP",
    prefixes: &[
        row("#   Failed test", FailedTest, 2),
        row("# Looks like you", Failed, 2),
        row("# Subtest: ", Progress, 2),
        row("# cancelled ", Summary, 2).refined(count_of_failures),
        row("# fail ", Summary, 3).refined(count_of_failures),
        row("# pass ", Progress, 2),
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
        ("Result: PASS", Passed),
    ],
    ..Profile::NONE
};

fn failed(line: &Matched) -> Option<ToolLine> {
    if line.has(b"# TODO") || line.has(b"# SKIP") {
        return line.meaning(Progress);
    }
    line.default_if(matches!(line.rest.first(), Some(b'0'..=b'9' | b'-')))
}

/// Tests that are not subtests, since the last complete plan. As many as are planned are a
/// result: not every producer reports one.
#[derive(Default)]
pub struct Plan {
    planned: u64,
    seen: u64,
    has_failed: bool,
}

impl Plan {
    /// Reads the next line of any kind. Returns whether a test failed once the plan is complete.
    pub fn read(&mut self, line: &[u8]) -> Option<bool> {
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

/// Returns whether a line is a test: `ok 1 - reads`, `not ok 1 - reads`, `not ok - reads`. A sentence
/// that begins so is not.
fn is_test(line: &[u8]) -> bool {
    let rest = line.strip_prefix(b"not ").unwrap_or(line).strip_prefix(b"ok ");
    matches!(rest, Some([b'0'..=b'9' | b'-', ..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns what complete plans say, one after another.
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
