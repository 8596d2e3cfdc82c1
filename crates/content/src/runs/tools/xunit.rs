//! The XML reports of xUnit.net.

use crate::runs::profile::Profile;
use crate::runs::xml::{Form, Report};
use crate::tags::Tag;

/// The profile of the tool.
pub const PROFILE: Profile = Profile {
    name: "xUnit",
    xml: Some(&Form {
        name: "xUnit",
        roots: &[b"assemblies", b"assembly"],
        subject: b"test",
        noun: "test",
        section: "failed_tests",
        finding: None,
        named: |report, test| report.attribute(test, b"name"),
        read: read_element,
    }),
    ..Profile::NONE
};

/// The message of a failure is an element inside it.
fn read_element(report: &mut Report, tag: &Tag) {
    match report.name(tag) {
        b"failure" => report.await_message(tag),
        b"message" => report.add_awaited(tag),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::runs::xml::title;

    #[test]
    fn the_message_is_an_element() {
        let xml = "<assembly><test name=\"a\" result=\"Fail\"><failure/></test></assembly>";
        assert_eq!(title(xml), "xUnit XML: failed, 1 of 1 test");
        let xml =
            "<assembly><test name=\"a\"><failure>\n<message>no\nmore</message></failure></test></assembly>";
        let report = Report::of(xml.as_bytes()).unwrap();
        assert_eq!(report.listed, [(1, "a: no".to_owned())]);
    }
}
