//! What builds and tests print: which tool, what failed, and where.

mod context;
mod signs;
#[cfg(test)]
mod signs_tests;
mod starts;

use std::collections::VecDeque;

use crate::hashes::Hashes;
use crate::stack::{Event, Reader};
use signs::{Sign, Tool, What};
use tuckaway_text::visible::{VisibleLines, visible};

use crate::line::{is_fenced, quoted};
use crate::outline::{Entry, Outline, push_numbered};
use crate::sample::Sample;
use crate::stack::Folder;
use crate::truncate::select::{self, Middle, Worth, gist};
use context::Contexts;

use crate::line::counts::has_failures;

/// Errors, tests and results that a shape names at most.
const NAMED: usize = 40;
/// Lines at the end of an output, of which one may say what it is.
const LAST_LINES: usize = 6;
/// Bytes of each.
const QUOTED: usize = 160;

/// Whether enough lines are such as only these tools print, and not so few among
/// the others that the text may only quote them.
pub fn detect(sample: &Sample) -> bool {
    let mut told = Told::default();
    told.read(&sample.head);
    if sample.tail.len() != sample.head.len() {
        told.read(&sample.tail);
    }
    let is_dense = told.signs * 20 >= told.lines || told.last_sign + LAST_LINES > told.lines;
    told.weight >= signs::CERTAIN && is_dense && !is_fenced(&sample.head)
}

/// What a sample is told by.
#[derive(Default)]
struct Told {
    lines: usize,
    signs: usize,
    last_sign: usize,
    weight: u32,
}

impl Told {
    fn read(&mut self, text: &str) {
        for line in text.lines().filter(|line| !line.trim().is_empty()) {
            self.lines += 1;
            if let Some(sign) = signs::of(&visible(line.as_bytes())).filter(|sign| sign.weight > 0) {
                self.signs += 1;
                self.last_sign = self.lines;
                self.weight += sign.weight;
            }
        }
    }
}

/// The tool, how it ended, errors, failed tests and warnings.
pub fn outline(bytes: &[u8]) -> Outline {
    let mut found = Found::default();
    let mut traces = Reader::default();
    for (number, text) in VisibleLines::of(bytes) {
        let sign = signs::of(&text);
        let is_progress = sign.is_some_and(|sign| sign.what == What::Progress);
        if !is_progress || !traces.pass_over() {
            traces.read(number, &text, &mut |event| {
                if let Event::Message { at, text, .. } = event {
                    found.exceptions.push(at, &text);
                }
            });
        }
        if let Some(sign) = sign {
            found.sign(sign, number, &text);
        }
        if sign.is_some_and(|sign| sign.what == What::Context) {
            found.errors.add_place(number, &text);
        }
    }
    found.entries()
}

#[derive(Default)]
struct Found {
    tools: Vec<(Tool, u32)>,
    errors: Named,
    last_error: u64,
    numbered: Vec<(u64, String)>,
    failed_tests: Named,
    exceptions: Named,
    warnings: Named,
    results: Results,
    failed: bool,
    passed: bool,
}

/// Lines by what they say, each once.
#[derive(Default)]
struct Named {
    lines: Vec<(u64, String)>,
    /// What was said.
    seen: Hashes,
    count: u64,
    different: u64,
}

impl Named {
    fn push(&mut self, line: u64, text: &str) {
        // Of what is said more often than is remembered, repetitions count too.
        let is_new = self.seen.len() >= 4_096 || self.seen.is_new(gist_of_all(text));
        self.count += 1;
        if !is_new {
            return;
        }
        self.different += 1;
        if self.lines.len() < NAMED {
            self.lines.push((line, quoted(text.as_bytes(), QUOTED)));
        }
    }

    /// The place of an error, where it stands on the line after.
    fn add_place(&mut self, number: u64, line: &[u8]) {
        if let Some((of, text)) = self.lines.last_mut()
            && *of + 1 == number
            && text.len() < QUOTED
            && let Some(place) = signs::place(line)
        {
            *text += &format!(" ({})", quoted(place, QUOTED));
        }
    }

    fn more(&self) -> u64 {
        self.different - self.lines.len() as u64
    }
}

/// As [`gist`], but numbers tell lines apart.
fn gist_of_all(text: &str) -> u64 {
    text.bytes()
        .take(300)
        .fold(0xCBF2_9CE4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3))
}

impl Found {
    fn sign(&mut self, sign: Sign, number: u64, text: &[u8]) {
        match self.tools.iter_mut().find(|(tool, _)| *tool == sign.tool) {
            Some((_, weight)) => *weight = weight.saturating_add(sign.weight),
            None => self.tools.push((sign.tool, sign.weight)),
        }
        let said = || quoted(signs::without_lead(text), QUOTED);
        match sign.what {
            // Of lines below each other the first says what is wrong.
            What::Error if sign.tool == Tool::Pytest && self.last_error + 1 == number => {
                self.last_error = number
            }
            What::Error => {
                self.last_error = number;
                self.errors.push(number, &said());
            }
            What::Warning => self.warnings.push(number, &said()),
            What::FailedTest => {
                self.failed_tests.push(number, &quoted(signs::test_name(text), QUOTED));
                self.failed = true;
            }
            What::Result | What::Failed | What::Passed => {
                let text = said();
                if sign.tool == Tool::Mocha {
                    for (number, title) in std::mem::take(&mut self.numbered) {
                        self.failed_tests.push(number, &title);
                    }
                }
                let failed = sign.what == What::Failed || has_failures(text.as_bytes());
                self.failed |= failed;
                self.passed |= !failed;
                self.results.push(number, text, failed);
            }
            // Mocha numbers what failed before it counts it.
            What::Heading if sign.tool == Tool::Mocha && self.numbered.len() < NAMED => {
                self.numbered.push((number, said()));
            }
            What::Progress | What::Heading | What::Context => {}
        }
    }

    fn entries(mut self) -> Outline {
        self.tools.sort_by(|l, r| (l.0 == Tool::Any).cmp(&(r.0 == Tool::Any)).then(r.1.cmp(&l.1)));
        let tool = self.tools.first().map_or("build", |(tool, _)| tool.name());
        let failed = self.failed || self.errors.count > 0;
        let mut said = match (failed, self.passed) {
            (true, _) => vec!["failed".to_owned()],
            (false, true) => vec!["passed".to_owned()],
            (false, false) => vec!["no result".to_owned()],
        };
        let mut count = |count: u64, what: &str| {
            if count > 0 {
                said.push(format!("{count} {what}{}", if count == 1 { "" } else { "s" }));
            }
        };
        // What it calls errors are failures outside of tests; these are what tests say.
        if !matches!(self.tools.first(), Some((Tool::Pytest, _))) {
            count(self.errors.count, "error");
        }
        // These name a test more than once, and its file; their result says how many.
        if !matches!(self.tools.first(), Some((Tool::Jest | Tool::Vitest, _))) {
            count(self.failed_tests.different, "failed test");
        }
        count(self.warnings.count, "warning");
        let mut entries = Outline::default();
        entries.push("kind", Entry::Text(format!("{tool} output: {}", said.join(", "))));
        push_numbered(&mut entries, "result", std::mem::take(&mut self.results).of(failed), 0);
        for (name, named) in [
            ("errors", &mut self.errors),
            ("failed_tests", &mut self.failed_tests),
            ("exceptions", &mut self.exceptions),
        ] {
            let more = named.more();
            push_numbered(&mut entries, name, std::mem::take(&mut named.lines), more);
        }
        let more = self.warnings.more();
        push_numbered(&mut entries, "warnings", self.warnings.lines, more);
        entries
    }
}

/// The last results, and the last that tell of failures.
#[derive(Default)]
struct Results {
    all: VecDeque<(u64, String)>,
    failed: VecDeque<(u64, String)>,
}

impl Results {
    fn push(&mut self, line: u64, text: String, failed: bool) {
        const SHOWN: usize = 3;
        if failed {
            self.failed.push_back((line, text.clone()));
        }
        self.all.push_back((line, text));
        for last in [&mut self.all, &mut self.failed] {
            if last.len() > SHOWN {
                last.pop_front();
            }
        }
    }

    /// Of a failure those that tell of it.
    fn of(self, failed: bool) -> Vec<(u64, String)> {
        let shown = if failed && !self.failed.is_empty() { self.failed } else { self.all };
        shown.into()
    }
}

/// Results, errors with what explains them, failed tests, last lines; traces
/// folded, progress left out.
pub fn truncate(text: &str, max: usize, middle: &mut Middle) -> String {
    let mut lines = select::lines(text, max, middle);
    let mut traces = Folder::default();
    let mut contexts = Contexts::default();
    let mut seen = Hashes::default();
    for index in 0..lines.len() {
        let line = &mut lines[index];
        let shown = visible(line.text(text).as_bytes());
        let is_of_trace = traces.read(index, &shown);
        let sign = signs::of(&shown);
        let is_listed = sign.is_some_and(|sign| sign.tool == Tool::Eslint && sign.what != What::Result);
        let what = sign.map(|sign| sign.what);
        let is_error = matches!(what, Some(What::Error | What::FailedTest));
        match what {
            _ if is_error => line.worth = Worth::Rank(if seen.is_new(gist(&shown)) { 1 } else { 4 }),
            Some(What::Failed) => line.worth = Worth::Rank(0),
            Some(What::Result) if has_failures(&shown) => line.worth = Worth::Rank(0),
            Some(What::Result | What::Passed) => line.worth = Worth::Rank(3),
            Some(What::Warning) => line.worth = Worth::Rank(5),
            Some(What::Progress) => line.worth = Worth::Foldable,
            _ if is_of_trace => continue,
            _ => contexts.place(line, &shown, index),
        }
        if is_listed {
            contexts.list(line);
        } else if let Some(what) = what {
            contexts.after(what, index, line);
        }
        if is_error && !is_listed {
            context::lead(&mut lines, index, text);
        }
    }
    traces.fold(&mut lines, 2);
    select::render(text, &lines, max)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::outline::Layout;

    #[test]
    fn a_panic_is_not_lost_in_what_goes_on() {
        for message in ["the shader failed", "Compiling the shader failed", "Resolving the shader failed"] {
            let text = format!(
                "running 1 test\nthread 'main' panicked at src/main.rs:3:5:\n{message}\ntest result: FAILED. 0 passed\n"
            );
            let json = outline(text.as_bytes()).to_json(1_000, &Layout::ONE_LINE);
            assert!(json.contains(&format!("src/main.rs:3:5: {message}")), "{json}");
        }
    }

    #[test]
    fn no_line_stands_below_very_many() {
        for line in [
            "x: In y\n  1:2  error  x\n",
            "  --> src/a.rs:1:2\n",
            "Caused by:\n",
            "note: this\n",
            "  12:5  error  x\n",
        ] {
            let text = format!("error: x\n{}", line.repeat(60_000));
            let view = truncate(&text, 600, &mut Middle::default());
            assert!(view.starts_with("error: x\n") && view.len() <= 600, "{view}");
        }
    }
}
