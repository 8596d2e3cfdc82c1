//! What reports of tools say that are JSON, an event in a line.

use tuckaway_json::summary::Summary;

use super::PROFILES;
use super::profile::JsonReport;
use crate::outline::Outline;

fn reports() -> impl Iterator<Item = &'static JsonReport> {
    PROFILES.iter().filter_map(|profile| profile.json.as_ref())
}

/// Returns what a run reports in a text that contains these documents; nothing if they are
/// others.
pub fn report(bytes: &[u8], summary: &Summary) -> Outline {
    reports().find(|report| (report.is)(summary)).map_or(Outline::default(), |report| (report.outline)(bytes))
}

/// Returns the documents of a report, one on each line, that say why tests failed, and then
/// those that say that they did; none if a text is not a report.
pub fn failing_documents(text: &str) -> Vec<usize> {
    reports().map(|report| (report.failing)(text)).find(|documents| !documents.is_empty()).unwrap_or_default()
}

/// Returns what documents of reports contain that report a failure, in lower case.
pub fn marks_of_failures() -> impl Iterator<Item = &'static [u8]> {
    reports().flat_map(|report| report.marks).copied()
}

/// Returns whether a member, its key and value as JSON writes them, is one by which a report says that a
/// test failed or why.
pub fn is_failure(key: &[u8], value: &[u8]) -> bool {
    reports().any(|report| (report.is_failure)(key, value))
}
