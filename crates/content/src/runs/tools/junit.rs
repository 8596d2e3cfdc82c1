//! JUnit: the counts of its console, and its reports as XML, which most runners of tests write.

use crate::line::counts::has_failures;
use crate::runs::Tool;
use crate::runs::line::Meaning::*;
use crate::runs::line::ToolLine;
use crate::runs::profile::Profile;
use crate::runs::rule::{Matched, row};
use crate::runs::xml::{Form, Report};
use crate::tags::Tag;

/// The profile of the tool.
pub const PROFILE: Profile = Profile {
    name: "JUnit",
    forms: &[row("[", Summary, 3).ending_with(b"]").refined(count)],
    xml: Some(&Form {
        name: "JUnit",
        roots: &[b"testsuites", b"testsuite"],
        subject: b"testcase",
        noun: "test",
        section: "failed_tests",
        finding: None,
        named: |report, test| {
            let class = report.attribute(test, b"classname");
            format!("{class} {}", report.attribute(test, b"name")).trim().to_owned()
        },
        read: read_element,
    }),
    ..Profile::NONE
};

/// `[         1 tests failed          ]`: it counts containers of tests first.
fn count(line: &Matched) -> Option<ToolLine> {
    let is_of_containers = line.has(b" containers failed  ");
    let is_count = is_of_containers || line.has(b" tests failed  ");
    let meaning = if is_of_containers && !has_failures(line.text) { Progress } else { Summary };
    (is_count && line.rest.ends_with(b" ]")).then_some(ToolLine::new(Tool::Any, meaning, 3))
}

fn read_element(report: &mut Report, tag: &Tag) {
    if matches!(report.name(tag), b"failure" | b"error") {
        let message = Some(report.attribute(tag, b"message")).filter(|message| !message.is_empty());
        let message = message.unwrap_or_else(|| report.message(tag));
        report.add_failure(tag, &message);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::runs::classify;
    use crate::runs::xml::title;

    #[test]
    fn counts_of_the_console_are_of_any_tool() {
        for (line, meaning) in [
            ("[         1 tests failed          ]", Summary),
            ("[         0 containers failed     ]", Progress),
            ("[         2 containers failed     ]", Summary),
        ] {
            assert_eq!(classify(line.as_bytes()), Some(ToolLine::new(Tool::Any, meaning, 3)), "{line}");
        }
    }

    #[test]
    fn the_ending_is_that_of_the_whole_report() {
        for (xml, expected) in [
            ("<testsuite><testcase name=\"a\"/></testsuite>", "passed, 1 test"),
            ("<testsuite><testcase name=\"a\"/>", "no result, 1 test and no end"),
            ("<testsuite><testsuite><testcase/></testsuite>", "no result, 1 test and no end"),
            ("<testsuite tests=\"0\"></testsuite>", "no result, 0 tests"),
            ("<testsuites failures=\"1\"><testcase/></testsuites>", "failed, 1 test"),
            ("<testsuite><testcase><error/></testcase><testcase>", "failed, 1 of 2 tests"),
        ] {
            assert_eq!(title(xml), format!("JUnit XML: {expected}"), "{xml}");
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
