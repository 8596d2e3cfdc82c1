//! Reports of tests and linters as XML: the failures, and the result of the run.

use tuckaway_search::find;
use tuckaway_text::{counted, lossy};

use super::PROFILES;
use crate::line::quoted;
use crate::tags::{Markup, Tag, TagKind, Tags};

/// Maximum failures that are remembered.
const MAX_FAILURES: usize = 40;
/// Maximum bytes of a name and of a message.
const QUOTED_BYTES: usize = 160;
/// Bytes of a message that are read.
const MESSAGE_BYTES: usize = 1_024;

/// The form of a report.
pub struct Form {
    /// The name of the tool that writes it.
    pub name: &'static str,
    /// The names of its outermost elements.
    pub roots: &'static [&'static [u8]],
    /// The element of its subject, a test or a file.
    pub subject: &'static [u8],
    /// The noun for the subject.
    pub noun: &'static str,
    /// The name of its failures in an outline.
    pub section: &'static str,
    /// The noun for its failures if a subject can have several.
    pub finding: Option<&'static str>,
    /// Returns the name of a subject.
    pub named: fn(&Report, &Tag) -> String,
    /// Reads the next element within a subject.
    pub read: fn(&mut Report, &Tag),
}

/// A report, read tag by tag.
pub struct Report<'a> {
    form: &'static Form,
    bytes: &'a [u8],
    /// The number of its subjects.
    subjects: u64,
    /// The number of its failures.
    failures: u64,
    /// The first of them, with their lines.
    pub listed: Vec<(u64, String)>,
    /// Whether a count in it says that something failed.
    counts_failures: bool,
    /// Whether it ends with its outermost element.
    is_whole: bool,
    /// The subject that is open.
    subject: Option<Tag>,
    /// The line of an offset, for offsets that grow.
    line: u64,
    counted_to: usize,
    /// The line of a failure whose message is an element inside it.
    awaits: Option<u64>,
}

impl<'a> Report<'a> {
    /// Reads a report; none if the document is something else.
    pub fn of(bytes: &'a [u8]) -> Option<Self> {
        let root = Tags::of(bytes, Markup::Xml).next()?;
        let mut forms = PROFILES.iter().filter_map(|profile| profile.xml);
        let form = forms.find(|form| form.roots.contains(&root.name(bytes)))?;
        let mut report = Report {
            form,
            bytes,
            subjects: 0,
            failures: 0,
            listed: Vec::new(),
            counts_failures: false,
            is_whole: false,
            subject: None,
            line: 1,
            counted_to: 0,
            awaits: None,
        };
        let mut depth = 0usize;
        for tag in Tags::of(bytes, Markup::Xml) {
            match tag.kind {
                TagKind::Close => depth = depth.saturating_sub(1),
                TagKind::Open => depth += 1,
                TagKind::Empty => {}
            }
            if tag.kind != TagKind::Close {
                report.begin(&tag);
            }
        }
        report.is_whole = depth == 0;
        Some(report)
    }

    /// Returns its name and the result of the run: `JUnit XML: failed, 2 of 3 tests`.
    pub fn title(&self) -> String {
        let subjects = counted(self.subjects, self.form.noun);
        let ending = match (self.failures, self.is_whole) {
            (0, _) if self.counts_failures => format!("failed, {subjects}"),
            (0, false) => format!("no result, {subjects} and no end"),
            (0, true) if self.subjects == 0 => format!("no result, {subjects}"),
            (0, true) => format!("passed, {subjects}"),
            (failures, _) => match self.form.finding {
                Some(finding) => format!("failed, {} in {subjects}", counted(failures, finding)),
                None => format!("failed, {failures} of {subjects}"),
            },
        };
        format!("{} XML: {ending}", self.form.name)
    }

    /// Returns the name of its failures in an outline.
    pub fn section(&self) -> &'static str {
        self.form.section
    }

    /// Returns the number of failures that are not listed.
    pub fn omitted(&self) -> u64 {
        self.failures - self.listed.len() as u64
    }

    fn begin(&mut self, tag: &Tag) {
        match self.name(tag) {
            b"testsuites" | b"testsuite" | b"assembly" => {
                let is_count = |name: &[u8]| matches!(name, b"failures" | b"errors" | b"failed");
                let mut attributes = tag.attributes(self.bytes);
                self.counts_failures |= attributes.any(|(name, value)| is_count(name) && is_positive(value));
            }
            name if name == self.form.subject => {
                self.subjects += 1;
                self.subject = Some(*tag);
                self.awaits = None;
            }
            _ => (self.form.read)(self, tag),
        }
    }

    /// Adds a failure of the subject that is open.
    pub fn add_failure(&mut self, tag: &Tag, message: &str) {
        self.failures += 1;
        let line = self.line_of(tag);
        self.list(line, message);
    }

    /// Adds a failure whose message is an element inside it.
    pub fn await_message(&mut self, tag: &Tag) {
        self.failures += 1;
        self.awaits = Some(self.line_of(tag));
    }

    /// Adds the message of the last failure, if it has none.
    pub fn add_awaited(&mut self, tag: &Tag) {
        if let Some(line) = self.awaits.take() {
            let text = first_line(&self.text(tag));
            self.list(line, &text);
        }
    }

    fn list(&mut self, line: u64, message: &str) {
        if self.listed.len() < MAX_FAILURES {
            let separator = if message.is_empty() || message.starts_with(':') { "" } else { ": " };
            let subject = self.subject.map(|subject| (self.form.named)(self, &subject)).unwrap_or_default();
            let text = format!("{subject}{separator}{message}");
            self.listed.push((line, quoted(text.as_bytes(), 2 * QUOTED_BYTES)));
        }
    }

    fn line_of(&mut self, tag: &Tag) -> u64 {
        self.line += find::count(b'\n', &self.bytes[self.counted_to..tag.start]) as u64;
        self.counted_to = tag.start;
        self.line
    }

    /// Returns the name of an element.
    pub fn name(&self, tag: &Tag) -> &'a [u8] {
        tag.name(self.bytes)
    }

    /// Returns the first line of an attribute's value.
    pub fn attribute(&self, tag: &Tag, name: &[u8]) -> String {
        let value = tag.attributes(self.bytes).find(|(other, _)| *other == name);
        value.map_or(String::new(), |(_, value)| first_line(&decoded(value)))
    }

    /// Returns the first line of a failure's text, or the second if the first names the test as
    /// PHPUnit does: `CartTest::testTotal`.
    pub fn message(&self, tag: &Tag) -> String {
        let name = self.subject.map(|subject| self.attribute(&subject, b"name")).unwrap_or_default();
        let name = format!("::{name}");
        let text = self.text(tag);
        let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
        let first = lines.next().unwrap_or_default();
        let line = lines.next().filter(|_| first.contains(&name)).unwrap_or(first);
        quoted(line.as_bytes(), QUOTED_BYTES)
    }

    /// Returns the head of an element's text.
    fn text(&self, tag: &Tag) -> String {
        if tag.kind == TagKind::Empty {
            return String::new();
        }
        let text = self.bytes[tag.end..].trim_ascii_start();
        match text.strip_prefix(b"<![CDATA[") {
            Some(text) => {
                let text = &text[..text.len().min(MESSAGE_BYTES)];
                lossy(&text[..find::text(b"]]>", text).unwrap_or(text.len())]).into_owned()
            }
            None => decoded(&text[..find::byte(b'<', text).unwrap_or(text.len())]),
        }
    }
}

fn is_positive(count: &[u8]) -> bool {
    count.iter().all(u8::is_ascii_digit) && count.iter().any(|digit| *digit != b'0')
}

fn first_line(text: &str) -> String {
    let line = text.trim().lines().next().unwrap_or_default();
    quoted(line.as_bytes(), QUOTED_BYTES)
}

/// Returns the head of a text with its references resolved: `&lt;`, `&#10;`, `&#x3C;`.
fn decoded(text: &[u8]) -> String {
    let text = lossy(&text[..text.len().min(MESSAGE_BYTES)]);
    let mut rest = text.as_ref();
    let mut out = String::new();
    while let Some(start) = rest.find('&') {
        out.push_str(&rest[..start]);
        rest = &rest[start..];
        let end = rest.char_indices().take(10).find(|(_, c)| *c == ';').map(|(at, _)| at);
        let Some((end, c)) = end.and_then(|end| Some((end, referenced(&rest[1..end])?))) else {
            out.push('&');
            rest = &rest[1..];
            continue;
        };
        out.push(c);
        rest = &rest[end + 1..];
    }
    out + rest
}

/// Returns the character that a reference names.
fn referenced(name: &str) -> Option<char> {
    Some(match name {
        "lt" => '<',
        "gt" => '>',
        "amp" => '&',
        "quot" => '"',
        "apos" => '\'',
        _ => {
            let number = name.strip_prefix('#')?;
            let code = match number.strip_prefix(['x', 'X']) {
                Some(hex) => u32::from_str_radix(hex, 16).ok()?,
                None => number.parse().ok()?,
            };
            char::from_u32(code)?
        }
    })
}

/// Returns the title of a report.
#[cfg(test)]
pub fn title(xml: &str) -> String {
    Report::of(xml.as_bytes()).map_or("none".to_owned(), |report| report.title())
}

#[test]
fn other_documents_are_not_reports() {
    assert_eq!([title("<rss/>"), title("")], ["none", "none"]);
}
