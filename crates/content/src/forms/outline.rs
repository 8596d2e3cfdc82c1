//! The outline of lines with a form: the groups that they are in, the largest entries, and the
//! columns over all lines. And the lines as JSON.

use tuckaway_search::find;
use tuckaway_text::{counted, cut, human_bytes, lossy};

use super::groups::{Group, Groups};
use super::{Entries, Form, Part};
use crate::columns::{self, Column, Objects, number};
use crate::error::ToJsonError;
use crate::kind::AsJson;
use crate::outline::{Entry, Outline};

/// Groups that are shown.
const SHOWN_GROUPS: usize = 20;
/// Entries that are shown because they are large.
const SHOWN_LARGEST: usize = 5;
/// Units of sizes, each 1,024 times the one before it.
const UNITS: [u8; 5] = *b"KMGTP";
/// Bytes of a path that are shown.
const PATH_BYTES: usize = 120;

/// The names for the entries of a kind.
pub struct Noun {
    /// All of them: `listing`.
    pub kind: &'static str,
    /// One of them: `entry`.
    pub entry: &'static str,
    /// Several of them.
    pub entries: &'static str,
    /// The name of a group: `directory`.
    pub group: &'static str,
    /// The name of several groups; empty if entries are not grouped.
    pub groups: &'static str,
    /// Whether a group is the directory of a path, and not the first column.
    pub by_directory: bool,
}

impl Noun {
    fn entries(&self, count: u64) -> String {
        format!("{count} {}", if count == 1 { self.entry } else { self.entries })
    }
}

/// Outlines lines of a form.
pub fn outline(bytes: &[u8], form: &'static Form, noun: &Noun) -> Outline {
    let headings = form.headings();
    let is = |wanted: &[Part]| form.parts.iter().position(|(part, ..)| wanted.contains(part));
    let path = is(&[Part::Path, Part::Numbered]).map_or(0, |path| path + headings);
    let size = is(&[Part::Size]).map(|size| size + headings);
    let has_sum = form.names().any(|name| name == "size");
    let mut columns: Vec<Column> =
        (0..form.names().count()).map(|index| Column::new(form.is_text(index))).collect();
    let (mut groups, mut largest) = (Groups::default(), Vec::new());
    let (mut count, mut has_sizes) = (0, false);
    let mut entries = Entries::of(bytes, form);
    while entries.next() {
        count += 1;
        columns::push_row(&mut columns, &entries.cells);
        let shown = size.map_or(&b""[..], |size| entries.cells[size]);
        let bytes = if shown.is_empty() { 0 } else { bytes_of(shown) };
        has_sizes |= bytes > 0;
        if !noun.groups.is_empty() {
            let group = match noun.by_directory && headings == 0 {
                true => directory(entries.cells[path]),
                false => entries.cells[0],
            };
            groups.push(group, if has_sum { bytes } else { 0 });
        }
        keep_largest(&mut largest, (bytes, entries.cells[path], shown));
    }
    let mut outline = Outline::default();
    let more = if groups.has_more { "+" } else { "" };
    let group = if groups.len() == 1 { noun.group } else { noun.groups };
    let among = match noun.groups {
        "" => format!("{count} of {}", counted(form.parts.len() as u64, "field")),
        _ => format!("{} in {}{more} {group}", noun.entries(count), groups.len()),
    };
    outline.push("kind", Entry::Text(format!("{} of {}: {among}", noun.kind, form.program)));
    if entries.others > 0 {
        outline.push("other", Entry::Text(format!("{} of another form", counted(entries.others, "line"))));
    }
    let all = groups.len();
    let shown = groups.largest(SHOWN_GROUPS);
    let omitted = all - shown.len() as u64;
    let describe = |group: Group| {
        let size = if group.size > 0 { format!(", {}", human_bytes(group.size)) } else { String::new() };
        (shown_path(group.name), noun.entries(group.count) + &size)
    };
    if !noun.groups.is_empty() {
        outline.push_members(noun.groups, shown.into_iter().map(describe).collect(), omitted);
    }
    if has_sizes {
        let shown = |(_, path, size): (u64, &[u8], &[u8])| (shown_path(path), lossy(size).into_owned());
        outline.push_members("largest", largest.into_iter().map(shown).collect(), 0);
    }
    outline.push(".[]", columns::entry(&columns, &mut form.names().collect()));
    outline
}

/// Converts lines of a form to JSON of at most `max` bytes: an object for each.
pub fn to_json(bytes: &[u8], max: usize, form: &'static Form, noun: &Noun) -> Result<AsJson, ToJsonError> {
    let mut objects = Objects::new(form.names().collect(), bytes.len(), max);
    let mut entries = Entries::of(bytes, form);
    while entries.next() {
        for (index, cell) in entries.cells.iter().enumerate() {
            if form.is_text(index) { objects.push_text(cell) } else { objects.push(cell) }
        }
        objects.end_row(noun.kind)?;
    }
    let (json, count) = objects.finish();
    let note = format!("{} read as an array of {}", noun.kind, counted(count, "object"));
    Ok(AsJson { json, note })
}

/// Returns the directory of a path.
fn directory(path: &[u8]) -> &[u8] {
    match find::last_byte(b'/', path) {
        Some(0) => b"/",
        Some(slash) => &path[..slash],
        None => b".",
    }
}

/// Returns a size in bytes; 0 if there is none.
fn bytes_of(size: &[u8]) -> u64 {
    let digits = size.iter().take_while(|byte| byte.is_ascii_digit() || **byte == b'.').count();
    let number = number(&size[..digits]).map_or(0.0, |number| number.value);
    let unit = size.get(digits).and_then(|unit| UNITS.iter().position(|known| known == unit));
    // Sizes beyond a number's range are the largest number.
    (number * unit.map_or(1.0, |power| (1_u64 << (10 * (power + 1))) as f64)) as u64
}

fn keep_largest<'a>(largest: &mut Vec<(u64, &'a [u8], &'a [u8])>, entry: (u64, &'a [u8], &'a [u8])) {
    let at = largest.iter().take_while(|known| known.0 >= entry.0).count();
    if at < SHOWN_LARGEST {
        largest.insert(at, entry);
        largest.truncate(SHOWN_LARGEST);
    }
}

fn shown_path(path: &[u8]) -> String {
    cut::excerpt(lossy(if path.is_empty() { b"." } else { path }).into_owned(), PATH_BYTES)
}
