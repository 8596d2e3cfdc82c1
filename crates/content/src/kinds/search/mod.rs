//! Results of a search: lines with their file, and mostly their line number.

mod programs;

use self::programs::FORMS;
use crate::error::ToJsonError;
use crate::forms::{self, Entries, Form, Noun};
use crate::kind::AsJson;
use crate::outline::Outline;
use crate::sample::Sample;

const NOUN: Noun = Noun {
    kind: "search results",
    entry: "match",
    entries: "matches",
    group: "file",
    groups: "files",
    by_directory: false,
};

fn form(head: &[u8]) -> Option<&'static Form> {
    forms::fitting(head, FORMS)
}

/// Returns whether a sample is results of a search.
pub fn detect(sample: &Sample) -> bool {
    form(sample.head.as_bytes()).is_some_and(|form| !has_messages(sample.head.as_bytes(), form))
}

/// Returns whether texts are messages, which have one space before them, or files of matches are
/// not named.
fn has_messages(head: &[u8], form: &'static Form) -> bool {
    let mut entries = Entries::of(head, form);
    let (mut messages, mut nameless, mut all) = (0, 0, 0);
    while entries.next() {
        let text = entries.cells.last().copied().unwrap_or_default();
        all += 1;
        messages += usize::from(matches!(text, [b' ', second, ..] if *second != b' '));
        nameless += usize::from(entries.cells[0].is_empty());
    }
    messages * 5 >= all * 4 || nameless > 0
}

/// Returns the files with the highest numbers of matches, and the form of the matches.
pub fn outline(bytes: &[u8]) -> Outline {
    form(bytes).map_or_else(Outline::default, |form| forms::outline(bytes, form, &NOUN))
}

/// Converts matches to JSON of at most `max` bytes: an object for each, with its file, line and
/// text.
pub fn to_json(bytes: &[u8], max: usize) -> Result<AsJson, ToJsonError> {
    // The content was detected by its head.
    forms::to_json(bytes, max, form(bytes).unwrap_or(&FORMS[1]), &NOUN)
}

#[cfg(test)]
mod tests;
