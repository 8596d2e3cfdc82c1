//! Reports of tools as JSON, with one event per line.

use tuckaway_json::summary::Summary;

use super::PROFILES;
use super::profile::JsonReport;
use crate::outline::Outline;

fn reports() -> impl Iterator<Item = &'static JsonReport> {
    PROFILES.iter().filter_map(|profile| profile.json.as_ref())
}

/// Outlines the report in a text that contains these documents; empty if they are not a report.
pub fn report(bytes: &[u8], summary: &Summary) -> Outline {
    reports().find(|report| (report.is)(summary)).map_or(Outline::default(), |report| (report.outline)(bytes))
}

/// Returns the documents of a report, one on each line, that give the reasons of failed tests, and
/// then those that report the failures; none if a text is not a report.
pub fn failing_documents(text: &str) -> Vec<usize> {
    reports().map(|report| (report.failing)(text)).find(|documents| !documents.is_empty()).unwrap_or_default()
}

/// Returns the marks of documents that report a failure, in lower case.
pub fn marks_of_failures() -> impl Iterator<Item = &'static [u8]> {
    reports().flat_map(|report| report.marks).copied()
}

/// Returns whether a member, with its key and value in JSON notation, reports a failed test or the
/// reason.
pub fn is_failure(key: &[u8], value: &[u8]) -> bool {
    reports().any(|report| (report.is_failure)(key, value))
}
