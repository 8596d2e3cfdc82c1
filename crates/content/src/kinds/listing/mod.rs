//! Listings of files: paths, with their sizes, times, owners or checksums.

mod programs;

use tuckaway_search::find;

use self::programs::FORMS;
use crate::error::ToJsonError;
use crate::forms::{self, Entries, Form, Noun, Part};
use crate::kind::AsJson;
use crate::outline::Outline;
use crate::sample::Sample;

const NOUN: Noun = Noun {
    kind: "listing",
    entry: "entry",
    entries: "entries",
    group: "directory",
    groups: "directories",
    by_directory: true,
};

fn form(bytes: &[u8]) -> Option<&'static Form> {
    forms::fitting(bytes, FORMS)
}

/// Returns whether a sample is a listing of files.
pub fn detect(sample: &Sample) -> bool {
    form(sample.head.as_bytes()).is_some_and(|form| match form.parts {
        [(Part::Hash, ..), ..] => true,
        // `uniq -c` counts other lines in the same form.
        [(_, "lines", _), _] => sample.tail.trim_end().ends_with(" total") && are_paths(sample, form),
        [_] | [_, _] => are_paths(sample, form),
        _ => true,
    })
}

/// Returns whether the last parts of lines are paths: most have a directory, and hardly any have
/// spaces or brackets.
fn are_paths(sample: &Sample, form: &'static Form) -> bool {
    let mut entries = Entries::of(sample.head.as_bytes(), form);
    let (mut nested, mut others, mut all) = (0, 0, 0);
    while entries.next() {
        let path = entries.cells.last().copied().unwrap_or_default();
        all += 1;
        nested += usize::from(path.contains(&b'/') && find::text(b"://", path).is_none());
        // Markup and code have slashes, too.
        let is_other = path.iter().any(|byte| b" <>\"{}();=|,".contains(byte)) || path.starts_with(b"//");
        others += usize::from(is_other);
    }
    nested * 5 >= all * 3 && others * 20 <= all
}

/// Lists the directories with the most entries, and the largest entries.
pub fn outline(bytes: &[u8]) -> Outline {
    form(bytes).map_or_else(Outline::default, |form| forms::outline(bytes, form, &NOUN))
}

/// Converts entries to JSON of at most `max` bytes: an object for each.
pub fn to_json(bytes: &[u8], max: usize) -> Result<AsJson, ToJsonError> {
    // The content was detected by its head.
    forms::to_json(bytes, max, form(bytes).unwrap_or(&FORMS[0]), &NOUN)
}

#[cfg(test)]
mod tests;
