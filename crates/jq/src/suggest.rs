//! Suggestions for names that are not defined, and for keys that are missing.

use tuckaway_json::write::quote;
use tuckaway_text::{counted, cut, order};

/// Longest name in bytes that is compared with others.
const MAX_NAME_BYTES: usize = 32;

/// Returns a sentence about the defined filter that is nearest to a name: a filter of the same name
/// with other arguments, or a filter with a similar name.
pub(crate) fn nearest<'d>(name: &str, defined: impl Iterator<Item = (&'d str, usize)>) -> Option<String> {
    if name.len() > MAX_NAME_BYTES {
        return None;
    }
    let (mut arities, mut best) = (Vec::new(), None);
    for (other, arity) in defined.filter(|(other, _)| !other.starts_with(['!', '_'])) {
        if other == name {
            arities.push(arity);
        }
        if let Some(distance) = near_distance(name, other)
            && best.is_none_or(|(least, _)| distance < least)
        {
            best = Some((distance, other));
        }
    }
    order::sort(&mut arities);
    arities.dedup();
    match (&arities[..], best) {
        ([], None) => None,
        ([], Some((_, other))) => Some(format!("The nearest is `{other}`.")),
        ([arity], _) => Some(format!("`{name}` takes {}.", arguments(*arity))),
        ([few @ .., most], _) => {
            let few: Vec<String> = few.iter().map(usize::to_string).collect();
            Some(format!("`{name}` takes {} or {}.", few.join(", "), arguments(*most)))
        }
    }
}

/// Returns the edit distance of two names if it is at most a third of the first name's length, or
/// at most one for a short name.
pub(crate) fn near_distance(name: &str, other: &str) -> Option<usize> {
    let max = (name.len() / 3).max(1);
    let may_be_near = name.len() <= MAX_NAME_BYTES && name.len().abs_diff(other.len()) <= max;
    let distance = may_be_near.then(|| edit_distance(name, other));
    distance.filter(|distance| *distance <= max && *distance < name.len())
}

/// Keys that a list shows, bytes of each of them, and bytes of all of them.
const LISTED_KEYS: usize = 20;
const KEY_BYTES: usize = 40;
const KEYS_BYTES: usize = 320;

/// Keys that are compared with the missing one to find the nearest.
const COMPARED_KEYS: u64 = 1_000;

/// The keys of objects that lack a key.
#[derive(Debug, Default)]
pub(crate) struct KeyList {
    /// The first keys, as a filter would spell them.
    shown: Vec<String>,
    /// Whether there are more keys than these.
    has_more: bool,
    /// The key that is nearest to the missing one, and its distance.
    nearest: Option<(String, usize)>,
    compared: u64,
}

impl KeyList {
    /// Adds a key of an object that lacks the key `missing`.
    pub(crate) fn add(&mut self, key: &str, missing: &str) {
        let shown = display_key(key);
        if self.shown.contains(&shown) {
            return;
        }
        self.compare(key, missing);
        let bytes: usize = self.shown.iter().map(|key| key.len() + 2).sum();
        match self.shown.len() < LISTED_KEYS && bytes + shown.len() <= KEYS_BYTES {
            true => self.shown.push(shown),
            false => self.has_more = true,
        }
    }

    /// Records a key as the nearest if it is nearer than the others, without listing it.
    pub(crate) fn compare(&mut self, key: &str, missing: &str) {
        if self.compared < COMPARED_KEYS {
            self.compared += 1;
            let is_nearer =
                |distance: &usize| self.nearest.as_ref().is_none_or(|(_, least)| distance < least);
            if let Some(distance) = near_distance(missing, key).filter(is_nearer) {
                self.nearest = Some((display_key(key), distance));
            }
        }
    }

    /// Returns whether further keys are compared, and none is near so far.
    pub(crate) fn may_find_nearest(&self) -> bool {
        self.nearest.is_none() && self.compared < COMPARED_KEYS
    }

    /// Marks that objects were not inspected, which may have other keys.
    pub(crate) fn mark_partial(&mut self) {
        self.has_more = true;
    }

    /// Returns the key that is nearest to the missing one.
    pub(crate) fn nearest(&self) -> Option<&str> {
        self.nearest.as_ref().map(|(key, _)| key.as_str())
    }

    /// Returns the keys for a message, after `label`; `empty` if there are none.
    pub(crate) fn describe(&self, label: &str, empty: &str) -> String {
        let keys = match self.shown.join(", ") {
            keys if keys.is_empty() => empty.to_owned(),
            keys => format!("{label}: {keys}"),
        };
        let more = if self.has_more { ", …" } else { "" };
        let nearest = self.nearest().map(|key| format!("; the nearest is {key}"));
        format!("{keys}{more}{}", nearest.unwrap_or_default())
    }
}

/// Formats a key for a list: in quotes unless it is plain.
fn display_key(key: &str) -> String {
    let head = cut::head(key, KEY_BYTES);
    let cut = if head.len() < key.len() { "…" } else { "" };
    let is_plain = !head.is_empty() && head.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
    if is_plain { format!("{head}{cut}") } else { format!("{}{cut}", quote(head)) }
}

fn arguments(arity: usize) -> String {
    match arity {
        0 => "no arguments".to_owned(),
        _ => counted(arity as u64, "argument"),
    }
}

/// Returns the number of letters to insert, delete, replace or swap with their neighbour. Case does
/// not matter.
fn edit_distance(from: &str, to: &str) -> usize {
    let (from, to) = (from.to_ascii_lowercase().into_bytes(), to.to_ascii_lowercase().into_bytes());
    let mut before: Vec<usize> = Vec::new();
    let mut above: Vec<usize> = (0..=to.len()).collect();
    for i in 0..from.len() {
        let mut row = vec![i + 1];
        for j in 0..to.len() {
            let mut least = (above[j] + usize::from(from[i] != to[j])).min(above[j + 1] + 1).min(row[j] + 1);
            if i > 0 && j > 0 && from[i] == to[j - 1] && from[i - 1] == to[j] {
                least = least.min(before[j - 1] + 1);
            }
            row.push(least);
        }
        (before, above) = (above, row);
    }
    above[to.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_name_is_suggested() {
        let defined =
            [("map", 1), ("limit", 2), ("test", 1), ("test", 2), ("ascii_downcase", 0), ("_path", 0)];
        let nearest = |name| nearest(name, defined.into_iter()).unwrap_or_default();
        assert_eq!(nearest("mp"), "The nearest is `map`.");
        assert_eq!(nearest("limits"), "The nearest is `limit`.");
        assert_eq!(nearest("asciidowncase"), "The nearest is `ascii_downcase`.");
        assert_eq!(nearest("test"), "`test` takes 1 or 2 arguments.");
        assert_eq!(nearest("ascii_downcase"), "`ascii_downcase` takes no arguments.");
        assert_eq!(nearest("tets"), "The nearest is `test`.");
        assert_eq!(nearest("Ascii_DownCase"), "The nearest is `ascii_downcase`.");
        assert_eq!(nearest("_pat"), "");
        assert_eq!(nearest("frobnicate"), "");
        assert_eq!(nearest(&"limit".repeat(9)), "");
    }
}
