//! What `go test -json` reports, an event in a line: which tests failed, and why.

use std::collections::BTreeMap;

use tuckaway_json::scan::{Scanner, TokenKind};
use tuckaway_json::summary::Summary;
use tuckaway_json::unescape::unescape;
use tuckaway_search::{LineSpan, LineSpans, hash};
use tuckaway_text::counted;

use crate::line::quoted;
use crate::line::word::explains;
use crate::outline::{Entry, Outline, push_numbered};

/// The most failed tests that are listed.
const MAX_LISTED: usize = 40;
/// The most tests that are open at a time.
const MAX_OPEN: usize = 4_096;
/// The most bytes of a message.
const QUOTED_BYTES: usize = 160;

/// Returns whether documents are events of `go test -json`, by their keys.
pub fn is_report(summary: &Summary) -> bool {
    let keys = &summary.node(Summary::ROOT).members;
    let has = |key: &str| keys.iter().any(|member| &*member.key == key);
    summary.documents > 1 && has("Action") && has("Package") && has("Time") && (has("Test") || has("Elapsed"))
}

/// Outlines how the run ended and which tests failed.
pub fn outline(bytes: &[u8]) -> Outline {
    let mut report = Report::default();
    for (LineSpan { line, .. }, number) in LineSpans::of(bytes).zip(1..) {
        if let Some(event) = Event::parse(line) {
            report.add(&event, number);
        }
    }
    report.into_outline()
}

/// An event: the values of its keys.
#[derive(Default)]
struct Event {
    action: String,
    package: String,
    test: String,
    output: String,
}

impl Event {
    fn parse(line: &[u8]) -> Option<Event> {
        let mut scanner = Scanner::new(line);
        let mut event = Event::default();
        let mut key: &[u8] = b"";
        while let Some(token) = scanner.next_token().ok()? {
            let text = &line[token.start as usize..token.end as usize];
            match token.kind {
                TokenKind::Key => key = &text[1..text.len() - 1],
                TokenKind::String => {
                    let value = match key {
                        b"Action" => &mut event.action,
                        b"Package" | b"ImportPath" => &mut event.package,
                        b"Test" => &mut event.test,
                        b"Output" => &mut event.output,
                        _ => continue,
                    };
                    *value = unescape(&text[1..text.len() - 1]).into_owned();
                }
                _ => {}
            }
        }
        Some(event)
    }

    fn id(&self) -> u64 {
        hash::of(format!("{}\n{}", self.package, self.test).as_bytes())
    }
}

/// What a test printed that says most.
#[derive(Default)]
struct Message {
    rank: u8,
    text: String,
}

#[derive(Default)]
struct Report {
    /// Tests and packages that run, with what they printed.
    open: BTreeMap<u64, Message>,
    failed: Vec<(u64, String)>,
    failed_tests: u64,
    /// Packages that failed without a failed test: they do not build, or panic.
    failed_packages: u64,
    tests: u64,
    /// Whether the last package that failed has a failed test.
    names_failure: bool,
    has_failed: bool,
    has_passed: bool,
}

impl Report {
    fn add(&mut self, event: &Event, number: u64) {
        let is_test = !event.test.is_empty();
        match event.action.as_str() {
            "run" | "start" if self.open.len() < MAX_OPEN => {
                self.open.entry(event.id()).or_default();
                // Packages start before their first test since Go 1.20.
                let package = Event { package: event.package.clone(), ..Event::default() };
                self.open.entry(package.id()).or_default();
            }
            "output" | "build-output" => self.add_output(event),
            "fail" | "build-fail" => {
                let message = self.open.remove(&event.id()).unwrap_or_default().text;
                self.has_failed = true;
                self.tests += u64::from(is_test);
                if is_test || !std::mem::take(&mut self.names_failure) {
                    self.add_failure(event, number, &message);
                }
                self.names_failure |= is_test;
            }
            "pass" | "skip" => {
                self.open.remove(&event.id());
                self.tests += u64::from(is_test && event.action == "pass");
                self.has_passed |= !is_test && event.action == "pass";
            }
            _ => {}
        }
    }

    fn add_output(&mut self, event: &Event) {
        let text = event.output.trim();
        let rank = match text {
            _ if text.starts_with("panic: ") => 3,
            _ if explains(text.as_bytes()) => 2,
            _ if text.contains("_test.go:") || event.action == "build-output" => 1,
            _ => return,
        };
        if self.open.len() < MAX_OPEN {
            let message = self.open.entry(event.id()).or_default();
            if rank > message.rank {
                *message = Message { rank, text: quoted(text.as_bytes(), QUOTED_BYTES) };
            }
        }
    }

    fn add_failure(&mut self, event: &Event, number: u64, message: &str) {
        match event.test.is_empty() {
            true => self.failed_packages += 1,
            false => self.failed_tests += 1,
        }
        if self.failed.len() < MAX_LISTED {
            let name = [event.package.as_str(), event.test.as_str()].join(" ");
            let separator = if message.is_empty() { "" } else { ": " };
            self.failed.push((number, format!("{}{separator}{message}", name.trim())));
        }
    }

    fn into_outline(self) -> Outline {
        let tests = counted(self.tests, "test");
        let ending = match (self.has_failed, self.has_passed && self.open.is_empty()) {
            (true, _) => match (self.failed_tests, self.failed_packages) {
                (failed, 0) => format!("failed, {failed} of {tests}"),
                (0, packages) => format!("failed, {}", counted(packages, "package")),
                (failed, packages) => {
                    format!("failed, {failed} of {tests}, {}", counted(packages, "package"))
                }
            },
            (false, true) => format!("passed, {tests}"),
            (false, false) => format!("no result, {tests}"),
        };
        let mut outline = Outline::default();
        outline.push("kind", Entry::Text(format!("go test -json: {ending}")));
        let more = self.failed_tests + self.failed_packages - self.failed.len() as u64;
        push_numbered(&mut outline, "failed_tests", self.failed, more);
        outline
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::outline::Layout;

    fn json(events: &[(&str, &str, &str)]) -> String {
        let event = |(action, test, output): &(&str, &str, &str)| {
            format!(
                "{{\"Action\":\"{action}\",\"Package\":\"p\",\"Test\":\"{test}\",\"Output\":\"{output}\"}}\n"
            )
        };
        let text: String = events.iter().map(event).collect();
        outline(text.as_bytes()).to_json(1_000, &Layout::ONE_LINE)
    }

    #[test]
    fn the_package_decides() {
        let run = ("run", "A", "");
        assert_eq!(json(&[run, ("pass", "A", "")]), r#"{"kind": "go test -json: no result, 1 test"}"#);
        assert_eq!(
            json(&[run, ("pass", "A", ""), ("pass", "", "")]),
            r#"{"kind": "go test -json: passed, 1 test"}"#
        );
        assert_eq!(
            json(&[
                run,
                ("output", "A", "a_test.go:1: no"),
                ("output", "A", "a_test.go:2: got 1, want 2"),
                ("fail", "A", ""),
                ("fail", "", "")
            ]),
            r#"{"kind": "go test -json: failed, 1 of 1 test", "failed_tests": {"4": "p A: a_test.go:2: got 1, want 2"}}"#
        );
        assert_eq!(
            json(&[("output", "", "FAIL p [build failed]"), ("fail", "", "")]),
            r#"{"kind": "go test -json: failed, 1 package", "failed_tests": {"2": "p"}}"#
        );
    }
}
