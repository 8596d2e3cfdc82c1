//! Hints for filters whose outputs are empty or only nulls: where their paths leave the document,
//! and which keys are there.
//!
//! ```text
//! filter ─► paths: .rows[], .rows[].nam, … ─► probe: each in the first bytes of the source ─► message
//! ```
//!
//! A hint reads the start of the source again; filters with other outputs pay nothing for it.

mod paths;
mod probe;

use crate::failure::jq_path;
use crate::source::Source;
use crate::term::Term;
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

/// Returns where the first path of a filter that leads nowhere leaves the document. Returns `None`
/// if all paths lead somewhere, and if the filter `failed` at a key of the document itself: then
/// the error lists the keys.
pub(crate) fn hint(source: &Source, term: &Term, failed: bool) -> Option<String> {
    let mut left = PROBED_BYTES;
    paths::paths(term).iter().find_map(|path| {
        let mut probe = Probe::new(path);
        left = left.saturating_sub(probe.run(source, left));
        let dead_end = probe.dead_end().filter(|dead_end| !failed || dead_end.segment > 0)?;
        Some(message(path, &dead_end))
    })
}

fn message(path: &[Segment], dead_end: &DeadEnd) -> String {
    let (before, full) = (display_path(&path[..dead_end.segment]), display_path(&path[..=dead_end.segment]));
    let place = if dead_end.segment == 0 { "the document" } else { &before };
    let first = if dead_end.is_partial { "first " } else { "" };
    let count = dead_end.containers;
    match (&path[dead_end.segment], dead_end.other_type) {
        (Segment::Key(key), Some("array")) => {
            let elements = [&path[..dead_end.segment], &[Segment::Each, Segment::Key(key.clone())]].concat();
            format!("{place} is an array: {} asks its elements", display_path(&elements))
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
    let keys = match (dead_end.keys.join(", "), count) {
        (keys, 1) if keys.is_empty() => "that object is empty".to_owned(),
        (keys, _) if keys.is_empty() => "they are empty".to_owned(),
        (keys, 1) => format!("keys {here}: {keys}"),
        (keys, _) => format!("their keys: {keys}"),
    };
    let more = if dead_end.has_more_keys { ", …" } else { "" };
    let nearest = dead_end.nearest.as_ref().map(|key| format!("; the nearest is {key}"));
    format!("{full}: {missing}; {keys}{more}{}", nearest.unwrap_or_default())
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
