//! Cutting YAML: between entries, with the keys of what was left out listed.

use memchr::memchr_iter;

use crate::keys::{self, Keys};
use crate::kind::outline::{Ends, Outline};
use crate::truncate::text;

/// With fewer entries than this at the first level, those of the second are listed
/// too.
const FEW: usize = 8;
/// Different entries that are looked at.
const MAX_SEEN: usize = 8_192;
/// How far entries of the second level are set in at most.
const SECOND_LEVEL: usize = 2;

/// A text that is longer than `max` bytes: whole lines from both ends, and between
/// them the entries that were left out, each with its line.
pub fn cut(yaml: &str, max: usize) -> String {
    let outlined = outline(yaml).cut(yaml, max, |yaml, room| {
        let (head, tail) = ends(yaml, room);
        Ends { head, closing: "", tail }
    });
    outlined.unwrap_or_else(|| text::cut_at(yaml, max, ends))
}

fn outline(yaml: &str) -> Outline {
    let (mut first, mut both) = (Outline::of("keys"), Outline::of("keys"));
    let (mut start, mut line, mut count) = (0, 0, 0);
    // Documents of one make repeat most of their lines: each is listed once.
    let mut seen = Keys::new();
    for feed in memchr_iter(b'\n', yaml.as_bytes()) {
        line += 1;
        let text = &yaml[start..feed];
        start = feed + 1;
        let column = text.len() - text.trim_start_matches(' ').len();
        if column > SECOND_LEVEL || !is_entry(&text[column..]) || !keys::is_new(&mut seen, text.as_bytes()) {
            continue;
        }
        if column == 0 {
            count += 1;
            first.push(line, text);
        }
        both.push(line, text);
        if seen.len() == MAX_SEEN || first.is_full() || both.is_full() && count >= FEW {
            break;
        }
    }
    if count < FEW { both } else { first }
}

fn is_entry(text: &str) -> bool {
    let text = text.trim_end();
    !text.starts_with('#') && (text.starts_with("- ") || text.ends_with(':') || text.contains(": "))
}

/// Whole lines; the head ends before an entry and the tail begins with one, of those
/// that are near one of the highest level.
fn ends(yaml: &str, room: usize) -> (&str, &str) {
    let (head, tail) = text::ends(yaml, room);
    let tail_start = yaml.len() - tail.len();
    let level = |&(column, _): &(usize, usize)| column;
    let last = entries(yaml, head.len() / 4 * 3, head.len()).rev().min_by_key(level);
    let first = entries(yaml, tail_start, tail_start + tail.len() / 2).min_by_key(level);
    (last.map_or(head, |(_, at)| &yaml[..at]), first.map_or(tail, |(_, at)| &yaml[at..]))
}

/// The lines that begin between two places: how far each is set in, and where it
/// begins. Blank lines and comments are none.
fn entries(yaml: &str, from: usize, to: usize) -> impl DoubleEndedIterator<Item = (usize, usize)> {
    let before = from.saturating_sub(1);
    memchr_iter(b'\n', &yaml.as_bytes()[before..to]).filter_map(move |feed| {
        let at = before + feed + 1;
        let column = yaml[at..].bytes().take_while(|&byte| byte == b' ').count();
        let is_text = !matches!(yaml.as_bytes().get(at + column), None | Some(b'#' | b'\r' | b'\n'));
        is_text.then_some((column, at))
    })
}
