//! YAML: read into JSON, by which it is detected, summed up and queried by jq.
//!
//! ```text
//! head ─► Reader ─► what was seen ─► tell
//! bytes ─► Reader ─► JSON ─┬─► summary ─► shape
//!                          └─► jq
//! ```
//!
//! All of YAML 1.2 is read, as yaml-test-suite has it; `suite_exceptions.txt`
//! lists the exceptions. Scalars are those of the core schema, tags are omitted, merge keys
//! applied. A key that is no string becomes one: what is written, or the JSON of a
//! collection. Where a line cannot be read, reading stops: what follows is not
//! misread.

mod anchors;
mod block;
mod flow;
mod line;
mod merge;
mod properties;
mod reader;
mod scalar;
mod text;
mod truncate;

pub use truncate::truncate;

use tuckaway_search::find;

use self::reader::{Reader, Seen, Stop};
use crate::error::ToJsonError;
use crate::kind::AsJson;
use crate::outline::{Entry, Outline, json};
use crate::sample::Sample;
use tuckaway_text::{count_lines, counted, human_bytes};

/// Bytes that a shape looks at.
const SHAPE_BYTES: usize = 4 << 20;
/// Bytes of the JSON that is made of them: aliases may make more of them.
const SHAPE_JSON_BYTES: usize = 4 * SHAPE_BYTES;
/// Bytes of the JSON that is made of a sample.
const SAMPLE_JSON_BYTES: usize = 1 << 20;
/// How many times as long as the YAML its JSON may be for jq.
const MAX_GROWTH: usize = 16;

/// Whether a head is YAML with marks that other texts do not have: blocks within
/// blocks, all documents of one make, keys that are words.
pub fn detect(sample: &Sample) -> bool {
    let Some(seen) = read(sample) else { return false };
    // A line of another text may look like a rare way to write a key.
    let is_odd = seen.odd_keys * 4 > seen.keys;
    let begins_a_document = sample.head.starts_with("---") || sample.head.starts_with("%YAML");
    // A list of nothing but records, as few as there may be in prose left out.
    let is_table = || {
        let entries = sample.lines().filter(|line| line.starts_with("- ")).count() as u64;
        // The last one may go on beyond the head.
        let whole = entries - u64::from(entries > 0 && sample.tail.len() != sample.head.len());
        whole > 1 && (whole..=entries).contains(&seen.records) && seen.spaced_keys + seen.folded == 0
    };
    let is_structured = match seen.is_sequence {
        Some(false) => seen.nested > 0 || begins_a_document || seen.marks > 0 && seen.keys > 2,
        _ => {
            let is_deep = seen.nested > seen.records || begins_a_document || seen.marks > 0;
            seen.records > 0 && (is_deep || is_table())
        }
    };
    is_structured && seen.is_alike && seen.keys >= 2 && !is_odd
}

/// Whether a head can be YAML, if that is claimed: lists and keys, few of them with
/// spaces.
pub fn can_be(sample: &Sample) -> bool {
    read(sample).is_some()
}

/// What is seen in a head that reads as YAML, and not as prose with colons or a
/// single word.
fn read(sample: &Sample) -> Option<Seen> {
    let (_, seen, stop) = Reader::read(sample.head.as_bytes(), SAMPLE_JSON_BYTES);
    let is_all = sample.bytes.len() <= sample.head.len() + "\u{FEFF}".len();
    let reads = match stop {
        None | Some(Stop::TooLarge) => true,
        Some(Stop::Ended) => !is_all,
        Some(Stop::Unread(..)) => false,
    };
    let is_prose = seen.spaced_keys * 4 > seen.keys || seen.folded * 8 > seen.keys;
    Some(seen).filter(|seen| reads && seen.is_sequence.is_some() && !is_prose)
}

/// What it is, then what stands under each path, of all documents together; and
/// whether jq reads it too, as far as this was read: else the paths are none of jq's.
pub fn outline(bytes: &[u8]) -> Outline {
    let is_part = bytes.len() > SHAPE_BYTES;
    let head = &bytes[..bytes.len().min(SHAPE_BYTES)];
    let head = if is_part { whole_entries(head) } else { head };
    let (json, seen, stop) = Reader::read(head, SHAPE_JSON_BYTES.min(most_json(bytes)));
    // Where the part ends within a value is no matter.
    let stop = stop.filter(|stop| !(is_part && *stop == Stop::Ended));
    let is_asked = match stop {
        None => true,
        Some(Stop::TooLarge) => SHAPE_JSON_BYTES < most_json(bytes),
        Some(_) => false,
    };
    let (phrase, below) = json::of_documents(&json);
    let mut kind = "YAML".to_owned();
    match stop {
        Some(_) => {
            let lines = counted(count_lines(&head[..seen.read]), "line");
            kind += &format!(" (its first {lines})");
        }
        None if is_part => kind += &format!(" (its first {})", human_bytes(head.len() as u64)),
        None => {}
    }
    match seen.documents {
        0 => {}
        1 => kind += &format!(": {phrase}"),
        many => kind += &format!(": {many} documents of {phrase}"),
    }
    let mut entries = Outline::default();
    entries.push("kind", Entry::Text(kind));
    if let Some(stop) = stop {
        let refused = if is_asked { "" } else { "; jq refuses all of it" };
        entries.push("read", Entry::Text(format!("as far as {}{refused}", why(head, &seen, stop))));
    }
    entries.append(if is_asked { below } else { below.into_places() });
    entries.refuses_jq = !is_asked;
    entries
}

/// As far as the last entry of the first level begins, if that is not far; else the
/// last line.
fn whole_entries(head: &[u8]) -> &[u8] {
    const FAR: usize = 64 << 10;
    let near = head.len().saturating_sub(FAR);
    let begins_entry = |feed: &usize| head.get(feed + 1).is_some_and(|byte| !b" #\r\n".contains(byte));
    let last = || find::last_byte(b'\n', head);
    let document = find::last_text(b"\n---", &head[near..]).map(|feed| near + feed);
    let entry = || find::texts(b"\n", &head[near..]).map(|feed| near + feed).filter(begins_entry).last();
    document.or_else(entry).or_else(last).map_or(head, |feed| &head[..=feed])
}

/// Makes JSON of all documents, of at most `max` bytes.
pub fn to_json(bytes: &[u8], max: usize) -> Result<AsJson, ToJsonError> {
    const INSTEAD: &str = "Search it with grep or read it instead.";
    let max = max.min(most_json(bytes));
    let (json, seen, stop) = Reader::read(bytes, max);
    match stop {
        None => Ok(AsJson { json, note: note(&seen) }),
        Some(Stop::TooLarge) => Err(ToJsonError::TooLarge(format!(
            "As JSON this YAML is larger than {}, which is more than is made of it for jq. {INSTEAD}",
            human_bytes(max as u64)
        ))),
        Some(stop) => Err(ToJsonError::Unsupported(format!(
            "jq reads this YAML only as far as {}. {INSTEAD}",
            why(bytes, &seen, stop)
        ))),
    }
}

/// The most JSON that jq is given of it: little that aliases make much of is not
/// worth the memory.
fn most_json(yaml: &[u8]) -> usize {
    yaml.len().saturating_mul(MAX_GROWTH).saturating_add(SAMPLE_JSON_BYTES)
}

fn note(seen: &Seen) -> String {
    let mut note = match seen.documents {
        1 => "YAML read as JSON".to_owned(),
        many => format!("{many} YAML documents read as JSON: the filter runs once for each"),
    };
    if seen.merged {
        note += "; merge keys applied";
    }
    if seen.tagged {
        note += "; tags left out";
    }
    note
}

/// Where and why reading stopped.
fn why(bytes: &[u8], seen: &Seen, stop: Stop) -> String {
    let (what, at) = match stop {
        Stop::Ended => ("brackets or quotes that are not closed", seen.stopped),
        Stop::Unread(what, at) => (what, at),
        Stop::TooLarge => ("too much JSON, which aliases make of it", seen.stopped),
    };
    let line = find::count(b'\n', &bytes[..at.min(bytes.len())]) + 1;
    format!("line {line}: {what}")
}

#[cfg(test)]
mod suite;
#[cfg(test)]
mod tests;
