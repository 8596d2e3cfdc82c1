//! Checkstyle: its console, and its reports as XML, which other linters write too.

use crate::runs::line::Meaning::*;
use crate::runs::profile::Profile;
use crate::runs::rule::row;
use crate::runs::xml::{Form, Report};
use crate::tags::Tag;

/// The profile of the tool.
pub const PROFILE: Profile = Profile {
    name: "Checkstyle",
    prefixes: &[
        row("Audit done.", Progress, 3),
        row("Checkstyle ends with ", Failed, 3),
        row("Starting audit...", Progress, 3),
    ],
    xml: Some(&Form {
        name: "Checkstyle",
        roots: &[b"checkstyle"],
        subject: b"file",
        noun: "file",
        section: "errors",
        finding: Some("error"),
        named: |report, file| report.attribute(file, b"name"),
        read: read_element,
    }),
    #[cfg(test)]
    samples: &[("Starting audit...", Progress), ("Checkstyle ends with 2 errors.", Failed)],
    ..Profile::NONE
};

fn read_element(report: &mut Report, tag: &Tag) {
    if report.name(tag) == b"error" && report.attribute(tag, b"severity") == "error" {
        let place = format!(":{}:{}", report.attribute(tag, b"line"), report.attribute(tag, b"column"));
        let message = format!("{place}: {}", report.attribute(tag, b"message"));
        report.add_failure(tag, &message);
    }
}

#[cfg(test)]
mod tests {
    use crate::runs::xml::title;

    #[test]
    fn errors_decide() {
        for (severity, expected) in [("warning", "passed, 1 file"), ("error", "failed, 1 error in 1 file")] {
            let xml =
                format!("<checkstyle><file name=\"a\"><error severity=\"{severity}\"/></file></checkstyle>");
            assert_eq!(title(&xml), format!("Checkstyle XML: {expected}"));
        }
    }
}
