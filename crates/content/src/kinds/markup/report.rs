//! Reports of tests and linters as XML: what failed, and how the run ended.

use tuckaway_search::find;
use tuckaway_text::{counted, lossy};

use super::tags::{Tag, TagKind, Tags};
use crate::line::quoted;

/// The most failures that are remembered.
const MAX_FAILURES: usize = 40;
/// The most bytes of a name and of a message.
const QUOTED_BYTES: usize = 160;
/// Bytes of a message that are read.
const MESSAGE_BYTES: usize = 1_024;

/// The form of a report, by its outermost element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    JUnit,
    XUnit,
    Checkstyle,
}

impl Form {
    fn of(root: &[u8]) -> Option<Form> {
        Some(match root {
            b"testsuites" | b"testsuite" => Form::JUnit,
            b"assemblies" | b"assembly" => Form::XUnit,
            b"checkstyle" => Form::Checkstyle,
            _ => return None,
        })
    }

    fn name(self) -> &'static str {
        match self {
            Form::JUnit => "JUnit",
            Form::XUnit => "xUnit",
            Form::Checkstyle => "Checkstyle",
        }
    }
}

/// A report.
pub struct Report {
    form: Form,
    /// How many tests or, for Checkstyle, files it is about.
    subjects: u64,
    /// How many failures it has.
    failures: u64,
    /// The first of them, with their lines.
    pub listed: Vec<(u64, String)>,
    /// Whether a count in it says that something failed.
    counts_failures: bool,
    /// Whether it ends with its outermost element.
    is_whole: bool,
}

impl Report {
    /// Reads a report; none if the document is something else.
    pub fn of(bytes: &[u8]) -> Option<Report> {
        let root = Tags::of(bytes, false).next()?;
        let form = Form::of(root.name(bytes))?;
        let report = Report {
            form,
            subjects: 0,
            failures: 0,
            listed: Vec::new(),
            counts_failures: false,
            is_whole: false,
        };
        let mut reader = ReportReader { bytes, report, subject: None, line: 1, counted_to: 0, awaits: None };
        let mut depth = 0usize;
        for tag in Tags::of(bytes, false) {
            match tag.kind {
                TagKind::Close => depth = depth.saturating_sub(1),
                TagKind::Open => depth += 1,
                TagKind::Empty => {}
            }
            if tag.kind != TagKind::Close {
                reader.begin(&tag);
            }
        }
        reader.report.is_whole = depth == 0;
        Some(reader.report)
    }

    /// Returns what it is and how the run ended: `JUnit XML: failed, 2 of 3 tests`.
    pub fn title(&self) -> String {
        let what = if self.form == Form::Checkstyle { "file" } else { "test" };
        let subjects = counted(self.subjects, what);
        let ending = match (self.failures, self.is_whole) {
            (0, _) if self.counts_failures => format!("failed, {subjects}"),
            (0, false) => format!("no result, {subjects} and no end"),
            (0, true) if self.subjects == 0 => format!("no result, {subjects}"),
            (0, true) => format!("passed, {subjects}"),
            (failures, _) if self.form == Form::Checkstyle => {
                format!("failed, {} in {subjects}", counted(failures, "error"))
            }
            (failures, _) => format!("failed, {failures} of {subjects}"),
        };
        format!("{} XML: {ending}", self.form.name())
    }

    /// Returns what it lists.
    pub fn section(&self) -> &'static str {
        if self.form == Form::Checkstyle { "errors" } else { "failed_tests" }
    }

    /// Returns how many failures are not listed.
    pub fn omitted(&self) -> u64 {
        self.failures - self.listed.len() as u64
    }
}

/// Reads a report tag by tag.
struct ReportReader<'a> {
    bytes: &'a [u8],
    report: Report,
    /// The test or the file that is open.
    subject: Option<Tag>,
    /// The line of an offset, for offsets that grow.
    line: u64,
    counted_to: usize,
    /// The line of a failure whose message is an element of its own.
    awaits: Option<u64>,
}

impl ReportReader<'_> {
    fn begin(&mut self, tag: &Tag) {
        match (self.report.form, tag.name(self.bytes)) {
            (_, b"testsuites" | b"testsuite" | b"assembly") => {
                let is_count = |name: &[u8]| matches!(name, b"failures" | b"errors" | b"failed");
                let mut attributes = tag.attributes(self.bytes);
                self.report.counts_failures |=
                    attributes.any(|(name, value)| is_count(name) && is_positive(value));
            }
            (Form::JUnit, b"testcase") | (Form::XUnit, b"test") | (Form::Checkstyle, b"file") => {
                self.report.subjects += 1;
                self.subject = Some(*tag);
                self.awaits = None;
            }
            (Form::JUnit, b"failure" | b"error") => {
                let message = Some(self.attribute(tag, b"message")).filter(|message| !message.is_empty());
                let message = message.unwrap_or_else(|| self.message(tag));
                self.add(tag, &message);
            }
            (Form::XUnit, b"failure") => {
                self.report.failures += 1;
                self.awaits = Some(self.line_of(tag));
            }
            (Form::XUnit, b"message") => {
                if let Some(line) = self.awaits.take() {
                    let text = first_line(&self.text(tag));
                    self.list(line, &text);
                }
            }
            (Form::Checkstyle, b"error") if self.attribute(tag, b"severity") == "error" => {
                let place = format!(":{}:{}", self.attribute(tag, b"line"), self.attribute(tag, b"column"));
                let message = format!("{place}: {}", self.attribute(tag, b"message"));
                self.add(tag, &message);
            }
            _ => {}
        }
    }

    /// Returns the name of the test or the file that is open.
    fn subject(&self) -> String {
        let Some(tag) = self.subject else { return String::new() };
        let name = self.attribute(&tag, b"name");
        match self.report.form {
            Form::JUnit => format!("{} {name}", self.attribute(&tag, b"classname")).trim().to_owned(),
            _ => name,
        }
    }

    fn add(&mut self, tag: &Tag, message: &str) {
        self.report.failures += 1;
        let line = self.line_of(tag);
        self.list(line, message);
    }

    fn list(&mut self, line: u64, message: &str) {
        if self.report.listed.len() < MAX_FAILURES {
            let separator = if message.is_empty() || message.starts_with(':') { "" } else { ": " };
            let text = format!("{}{separator}{message}", self.subject());
            self.report.listed.push((line, quoted(text.as_bytes(), 2 * QUOTED_BYTES)));
        }
    }

    fn line_of(&mut self, tag: &Tag) -> u64 {
        self.line += find::count(b'\n', &self.bytes[self.counted_to..tag.start]) as u64;
        self.counted_to = tag.start;
        self.line
    }

    /// Returns the first line of an attribute's value.
    fn attribute(&self, tag: &Tag, name: &[u8]) -> String {
        let value = tag.attributes(self.bytes).find(|(other, _)| *other == name);
        value.map_or(String::new(), |(_, value)| first_line(&decoded(value)))
    }

    /// Returns the first line of a failure's text, or the second if the first names the test as
    /// PHPUnit does: `CartTest::testTotal`.
    fn message(&self, tag: &Tag) -> String {
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

#[cfg(test)]
mod tests {
    use super::*;

    fn title(xml: &str) -> String {
        Report::of(xml.as_bytes()).map_or("none".to_owned(), |report| report.title())
    }

    #[test]
    fn the_ending_is_that_of_the_whole_report() {
        for (xml, expected) in [
            ("<testsuite><testcase name=\"a\"/></testsuite>", "JUnit XML: passed, 1 test"),
            ("<testsuite><testcase name=\"a\"/>", "JUnit XML: no result, 1 test and no end"),
            ("<testsuite><testsuite><testcase/></testsuite>", "JUnit XML: no result, 1 test and no end"),
            ("<testsuite tests=\"0\"></testsuite>", "JUnit XML: no result, 0 tests"),
            ("<testsuites failures=\"1\"><testcase/></testsuites>", "JUnit XML: failed, 1 test"),
            ("<testsuite><testcase><error/></testcase><testcase>", "JUnit XML: failed, 1 of 2 tests"),
            (
                "<assembly><test name=\"a\" result=\"Fail\"><failure/></test></assembly>",
                "xUnit XML: failed, 1 of 1 test",
            ),
            (
                "<checkstyle><file name=\"a\"><error severity=\"warning\"/></file></checkstyle>",
                "Checkstyle XML: passed, 1 file",
            ),
            (
                "<checkstyle><file name=\"a\"><error severity=\"error\"/></file></checkstyle>",
                "Checkstyle XML: failed, 1 error in 1 file",
            ),
            ("<rss/>", "none"),
            ("", "none"),
        ] {
            assert_eq!(title(xml), expected, "{xml}");
        }
    }

    #[test]
    fn failures_are_listed_with_their_messages() {
        let xml = "<testsuite>\n<testcase classname=\"A\" name=\"b\">\n<failure message=\"1 &lt; 2&#10;more\"/></testcase>\n<testcase name=\"c\"><error><![CDATA[\nE: <x>\nat y]]></error></testcase>\n<testcase name=\"d\"><failure>F &#x3C;&unknown; & </failure></testcase></testsuite>";
        let report = Report::of(xml.as_bytes()).unwrap();
        let expected = [(3, "A b: 1 < 2"), (4, "c: E: <x>"), (7, "d: F <&unknown; &")];
        assert_eq!(report.listed, expected.map(|(line, text)| (line, text.to_owned())));
        // PHPUnit repeats the name; CTest has no message.
        let xml = "<testsuite><testcase name=\"testTotal\"><failure type=\"x\">CartTest::testTotal\nFailed asserting that 77 is 78.\n\n</failure></testcase><testcase name=\"b\"><failure message=\"\"/></testcase></testsuite>";
        let report = Report::of(xml.as_bytes()).unwrap();
        let texts: Vec<&str> = report.listed.iter().map(|(_, text)| text.as_str()).collect();
        assert_eq!(texts, ["testTotal: Failed asserting that 77 is 78.", "b"]);
    }
}
