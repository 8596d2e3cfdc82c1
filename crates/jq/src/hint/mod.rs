//! What is said of a filter that gives nothing, or nothing but nulls: where the
//! paths that it names leave the document, and which keys are there.
//!
//! ```text
//! filter ─► paths: .rows[], .rows[].nam, … ─► probe: each against the document's head ─► words
//! ```
//!
//! The document is looked at once more, its first bytes only, so that an answer
//! that says something costs nothing.

mod paths;
mod probe;

use super::compile::Term;
use super::failure::jq_path;
use crate::source::Source;
use probe::{Missed, Probe};
use tuckaway_text::cut;

/// Bytes of the artifact that are looked at for all paths of a filter.
const PROBED_BYTES: u64 = 4 << 20;

/// Bytes of a path that are shown.
const PATH_BYTES: usize = 120;

/// A step of a path.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Step {
    Key(String),
    At(u64),
    Each,
}

/// Whether outputs are nothing but nulls, in arrays or not.
pub(super) fn says_nothing(outputs: &str) -> bool {
    outputs.split([' ', '\n', ',', '[', ']']).all(|word| matches!(word, "" | "null"))
}

/// Where the first path of a filter that leads nowhere leaves the document.
/// Nothing if all lead somewhere; nor, if the filter `failed`, of the document's
/// own keys, which that error says.
pub(super) fn of(source: &Source, term: &Term, failed: bool) -> Option<String> {
    let mut left = PROBED_BYTES;
    paths::of(term).iter().find_map(|path| {
        let mut probe = Probe::new(path);
        left = left.saturating_sub(probe.run(source, left));
        let missed = probe.missed().filter(|missed| !failed || missed.step > 0)?;
        Some(words(path, &missed))
    })
}

fn words(path: &[Step], missed: &Missed) -> String {
    let (before, full) = (shown(&path[..missed.step]), shown(&path[..=missed.step]));
    let (place, here) = match missed.step {
        0 => ("the document".to_owned(), "here".to_owned()),
        _ => (before.clone(), format!("of {before}")),
    };
    let first = if missed.is_head { "first " } else { "" };
    let count = missed.values;
    match (&path[missed.step], missed.other) {
        (Step::Key(key), Some("array")) => {
            let elements = [&path[..missed.step], &[Step::Each, Step::Key(key.clone())]].concat();
            format!("{place} is an array: {} asks its elements", shown(&elements))
        }
        (Step::Key(_), Some(kind)) => format!("{place} is {}, which has no keys", article(kind)),
        (_, Some(kind)) => format!("{place} is {}, which has no elements", article(kind)),
        (Step::Key(_), None) => {
            let lacking = match (count, missed.is_head) {
                (1, false) => "no such key".to_owned(),
                (1, true) => "no such key as far as was looked".to_owned(),
                _ => format!("none of the {first}{count} objects there has this key"),
            };
            let keys = match (missed.keys.join(", "), count) {
                (keys, 1) if keys.is_empty() => "that object is empty".to_owned(),
                (keys, _) if keys.is_empty() => "they are empty".to_owned(),
                (keys, 1) => format!("keys {here}: {keys}"),
                (keys, _) => format!("their keys: {keys}"),
            };
            let more = if missed.more_keys { ", …" } else { "" };
            let nearest = missed.nearest.as_ref().map(|key| format!("; the nearest is {key}"));
            format!("{full}: {lacking}; {keys}{more}{}", nearest.unwrap_or_default())
        }
        (Step::At(_), None) => match missed.longest {
            0 => format!("{place} is empty"),
            longest => format!("{full}: no such element; {place} has {longest}"),
        },
        (Step::Each, None) if count == 1 => format!("{place} is empty"),
        (Step::Each, None) => format!("all of the {first}{count} at {place} are empty"),
    }
}

fn article(kind: &str) -> String {
    let an = if kind.starts_with(['a', 'o']) { "an" } else { "a" };
    format!("{an} {kind}")
}

/// The filter that a path is, cut where it is long.
fn shown(path: &[Step]) -> String {
    let mut text = String::new();
    for step in path {
        match step {
            Step::Key(key) => text += &jq_path(key),
            Step::At(index) => text += &format!("[{index}]"),
            Step::Each => text += "[]",
        }
    }
    if !text.starts_with('.') {
        text.insert(0, '.');
    }
    cut::excerpt(text, PATH_BYTES)
}

#[cfg(test)]
mod tests;
