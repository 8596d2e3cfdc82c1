//! Truncates TOML between tables, and lists the tables that are omitted.

use tuckaway_search::find;

use super::header;
use crate::truncate::contents::{Contents, Ends};
use crate::truncate::text;

/// Bytes of a text that are searched for tables.
const SEARCHED_BYTES: usize = 1 << 20;
/// Lines of an item of an array of tables that are searched for its name.
const TITLE_LINES: usize = 16;
/// Keys of names.
const TITLES: [&str; 3] = ["name", "id", "title"];
/// The quotes of a string of several lines.
const LONG_QUOTES: [&str; 2] = ["\"\"\"", "'''"];

/// Truncates a text that is longer than `max` bytes: keeps whole lines at both ends, and
/// lists the omitted tables between them, each with its line.
pub fn truncate(toml: &str, max: usize) -> String {
    let whole = |toml, space| {
        let (head, tail) = ends(toml, space);
        Ends { head, closing: "", tail }
    };
    tables(toml).cut(toml, max, &whole).unwrap_or_else(|| text::cut_at(toml, max, ends))
}

/// Lists the headers, and the keys before the first of them.
fn tables(toml: &str) -> Contents {
    let mut contents = Contents::of("tables");
    let searched = &toml.as_bytes()[..toml.len().min(SEARCHED_BYTES)];
    let (mut start, mut has_headers) = (0, false);
    let mut quote = None;
    for (index, feed) in find::texts(b"\n", searched).enumerate() {
        let line = &toml[start..feed];
        start = feed + 1;
        let is_inside = quote.is_some();
        quote = quote_after(line, quote);
        if is_inside {
            continue;
        }
        if let Some(name) = header(line) {
            has_headers = true;
            let title = if name.starts_with("[[") { titled(name, &toml[start..]) } else { name.to_owned() };
            contents.push(index + 1, name.matches('.').count(), &title);
        } else if !has_headers && line.starts_with(|first: char| first.is_ascii_alphanumeric()) {
            contents.noun = "entries";
            contents.push(index + 1, 0, line.trim_end());
        }
        if contents.is_full(0) {
            break;
        }
    }
    if searched.len() < toml.len() {
        contents.set_part();
    }
    contents
}

/// Returns the quote of a string of several lines that is open after a line.
fn quote_after(line: &str, open: Option<&'static str>) -> Option<&'static str> {
    let (mut open, mut rest) = (open, line);
    loop {
        let first = match open {
            Some(quote) => rest.find(quote).map(|at| (at, quote)),
            None => LONG_QUOTES.iter().filter_map(|quote| Some((rest.find(quote)?, *quote))).min(),
        };
        let Some((at, quote)) = first else { return open };
        open = if open.is_some() { None } else { Some(quote) };
        rest = &rest[at + quote.len()..];
    }
}

/// Returns the header of an item and its names on the lines below.
fn titled(name: &str, below: &str) -> String {
    let mut title = name.to_owned();
    let lines = below.lines().take(TITLE_LINES).take_while(|line| header(line).is_none());
    for line in lines {
        let is_name = line.split_once('=').is_some_and(|(key, _)| TITLES.contains(&key.trim()));
        if is_name {
            title.push_str(if title == name { " " } else { ", " });
            title.push_str(line.trim());
        }
    }
    title
}

/// Returns whole lines from both ends. The head ends before a table and the tail begins with
/// one, if there are any near.
fn ends(toml: &str, space: usize) -> (&str, &str) {
    let (head, tail) = text::ends(toml, space);
    let tail_start = toml.len() - tail.len();
    let last = table_starts(toml, head.len() / 4 * 3, head.len()).last();
    let first = table_starts(toml, tail_start, tail_start + tail.len() / 2).next();
    (last.map_or(head, |at| &toml[..at]), first.map_or(tail, |at| &toml[at..]))
}

/// Returns the offsets of the headers between two offsets.
fn table_starts(toml: &str, from: usize, to: usize) -> impl Iterator<Item = usize> {
    let before = from.saturating_sub(1);
    let starts = find::texts(b"\n", &toml.as_bytes()[before..to]).map(move |feed| before + feed + 1);
    starts.filter(|&start| header(toml[start..].lines().next().unwrap_or_default()).is_some())
}
