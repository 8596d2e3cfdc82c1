//! go build, go vet and go test: their lines, and the events of `go test -json`.

use std::collections::HashMap;

use tuckaway_json::scan::{Scanner, TokenKind};
use tuckaway_json::summary::Summary;
use tuckaway_json::unescape::unescape;
use tuckaway_search::{LineSpan, LineSpans, find, hash};
use tuckaway_text::counted;

use crate::line::quoted;
use crate::line::word::explains;
use crate::outline::{Entry, Outline, push_numbered};
use crate::runs::Tool;
use crate::runs::line::Meaning::*;
use crate::runs::line::ToolLine;
use crate::runs::profile::{JsonReport, Logs, Profile};
use crate::runs::rule::{Matched, nothing_more, row};

/// The profile of the tool.
pub const PROFILE: Profile = Profile {
    name: "go",
    prefixes: &[
        row("--- FAIL: ", FailedTest, 3),
        row("--- PASS: ", Progress, 3),
        row("--- SKIP: ", Progress, 3),
        row("=== RUN ", Progress, 3),
        row("?   \t", Progress, 3),
        row("FAIL\t", Failed, 3).refined(package_failed),
        row("go: downloading ", Progress, 3),
        row("ok  \t", Passed, 3),
    ],
    forms: &[row("PASS", Progress, 0).refined(nothing_more)],
    indented: Some(logged),
    located: Some(|at| find::text(b".go:", at.location).is_some().then_some(Error)),
    test_names: &[("--- FAIL: ", "")],
    logs: Some(Logs { test: test_of, begins: "=== " }),
    // A package that passed does not say what the compiler prints before it.
    begins: &["=== RUN"],
    json: Some(JsonReport {
        is: is_report,
        outline,
        failing,
        marks: &[b"\"fail\"", b"\"build-fail\"", b"_test.go:"],
        is_failure,
    }),
    #[cfg(test)]
    samples: &[
        ("./main.go:12:5: undefined: run", Error),
        ("    cart_test.go:13: got 3, want 78", Why),
        ("--- FAIL: TestCart (0.00s)", FailedTest),
        ("FAIL\tshop/cart\t0.1s", Failed),
        ("ok  \tshop/cart\t0.1s", Passed),
    ],
    ..Profile::NONE
};

/// `FAIL\tshop/cart [build failed]`: no other package that passes contradicts it.
fn package_failed(line: &Matched) -> Option<ToolLine> {
    line.or_default(line.rest.ends_with(b" failed]"), ToolLine::new(Tool::Any, Failed, 3))
}

/// The log of a test: `    cart_test.go:13: got 3, want 78`.
fn logged(text: &[u8]) -> Option<ToolLine> {
    let at = find::text(b"_test.go:", text)?;
    let has_space = find::byte(b' ', &text[..at]).is_some();
    (!has_space).then_some(ToolLine::new(Tool::Go, Why, 1))
}

/// Returns the test that a line is about: `=== RUN   TestReads`, `--- FAIL: TestReads (0.00s)`.
fn test_of(text: &[u8]) -> Option<&[u8]> {
    let has_name = text.starts_with(b"=== ") || text.starts_with(b"--- ");
    text.split(|byte| *byte == b' ').filter(|word| !word.is_empty()).nth(2).filter(|_| has_name)
}

/// Maximum failed tests that are listed.
const MAX_LISTED: usize = 40;
/// Maximum tests that are open at a time.
const MAX_OPEN: usize = 4_096;
/// Bytes in which the first event has its keys.
const HEAD_BYTES: usize = 1_024;
/// Maximum bytes of a message.
const QUOTED_BYTES: usize = 160;

/// Returns whether documents are events of `go test -json`, by their keys.
fn is_report(summary: &Summary) -> bool {
    let keys = &summary.node(Summary::ROOT).members;
    let has = |key: &str| keys.iter().any(|member| &*member.key == key);
    summary.documents > 1 && has("Action") && has("Package") && has("Time") && (has("Test") || has("Elapsed"))
}

/// Outlines the result of the run and the failed tests.
fn outline(bytes: &[u8]) -> Outline {
    read(bytes).into_outline()
}

/// Returns the documents of a report, one on each line, that give the reasons of failed tests, and
/// then those that report the failures; none if a text is not a report.
fn failing(text: &str) -> Vec<usize> {
    let first = &text.as_bytes()[..text.len().min(HEAD_BYTES)];
    if find::text(b"\"Action\":\"", first).is_none() || find::text(b"\"Package\":\"", first).is_none() {
        return Vec::new();
    }
    let failed = read(text.as_bytes()).failed;
    let lines = failed.iter().map(|failure| failure.why).chain(failed.iter().map(|failure| failure.line));
    lines.filter_map(|line| (line as usize).checked_sub(1)).collect()
}

/// Returns whether a member is the result of a failed test, or its message.
fn is_failure(key: &[u8], value: &[u8]) -> bool {
    match key {
        b"Action" => matches!(value, b"fail" | b"build-fail"),
        b"Output" => find::text(b"_test.go:", value).is_some() && explains(value),
        _ => false,
    }
}

/// Returns whether a line has the form of `a/b.go:3:14: undefined: c`, and is not a warning of cgo.
fn is_compile_error(line: &[u8]) -> bool {
    let Some(at) = find::text(b".go:", line) else { return false };
    let is_path = !line[..at].contains(&b' ');
    let numbers = &line[at + ".go:".len()..];
    let digits = numbers.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let is_note = [&b" warning: "[..], b" note: "].iter().any(|word| find::text(word, numbers).is_some());
    is_path && digits > 0 && numbers.get(digits) == Some(&b':') && !is_note
}

fn read(bytes: &[u8]) -> Report {
    let mut report = Report::default();
    for (LineSpan { line, .. }, number) in LineSpans::of(bytes).zip(1..) {
        match Event::parse(line) {
            Some(event) => report.add(&event, number),
            None => report.add_text(line, number),
        }
    }
    report
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

    fn package_id(&self) -> u64 {
        package_id(self.package.as_bytes())
    }
}

fn package_id(package: &[u8]) -> u64 {
    hash::of(&[package, b"\n"].concat())
}

/// The most informative line that a test printed, and the number of failed tests of a package.
#[derive(Default)]
struct Message {
    failed: u64,
    rank: u8,
    line: u64,
    text: String,
}

/// A failure that is listed.
struct Failure {
    package: u64,
    line: u64,
    /// The line of its message; 0 if it has none.
    why: u64,
    text: String,
}

#[derive(Default)]
struct Report {
    /// Running tests and packages, with their messages.
    open: HashMap<u64, Message>,
    /// The failures that are listed.
    failed: Vec<Failure>,
    /// The package that the compiler has named, if no error of it has followed yet.
    built: Option<u64>,
    /// Packages that failed by lines between the events.
    unbuilt: Vec<u64>,
    /// Whether one of them passed after that, in another run.
    is_contradicted: bool,
    failed_tests: u64,
    /// Packages that failed without a failed test: they do not build, or panic.
    failed_packages: u64,
    tests: u64,
    has_passed: bool,
    /// The number of packages that have started, and of those that have passed or been skipped. A
    /// package that has not started belongs to a report whose head is cut off: packages that did
    /// not build may have been there.
    started: u64,
    passed: u64,
    /// Whether the go command loads modules before the first event, which nothing precedes.
    is_whole: bool,
}

impl Report {
    fn add(&mut self, event: &Event, number: u64) {
        let is_test = !event.test.is_empty();
        match event.action.as_str() {
            "run" | "start" if self.open.len() < MAX_OPEN => {
                self.started += u64::from(event.action == "start");
                self.open.entry(event.id()).or_default();
                // Packages start before their first test since Go 1.20.
                let package = Event { package: event.package.clone(), ..Event::default() };
                self.open.entry(package.id()).or_default();
            }
            "output" | "build-output" => self.add_output(event, number),
            "fail" | "build-fail" => {
                let message = self.open.remove(&event.id()).unwrap_or_default();
                self.tests += u64::from(is_test);
                match is_test && self.open.len() < MAX_OPEN {
                    true => self.open.entry(event.package_id()).or_default().failed += 1,
                    false => self.failed_tests += u64::from(is_test) + message.failed,
                }
                // A package mostly fails by its tests, or lines between the events have said that it failed.
                if is_test || message.failed == 0 && !self.unbuilt.contains(&event.id()) {
                    self.failed_packages += u64::from(!is_test);
                    self.list(event, number, &message);
                }
            }
            "pass" | "skip" => {
                let failed = self.open.remove(&event.id()).unwrap_or_default().failed;
                let unbuilt = self.unbuilt.iter().position(|package| !is_test && *package == event.id());
                if let Some(index) = unbuilt {
                    self.unbuilt.swap_remove(index);
                    self.is_contradicted = true;
                    self.failed_packages -= 1;
                    self.failed.retain(|failure| failure.package != event.id());
                }
                // A test printed what looks like a failed one.
                if failed > 0 {
                    self.tests = self.tests.saturating_sub(failed);
                    self.failed.retain(|failure| failure.package != event.package_id());
                }
                self.tests += u64::from(is_test && event.action == "pass");
                self.passed += u64::from(!is_test);
                self.has_passed |= !is_test && event.action == "pass";
            }
            _ => {}
        }
    }

    /// Adds a line between the events: the compiler names a package, and then its errors. Before Go
    /// 1.20, packages that do not build are in no event.
    fn add_text(&mut self, line: &[u8], number: u64) {
        let name = |line: &[u8]| line.split(|byte| b" \t\r".contains(byte)).next().map(package_id);
        if let Some(package) = line.strip_prefix(b"# ") {
            self.built = name(package);
            return;
        }
        self.is_whole |= line.starts_with(b"go: ") && self.open.is_empty() && self.passed == 0;
        let built = self.built.take().filter(|_| is_compile_error(line));
        let failed = built.or_else(|| name(line.strip_prefix(b"FAIL\t")?));
        let Some(package) = failed.filter(|_| self.unbuilt.len() < MAX_OPEN) else { return };
        if !self.unbuilt.contains(&package) {
            self.unbuilt.push(package);
            self.failed_packages += 1;
            self.push(Failure { package, line: number, why: 0, text: quoted(line, QUOTED_BYTES) });
        }
    }

    fn add_output(&mut self, event: &Event, line: u64) {
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
                let failed = message.failed;
                *message = Message { failed, rank, line, text: quoted(text.as_bytes(), QUOTED_BYTES) };
            }
        }
    }

    fn list(&mut self, event: &Event, line: u64, message: &Message) {
        let name = [event.package.as_str(), event.test.as_str()].join(" ");
        let separator = if message.text.is_empty() || name.len() < 2 { "" } else { ": " };
        let text = format!("{}{separator}{}", name.trim(), message.text);
        self.push(Failure { package: event.package_id(), line, why: message.line, text });
    }

    fn push(&mut self, failure: Failure) {
        if self.failed.len() < MAX_LISTED {
            self.failed.push(failure);
        }
    }

    fn into_outline(mut self) -> Outline {
        self.failed_tests += self.open.values().map(|open| open.failed).sum::<u64>();
        let failures = self.failed_tests + self.failed_packages;
        let tests = counted(self.tests, "test");
        let is_whole = self.open.is_empty() && (self.is_whole || self.started == self.passed);
        let ending = match (failures > 0, self.has_passed && is_whole && !self.is_contradicted) {
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
        outline.reports_failure = failures > 0;
        outline.push("kind", Entry::Text(format!("go test -json: {ending}")));
        // Names that contain line feeds may be taken for others.
        let more = failures.saturating_sub(self.failed.len() as u64);
        let listed = self.failed.into_iter().map(|failure| (failure.line, failure.text)).collect();
        push_numbered(&mut outline, "failed_tests", listed, more);
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
        let (start, run) = (("start", "", ""), ("run", "A", ""));
        assert_eq!(json(&[start, run, ("pass", "A", "")]), r#"{"kind": "go test -json: no result, 1 test"}"#);
        assert_eq!(
            json(&[start, run, ("pass", "A", ""), ("pass", "", "")]),
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
        // cgo warns, and the compiler refuses.
        let behind = |text: &str| {
            let events =
                "{\"Action\":\"start\",\"Package\":\"p\"}\n{\"Action\":\"pass\",\"Package\":\"p\"}\n";
            outline(format!("# p\n{text}\n{events}").as_bytes()).to_json(1_000, &Layout::ONE_LINE)
        };
        assert!(behind("./main.go:7:3: warning: 'foo' is deprecated").contains("passed"));
        assert!(behind("./main.go:7:3: undefined: foo").contains("no result"));
        // A test that passed printed the second one.
        assert_eq!(
            json(&[start, run, ("fail", "B", ""), ("pass", "A", ""), ("pass", "", "")]),
            r#"{"kind": "go test -json: passed, 1 test"}"#
        );
        let built =
            outline(b"# p/bad\nbad/a.go:2:3: undefined: x\n{\"Action\":\"pass\",\"Package\":\"p\"}\n");
        assert_eq!(
            built.to_json(1_000, &Layout::ONE_LINE),
            r#"{"kind": "go test -json: failed, 1 package", "failed_tests": {"2": "bad/a.go:2:3: undefined: x"}}"#
        );
        assert_eq!(
            json(&[("output", "", "FAIL p [build failed]"), ("fail", "", "")]),
            r#"{"kind": "go test -json: failed, 1 package", "failed_tests": {"2": "p"}}"#
        );
    }

    #[test]
    fn a_report_whose_head_is_cut_off_has_not_passed() {
        let start = "{\"Action\":\"start\",\"Package\":\"p\"}\n";
        let run = "{\"Action\":\"run\",\"Package\":\"p\",\"Test\":\"A\"}\n";
        let pass = "{\"Action\":\"pass\",\"Package\":\"p\",\"Test\":\"A\"}\n{\"Action\":\"pass\",\"Package\":\"p\"}\n";
        let other = "{\"Action\":\"pass\",\"Package\":\"q\"}\n";
        let load = "go: downloading example.com/money v1.2.0\n";
        let unbuilt = "FAIL\tp/bad [build failed]\n";
        for (parts, expected) in [
            (&[start, run, pass][..], "passed, 1 test"),
            (&[load, run, pass], "passed, 1 test"),
            (&[run, pass], "no result"),
            (&[pass], "no result"),
            (&[other, start, run, pass], "no result"),
            (&[start, run, pass, other], "no result"),
            (&[run, load, pass], "no result"),
            (&[unbuilt, start, run, pass], "failed, 1 package"),
            (&["# p/bad [p/bad.test]\nbad/a.go:2:3: no\n", unbuilt, start, run, pass], "failed, 1 package"),
            (
                &[unbuilt, "FAIL\tp/a [build failed]\nFAIL\tp/b\t0.1s\n", start, run, pass],
                "failed, 3 packages",
            ),
            // `go test ./... || go test -json ./...`.
            (&["FAIL\tp [build failed]\n", start, run, pass], "no result"),
            (&[unbuilt, "FAIL\tp [build failed]\n", start, run, pass], "failed, 1 package"),
            (&["FAIL\tp\t0.1s\n", start, "{\"Action\":\"fail\",\"Package\":\"p\"}\n"], "failed, 1 package"),
        ] {
            let json = outline(parts.concat().as_bytes()).to_json(1_000, &Layout::ONE_LINE);
            assert!(json.contains(&format!("go test -json: {expected}")), "{parts:?}: {json}");
        }
    }
}
