//! Truncates YAML between entries, and lists the keys that are omitted.

use std::collections::HashSet;

use tuckaway_search::find;

use crate::truncate::contents::{Contents, Ends};
use crate::truncate::text;

/// With fewer entries than this at the first level, those of the second are listed too.
const FEW: usize = 8;
/// Bytes of a text that are searched for entries.
const SEARCHED_BYTES: usize = 1 << 20;
/// Maximum different entries.
const MAX_DIFFERENT: usize = 8_192;
/// The deepest column of entries of the second level.
const SECOND_LEVEL: usize = 2;
/// Lines of an item that are searched for its name.
const TITLE_LINES: usize = 32;
/// Keys of names.
const TITLES: [&str; 4] = ["kind: ", "name: ", "id: ", "title: "];
/// The noun for entries if repeated ones are listed once.
const DIFFERENT: &str = "different entries";

/// Truncates a text that is longer than `max` bytes: keeps whole lines at both ends, and
/// lists the omitted entries between them, each with its line.
pub fn truncate(yaml: &str, max: usize) -> String {
    let whole = |yaml, space| {
        let (head, tail) = ends(yaml, space);
        Ends { head, closing: "", tail }
    };
    entries(yaml).cut(yaml, max, &whole).unwrap_or_else(|| text::cut_at(yaml, max, ends))
}

/// Lists the entries of the first level, or of both if the first has few.
fn entries(yaml: &str) -> Contents {
    let (mut first, mut both) = (Contents::of("keys"), Contents::of("keys"));
    let (mut start, mut line, mut count) = (0, 0, 0);
    // Similar documents repeat most of their keys. Each is listed once.
    let mut seen = HashSet::new();
    let searched = &yaml.as_bytes()[..yaml.len().min(SEARCHED_BYTES)];
    for feed in find::texts(b"\n", searched) {
        line += 1;
        let text = &yaml[start..feed];
        start = feed + 1;
        let column = column(text);
        if column > SECOND_LEVEL || !is_entry(&text[column..]) {
            continue;
        }
        let is_item = text[column..].starts_with('-');
        let is_listed = is_item || seen.insert(text);
        let title = if is_item { titled(text, column, &yaml[start..]) } else { text.into() };
        for contents in [&mut both, &mut first].into_iter().take(if column == 0 { 2 } else { 1 }) {
            if !is_listed {
                contents.noun = DIFFERENT;
            } else if is_item && contents.noun != DIFFERENT {
                contents.noun = "entries";
            }
            if is_listed {
                contents.push(line, usize::from(column > 0), &title);
            }
        }
        count += usize::from(is_listed && column == 0);
        if seen.len() == MAX_DIFFERENT || first.is_full(0) || both.is_full(1) && count >= FEW {
            break;
        }
    }
    let mut contents = if count < FEW { both } else { first };
    if searched.len() < yaml.len() || seen.len() == MAX_DIFFERENT {
        contents.set_part();
    }
    contents
}

fn column(line: &str) -> usize {
    line.len() - line.trim_start_matches(' ').len()
}

/// Returns the first line of an item of a list, or of a document, and its names on the
/// lines below.
fn titled(first: &str, item: usize, below: &str) -> String {
    let mut title = first.trim_end().to_owned();
    let entry = title.trim_start_matches(['-', ' ']);
    let mut has = TITLES.map(|key| entry.starts_with(key));
    // A name may be among the metadata, which is indented further.
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

/// Returns whole lines from both ends. The head ends before an entry and the tail begins
/// with one: among the nearby entries, one of the highest level.
fn ends(yaml: &str, space: usize) -> (&str, &str) {
    let (head, tail) = text::ends(yaml, space);
    let tail_start = yaml.len() - tail.len();
    let last = outermost_entry(yaml, head.len() / 4 * 3, head.len(), Choice::Last);
    let first = outermost_entry(yaml, tail_start, tail_start + tail.len() / 2, Choice::First);
    (last.map_or(head, |at| &yaml[..at]), first.map_or(tail, |at| &yaml[at..]))
}

/// One of several lines that are indented alike.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Choice {
    First,
    Last,
}

/// Returns the start of the least indented line between two offsets. Skips blank lines and comments.
fn outermost_entry(yaml: &str, from: usize, to: usize, choice: Choice) -> Option<usize> {
    let before = from.saturating_sub(1);
    let mut least: Option<(usize, usize)> = None;
    for feed in find::texts(b"\n", &yaml.as_bytes()[before..to]) {
        let at = before + feed + 1;
        let column = yaml[at..].bytes().take_while(|&byte| byte == b' ').count();
        let is_text = !matches!(yaml.as_bytes().get(at + column), None | Some(b'#' | b'\r' | b'\n'));
        if is_text
            && least.is_none_or(|(least, _)| column < least || choice == Choice::Last && column == least)
        {
            least = Some((column, at));
        }
    }
    least.map(|(_, at)| at)
}
