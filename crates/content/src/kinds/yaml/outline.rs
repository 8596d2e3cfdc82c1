//! The outline of YAML: that of the JSON it is read into.

use tuckaway_search::find;
use tuckaway_text::{count_lines, counted, human_bytes};

use super::max_json_bytes;
use super::reader::Reader;
use super::stats::Stop;
use crate::outline::{Entry, Outline, json};

/// Bytes that are read for an outline.
const OUTLINE_BYTES: usize = 4 << 20;
/// Bytes of the JSON that they are read into, which aliases can make longer.
const OUTLINE_JSON_BYTES: usize = 4 * OUTLINE_BYTES;

/// Describes the documents, and the values under each path of all documents. If jq cannot
/// read the content to its end, the paths are not jq's.
pub fn outline(bytes: &[u8]) -> Outline {
    let is_part = bytes.len() > OUTLINE_BYTES;
    let head = &bytes[..bytes.len().min(OUTLINE_BYTES)];
    let head = if is_part { whole_entries(head) } else { head };
    let (json, stats, stop) = Reader::read(head, OUTLINE_JSON_BYTES.min(max_json_bytes(bytes)));
    // A part may end within a value.
    let stop = stop.filter(|stop| !(is_part && *stop == Stop::Ended));
    let is_queryable = match stop {
        None => true,
        Some(Stop::TooLarge) => OUTLINE_JSON_BYTES < max_json_bytes(bytes),
        Some(_) => false,
    };
    let (phrase, below) = json::of_documents(&json);
    let mut kind = "YAML".to_owned();
    match stop {
        Some(_) => {
            let lines = counted(count_lines(&head[..stats.read]), "line");
            kind += &format!(" (its first {lines})");
        }
        None if is_part => kind += &format!(" (its first {})", human_bytes(head.len() as u64)),
        None => {}
    }
    match stats.documents {
        0 => {}
        1 => kind += &format!(": {phrase}"),
        many => kind += &format!(": {many} documents of {phrase}"),
    }
    let mut outline = Outline::default();
    outline.push("kind", Entry::Text(kind));
    if let Some(stop) = stop {
        let refused = if is_queryable { "" } else { "; jq refuses all of it" };
        outline.push("read", Entry::Text(format!("as far as {}{refused}", stop.reason(head, &stats))));
    }
    outline.append(if is_queryable { below } else { below.without_filters() });
    outline.refuses_jq = !is_queryable;
    outline
}

/// Returns the head up to the start of its last entry of the first level, if that is near,
/// or else of its last line.
fn whole_entries(head: &[u8]) -> &[u8] {
    const FAR: usize = 64 << 10;
    let near = head.len().saturating_sub(FAR);
    let begins_entry = |feed: &usize| head.get(feed + 1).is_some_and(|byte| !b" #\r\n".contains(byte));
    let last = || find::last_byte(b'\n', head);
    let document = find::last_text(b"\n---", &head[near..]).map(|feed| near + feed);
    let entry = || find::texts(b"\n", &head[near..]).map(|feed| near + feed).filter(begins_entry).last();
    document.or_else(entry).or_else(last).map_or(head, |feed| &head[..=feed])
}
