//! Cutting YAML: between entries, with the keys of what was left out listed.

use memchr::memchr_iter;

use crate::keys::{self, Keys};
use crate::kind::outline::{Ends, Outline};
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

/// A text that is longer than `max` bytes: whole lines from both ends, and between
/// them the entries that were left out, each with its line.
pub fn cut(yaml: &str, max: usize) -> String {
    outline(yaml).cut(yaml, max, ends).unwrap_or_else(|| text::cut(yaml, max))
}

fn outline(yaml: &str) -> Outline {
    let (mut first, mut both) = (Outline::of("keys"), Outline::of("keys"));
    let (mut start, mut line, mut count) = (0, 0, 0);
    // Documents of one make repeat most of their lines: each is listed once.
    let mut seen = Keys::new();
    let looked_at = &yaml.as_bytes()[..yaml.len().min(LOOKED_AT_BYTES)];
    for feed in memchr_iter(b'\n', looked_at) {
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

/// Whole lines; the head ends before an entry of the first level where that leaves
/// most of it.
fn ends(yaml: &str, room: usize) -> Ends<'_> {
    let (mut head, tail) = text::ends(yaml, room);
    let is_first_level = |feed: &usize| !matches!(head.as_bytes().get(feed + 1), None | Some(b' ' | b'#'));
    if let Some(feed) = memchr::memrchr_iter(b'\n', head.as_bytes()).find(is_first_level)
        && feed >= head.len() / 4 * 3
    {
        head = &head[..=feed];
    }
    Ends { head, closing: "", tail }
}
