//! Lines of builds and tests, one by one.

use proptest::prelude::*;

use super::classify::{Classifier, classify};
use super::excerpt::{location, test_name, without_lead};
use super::line::{CERTAIN, Meaning};
use super::{Tool, rules};

/// Returns the tool and the meaning of a line.
fn classified(line: &str) -> Option<(Tool, Meaning)> {
    classify(line.as_bytes()).map(|line| (line.tool, line.meaning))
}

#[test]
fn every_tool_classifies_its_samples() {
    for &tool in Tool::ALL {
        let profile = tool.profile();
        assert!(!profile.name.is_empty(), "{tool:?}");
        assert!(!profile.samples.is_empty() || profile.xml.is_some(), "{tool:?} has no samples");
        for (line, meaning) in profile.samples {
            let found = classified(line);
            assert_eq!(found.map(|(_, meaning)| meaning), Some(*meaning), "{tool:?}: {line}");
            assert_eq!(found.map(|(tool, _)| tool), Some(tool), "{line}");
        }
    }
}

#[test]
fn a_line_is_classified_alike_after_any_other() {
    let samples = Tool::ALL.iter().flat_map(|tool| tool.profile().samples);
    let samples: Vec<&[u8]> = samples.map(|(line, _)| line.as_bytes()).collect();
    // Rules may begin with the text of another: each with something behind it.
    let rules: Vec<Vec<u8>> =
        (0..=u8::MAX).flat_map(rules::prefixes).map(|entry| [entry.text, b"1 a"].concat()).collect();
    let lines: Vec<&[u8]> = samples.into_iter().chain(rules.iter().map(Vec::as_slice)).collect();
    let first = |line: &[u8]| without_lead(line).first().copied();
    for before in &lines {
        for line in lines.iter().filter(|line| first(line) == first(before)) {
            let mut classifier = Classifier::default();
            classifier.read(before, without_lead(before));
            let shown = String::from_utf8_lossy(line);
            assert_eq!(classifier.read(line, without_lead(line)), classify(line), "{shown}");
        }
    }
}

#[test]
fn the_longest_rule_comes_first() {
    for first in 0..=u8::MAX {
        for entries in [rules::prefixes(first), rules::counts(first), rules::forms(first)] {
            assert!(entries.is_sorted_by(|one, other| one.text.len() >= other.text.len()), "{first}");
            for entry in entries {
                assert!(entry.text.first().is_none_or(|byte| *byte == first));
                assert!(entry.line.weight <= CERTAIN);
            }
        }
        let prefixes = rules::prefixes(first);
        assert!(prefixes.windows(2).all(|pair| pair[0].text != pair[1].text), "{first}");
    }
}

#[test]
fn text_that_only_resembles_a_tools_line_is_not_classified() {
    for line in [
        "",
        " \t ",
        "\r",
        "error: ",
        "The errors of our fathers",
        "Found a way home",
        "running late",
        "added value",
        "not ok with me",
        "Step by step",
        "webpack is a bundler",
        "at 12:30: noted",
        "ok then",
        "# a heading",
        "12) ",
        "Ran home",
        "failures: a history",
        "this uses exit codes",
        "=====",
    ] {
        assert_eq!(classified(line), None, "{line}");
    }
}

#[test]
fn times_and_steps_before_a_line_are_skipped() {
    for (line, rest) in [
        ("2024-01-02T03:04:05.1234567Z ##[error]No", "##[error]No"),
        ("2024-01-02T03:04:05.1234567Z    error: x", "error: x"),
        ("2024-01-02T03:04:05.1234567Z", "2024-01-02T03:04:05.1234567Z"),
        ("#12 0.345 error: x", "error: x"),
        ("#12 3 error: x", "#12 3 error: x"),
        ("#12 ERROR: x", "#12 ERROR: x"),
        ("# 0.3 x", "# 0.3 x"),
        ("  error: x\r", "error: x"),
    ] {
        assert_eq!(without_lead(line.as_bytes()), rest.as_bytes(), "{line}");
    }
    assert_eq!(classified("2024-01-02T03:04:05.1234567Z ##[error]No"), Some((Tool::Actions, Meaning::Error)));
}

#[test]
fn names_of_tests_and_locations_are_extracted() {
    for (line, name) in [
        ("test tests::it_fails ... FAILED", "tests::it_fails"),
        ("    --- FAIL: TestRun/empty (0.00s)", "TestRun/empty (0.00s)"),
        ("FAILED a.py::test_b - no", "a.py::test_b - no"),
        ("not ok 3 - reads", "3 - reads"),
        ("something else", "something else"),
        ("", ""),
    ] {
        assert_eq!(test_name(line.as_bytes()), name.as_bytes(), "{line}");
    }
    assert_eq!(location(b"   --> src/main.rs:3:5"), Some(&b"src/main.rs:3:5"[..]));
    assert_eq!(location(b"see --> there"), None);
}

#[test]
fn the_head_of_a_long_line_is_enough() {
    let long = format!("error[E0308]: {}", "x".repeat(1 << 20));
    assert_eq!(classified(&long), Some((Tool::Cargo, Meaning::Error)));
    let late = format!("{} ... FAILED", "test ".repeat(1 << 18));
    assert_eq!(classified(&late), None);
}

proptest! {
    #[test]
    fn any_bytes_are_classified(line in proptest::collection::vec(any::<u8>(), 0..700)) {
        let weight = classify(&line).map_or(0, |line| line.weight);
        prop_assert!(weight <= CERTAIN);
        prop_assert!(without_lead(&line).len() <= line.len());
        prop_assert!(test_name(&line).len() <= line.len());
        location(&line);
    }

    /// Parts of lines in any order, cut anywhere.
    #[test]
    fn cut_lines_are_classified(
        parts in proptest::collection::vec(prop::sample::select(vec![
            "error", "error: ", "a.rs:1:2: ", "a.go:1:", "(1,2): ", " - ", "npm error ", "#1 ", "#1 0.1 ", "test ", " ... FAILED",
            "====", " in ", " failed", "1:2  ", "exit code ", "exited with ", "12", " > ", " FAILED", "✖ ", "not ok ", "\t", "\u{1b}[31m", "note:", "-->",
        ]), 0..8),
        cut in 0..200usize,
    ) {
        let line = parts.concat().into_bytes();
        let cut_line = &line[..cut.min(line.len())];
        classify(cut_line);
        // White space at the end changes nothing.
        let spaced = [cut_line, b"  "].concat();
        prop_assert_eq!(without_lead(&spaced), without_lead(cut_line));
    }
}

#[test]
fn text_that_begins_as_a_tools_line_is_not_classified() {
    for line in [
        "severity: error",
        "    Tests: 3 failed, 3 total",
        "It is as we said: Tests: 3 failed, 3 total",
        "fix: Tests: do not fail",
        "Tasks: 3 done",
        "Checked 3 files.",
        "Checked 120 links (3 errors):",
        "Checked 14 packages (2 vulnerabilities):",
        "Checked login after 3 attempt(s).",
        "Checked all in turn. No fixes applied.",
        "Command completed after 10 s (2 timeouts):",
        "Command completed after many attempt(s).",
        "Results (all tests):",
        "Diff in /etc/nginx/nginx.conf:",
        "0 failed",
        "ISO8601 Dates",
        "rspec ./spec/models",
        "a.js:1:7: fine",
    ] {
        assert_eq!(classified(line), None, "{line}");
    }
}
