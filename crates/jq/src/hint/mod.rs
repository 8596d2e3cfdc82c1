//! Hints for filters that request missing values: where their paths leave the document, and which
//! keys exist there.
//!
//! ```text
//! filter ─► keys: row, nam, … ─► watched during the run ─► those that no object had ─┐
//! filter ─► paths: .rows[], .rows[].nam, … ─► probe: each in the first bytes of the source ─► message
//! ```
//!
//! A filter whose outputs are empty or only nulls has a hint for any path that leads nowhere, other
//! filters for keys that were missing in every queried object. A hint reads the start of the source
//! again; filters without a hint pay little for it.

mod keys;
mod paths;
mod probe;

pub(crate) use keys::keys;

use crate::failure::jq_path;
use crate::source::Source;
use crate::suggest::KeyList;
use crate::term::Term;
use crate::watch::Missing;
use paths::Segment;
use probe::{DeadEnd, Probe};
use tuckaway_text::cut;

/// Bytes of the source that are inspected for all paths of a filter.
const PROBED_BYTES: u64 = 4 << 20;

/// Bytes of a path that a hint shows.
const PATH_BYTES: usize = 120;

/// Returns whether outputs are nothing but nulls, in arrays or not.
pub(crate) fn is_only_nulls(outputs: &str) -> bool {
    outputs.split([' ', '\n', ',', '[', ']']).all(|word| matches!(word, "" | "null"))
}

/// Missing keys that a hint names besides the first, and bytes of each of them.
const OTHER_KEYS: usize = 3;
const OTHER_KEY_BYTES: usize = 48;

/// The role of a source's documents for a filter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Documents {
    /// Its inputs, one after the other.
    Input,
    /// The elements of its input.
    Slurped,
    /// The results of `input` and `inputs`.
    NotInput,
}

/// How a run that may deserve a hint ended.
pub(crate) struct Run {
    /// The outputs are empty or only nulls.
    pub(crate) is_empty: bool,
    /// The filter failed.
    pub(crate) failed: bool,
    /// The page ended before the filter did.
    pub(crate) is_partial: bool,
    /// The requested keys that no object had.
    pub(crate) missing: Vec<Missing>,
    pub(crate) documents: Documents,
}

impl Run {
    /// Returns whether there may be a hint.
    pub(crate) fn needs_hint(&self) -> bool {
        self.is_empty || !self.missing.is_empty()
    }
}

/// Returns where the first path of a filter that leads nowhere leaves the document; after a run
/// with outputs, only if it leaves it at a key that no object had. Returns `None` if there is no
/// such path.
pub(crate) fn hint(source: &Source, term: &Term, run: &Run) -> Option<String> {
    let mut left = PROBED_BYTES;
    let found = paths::paths(term).iter().find_map(|path| {
        let mut probe = match (run.documents, path.first()) {
            (Documents::Input, _) => Probe::new(path, 0),
            (Documents::Slurped, Some(Segment::Each)) => Probe::new(path, 1),
            _ => return None,
        };
        left = left.saturating_sub(probe.run(source, left));
        let dead_end = probe.dead_end()?;
        // The error of a filter that failed shows the document.
        let is_shown = run.failed && run.is_empty && dead_end.segment == 0;
        let missing = match (&path[dead_end.segment], dead_end.other_type) {
            (Segment::Key(key), None) => run.missing.iter().find(|missing| missing.key.name == *key),
            _ => None,
        };
        let is_reported = missing.is_some_and(|missing| is_reported(missing, Some(&dead_end.keys)));
        match is_shown {
            true => is_reported.then(|| (short_message(path, &dead_end), missing)),
            false => (run.is_empty || is_reported).then(|| (message(path, &dead_end), missing)),
        }
    });
    // Later objects may have the key, or the error may say enough, unless it is misspelt.
    let is_enough = !(run.is_partial || run.failed && run.is_empty);
    let has_nearest = |missing: &Missing| missing.keys.as_ref().is_some_and(|k| k.nearest().is_some());
    let mut reported = run
        .missing
        .iter()
        .filter(|missing| is_reported(missing, missing.keys.as_ref()))
        .filter(|missing| is_enough || has_nearest(missing));
    let (message, first) = match found {
        Some((message, first)) => (message, first),
        None => {
            let missing = reported.next()?;
            (missing_from_values(missing), Some(missing))
        }
    };
    let others = reported.filter(|other| first.is_some_and(|first| first.key.name != other.key.name));
    let others: Vec<String> = others.take(OTHER_KEYS).map(named).collect();
    Some(match &others[..] {
        [] => message,
        others => format!("{message}; also missing: {}", others.join(", ")),
    })
}

/// Returns whether a missing key is reported, given the keys of objects that lack it: if the filter
/// has an alternative, only if the key may be misspelt.
fn is_reported(missing: &Missing, keys: Option<&KeyList>) -> bool {
    !missing.key.has_alternative || keys.is_some_and(|keys| keys.nearest().is_some())
}

/// Describes a key that none of the queried objects had.
fn missing_from_values(missing: &Missing) -> String {
    let key = display_path(&[Segment::Key(missing.key.name.clone())]);
    let keys = missing.keys.as_ref().map(|keys| keys.describe("; keys of the first", "; the first is empty"));
    format!("{key}: none of the queried objects has this key{}", keys.unwrap_or_default())
}

/// Names a missing key and the key nearest to it.
fn named(missing: &Missing) -> String {
    let key = cut::excerpt(display_path(&[Segment::Key(missing.key.name.clone())]), OTHER_KEY_BYTES);
    let nearest = missing.keys.as_ref().and_then(KeyList::nearest);
    nearest.map_or(key.clone(), |nearest| format!("{key} (nearest {nearest})"))
}

/// Describes a missing key of a document whose keys are known.
fn short_message(path: &[Segment], dead_end: &DeadEnd) -> String {
    let nearest = dead_end.keys.nearest().map(|key| format!("; the nearest is {key}"));
    format!("{}: no such key{}", display_path(&path[..=dead_end.segment]), nearest.unwrap_or_default())
}

fn message(path: &[Segment], dead_end: &DeadEnd) -> String {
    let (before, full) = (display_path(&path[..dead_end.segment]), display_path(&path[..=dead_end.segment]));
    let place = if dead_end.segment == 0 { "the document" } else { &before };
    let first = if dead_end.is_partial { "first " } else { "" };
    let count = dead_end.containers;
    match (&path[dead_end.segment], dead_end.other_type) {
        (Segment::Key(key), Some("array")) => {
            let elements = [&path[..dead_end.segment], &[Segment::Each, Segment::Key(key.clone())]].concat();
            format!("{place} is an array: {} queries its elements", display_path(&elements))
        }
        (Segment::Key(_), Some(kind)) => format!("{place} is {}, which has no keys", with_article(kind)),
        (_, Some(kind)) => format!("{place} is {}, which has no elements", with_article(kind)),
        (Segment::Key(_), None) => missing_key(&before, &full, dead_end),
        (Segment::Index(_), None) => match dead_end.longest {
            0 => format!("{place} is empty"),
            longest => format!("{full}: no such element; {place} has {longest}"),
        },
        (Segment::Each, None) if count == 1 => format!("{place} is empty"),
        (Segment::Each, None) => format!("all of the {first}{count} at {place} are empty"),
    }
}

/// Describes a key that no object has at the path `before`.
fn missing_key(before: &str, full: &str, dead_end: &DeadEnd) -> String {
    let here = if dead_end.segment == 0 { "here".to_owned() } else { format!("of {before}") };
    let first = if dead_end.is_partial { "first " } else { "" };
    let count = dead_end.containers;
    let missing = match (count, dead_end.is_partial) {
        (1, false) => "no such key".to_owned(),
        (1, true) => "no such key in the inspected part".to_owned(),
        _ => format!("none of the {first}{count} objects there has this key"),
    };
    let keys = match count {
        1 => dead_end.keys.describe(&format!("keys {here}"), "that object is empty"),
        _ => dead_end.keys.describe("their keys", "they are empty"),
    };
    format!("{full}: {missing}; {keys}")
}

fn with_article(type_name: &str) -> String {
    let an = if type_name.starts_with(['a', 'o']) { "an" } else { "a" };
    format!("{an} {type_name}")
}

/// Formats a path as a filter, truncated if it is long.
fn display_path(path: &[Segment]) -> String {
    let mut text = String::new();
    for segment in path {
        match segment {
            Segment::Key(key) => text += &jq_path(key),
            Segment::Index(index) => text += &format!("[{index}]"),
            Segment::Each => text += "[]",
        }
    }
    if !text.starts_with('.') {
        text.insert(0, '.');
    }
    cut::excerpt(text, PATH_BYTES)
}

#[cfg(test)]
mod tests;
