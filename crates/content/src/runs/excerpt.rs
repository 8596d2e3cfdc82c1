//! Excerpts of a tool's line for quotes.

use super::PROFILES;
use super::line::{Meaning, ToolLine};
use super::rules::LEADS;

/// Returns a line without surrounding white space, and without the prefix that a tool
/// prints before the lines of another one: a time, or the step of a build.
pub fn without_lead(line: &[u8]) -> &[u8] {
    indented(line).trim_ascii_start()
}

/// Returns a line [`without_lead`], but with its indentation.
pub fn indented(line: &[u8]) -> &[u8] {
    let line = line.trim_ascii_end();
    let text = line.trim_ascii_start();
    // Most lines begin in another way.
    if !matches!(text.first(), Some(b'0'..=b'9' | b'#')) {
        return line;
    }
    LEADS.iter().find_map(|(_, lead)| lead(text)).unwrap_or(line)
}

/// Returns whether a line is above the message of the failed test that it names.
pub fn is_above_message(line: ToolLine, text: &[u8]) -> bool {
    let start = line.tool.profile().above_message.filter(|_| line.meaning == Meaning::FailedTest);
    start.is_some_and(|start| without_lead(text).starts_with(start.as_bytes()))
}

/// Returns the name of the test that a line reports as failed.
pub fn test_name(line: &[u8]) -> &[u8] {
    let text = without_lead(line);
    let named = PROFILES.iter().flat_map(|profile| profile.test_names);
    let name = |(prefix, suffix): &(&str, &str)| {
        let name = text.strip_prefix(prefix.as_bytes())?;
        Some(name.strip_suffix(suffix.as_bytes()).unwrap_or(name))
    };
    named.filter_map(name).next().unwrap_or(text)
}

/// Returns the location that a line below an error names.
pub fn location(line: &[u8]) -> Option<&[u8]> {
    let text = line.trim_ascii_start();
    let marks = PROFILES.iter().filter_map(|profile| profile.location);
    marks.filter_map(|mark| text.strip_prefix(mark.as_bytes())).next()
}
