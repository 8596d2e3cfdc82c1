//! Cutting YAML: between entries, with the keys of what was left out listed.

use std::collections::BTreeSet;

use tuckaway_search::find;

use crate::truncate::contents::{Contents, Ends};
use crate::truncate::text;

/// With fewer entries than this at the first level, those of the second are listed
/// too.
const FEW: usize = 8;
/// So much of a text is looked at for entries.
const LOOKED_AT_BYTES: usize = 1 << 20;
/// Different entries that are looked at.
const MAX_SEEN: usize = 8_192;
/// How far entries of the second level are set in at most.
const SECOND_LEVEL: usize = 2;
/// Lines of an item that are looked at for what it is called.
const TITLE_LINES: usize = 32;
/// Keys of what an item is called.
const TITLES: [&str; 4] = ["kind: ", "name: ", "id: ", "title: "];
/// What entries are called of which some are listed once for many.
const DIFFERENT: &str = "different entries";

/// A text that is longer than `max` bytes: whole lines from both ends, and between
/// them the entries that were left out, each with its line.
pub fn truncate(yaml: &str, max: usize) -> String {
    let whole = |yaml, room| {
        let (head, tail) = ends(yaml, room);
        Ends { head, closing: "", tail }
    };
    outline(yaml).cut(yaml, max, &whole).unwrap_or_else(|| text::cut_at(yaml, max, ends))
}

fn outline(yaml: &str) -> Contents {
    let (mut first, mut both) = (Contents::of("keys"), Contents::of("keys"));
    let (mut start, mut line, mut count) = (0, 0, 0);
    // Documents of one make repeat most of their keys: each is listed once.
    let mut seen = BTreeSet::new();
    let looked_at = &yaml.as_bytes()[..yaml.len().min(LOOKED_AT_BYTES)];
    for feed in find::texts(b"\n", looked_at) {
        line += 1;
        let text = &yaml[start..feed];
        start = feed + 1;
        let column = column(text);
        if column > SECOND_LEVEL || !is_entry(&text[column..]) {
            continue;
        }
        let is_item = text[column..].starts_with('-');
        let is_listed = is_item || seen.insert(text.as_bytes().to_vec());
        let title = if is_item { titled(text, column, &yaml[start..]) } else { text.into() };
        for outline in [&mut both, &mut first].into_iter().take(if column == 0 { 2 } else { 1 }) {
            if !is_listed {
                outline.noun = DIFFERENT;
            } else if is_item && outline.noun != DIFFERENT {
                outline.noun = "entries";
            }
            if is_listed {
                outline.push(line, usize::from(column > 0), &title);
            }
        }
        count += usize::from(is_listed && column == 0);
        if seen.len() == MAX_SEEN || first.is_full(0) || both.is_full(1) && count >= FEW {
            break;
        }
    }
    let mut outline = if count < FEW { both } else { first };
    if looked_at.len() < yaml.len() || seen.len() == MAX_SEEN {
        outline.set_part();
    }
    outline
}

fn column(line: &str) -> usize {
    line.len() - line.trim_start_matches(' ').len()
}

/// The first line of an item of a list, or of a document, and what is said below of
/// what it is called.
fn titled(first: &str, item: usize, below: &str) -> String {
    let mut title = first.trim_end().to_owned();
    let entry = title.trim_start_matches(['-', ' ']);
    let mut has = TITLES.map(|key| entry.starts_with(key));
    // A name may stand among the metadata.
    let (least, most) = if title == "---" { (0, 2) } else { (item + 1, item + 4) };
    for line in below.lines().take(TITLE_LINES) {
        let column = column(line);
        let text = line[column..].trim_end();
        if column < least && !text.is_empty() || text == "---" {
            break;
        }
        let key = TITLES.iter().position(|key| text.starts_with(key)).filter(|_| column <= most);
        if key.is_some_and(|key| !std::mem::replace(&mut has[key], true)) {
            title.push_str(if title == "---" { " " } else { ", " });
            title.push_str(text);
        }
    }
    title
}

fn is_entry(text: &str) -> bool {
    let text = text.trim_end();
    text == "---"
        || !text.starts_with('#') && (text.starts_with("- ") || text.ends_with(':') || text.contains(": "))
}

/// Whole lines; the head ends before an entry and the tail begins with one, of those
/// that are near one of the highest level.
fn ends(yaml: &str, room: usize) -> (&str, &str) {
    let (head, tail) = text::ends(yaml, room);
    let tail_start = yaml.len() - tail.len();
    let last = entry(yaml, head.len() / 4 * 3, head.len(), true);
    let first = entry(yaml, tail_start, tail_start + tail.len() / 2, false);
    (last.map_or(head, |at| &yaml[..at]), first.map_or(tail, |at| &yaml[at..]))
}

/// Where a line begins between two places that is set in the least: the first of
/// those, or the last. Blank lines and comments are none.
fn entry(yaml: &str, from: usize, to: usize, last: bool) -> Option<usize> {
    let before = from.saturating_sub(1);
    let mut least: Option<(usize, usize)> = None;
    for feed in find::texts(b"\n", &yaml.as_bytes()[before..to]) {
        let at = before + feed + 1;
        let column = yaml[at..].bytes().take_while(|&byte| byte == b' ').count();
        let is_text = !matches!(yaml.as_bytes().get(at + column), None | Some(b'#' | b'\r' | b'\n'));
        if is_text && least.is_none_or(|(least, _)| column < least || last && column == least) {
            least = Some((column, at));
        }
    }
    least.map(|(_, at)| at)
}
