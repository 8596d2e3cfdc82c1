//! The outline of TOML: that of the JSON it is read into.

use tuckaway_text::{count_lines, counted, human_bytes, lossy};

use super::{MAX_BYTES, header, reader};
use crate::outline::{Entry, Outline, json};

/// Maximum length of the JSON, as a multiple of the TOML: parts of dotted keys get quotes and
/// braces.
const MAX_GROWTH: usize = 16;

/// Describes the document, and the values under each path. If jq cannot read the content to
/// its end, the paths are not jq's.
pub fn outline(bytes: &[u8]) -> Outline {
    let text = lossy(&bytes[..bytes.len().min(MAX_BYTES)]);
    let is_part = bytes.len() > MAX_BYTES;
    let text = if is_part { whole_tables(&text) } else { &text };
    let read = reader::read(text);
    let json = read.tree.to_json(MAX_GROWTH * MAX_BYTES).unwrap_or_default();
    let (phrase, below) = json::of_documents(&json);
    let mut kind = "TOML".to_owned();
    match &read.stop {
        Some(stop) => {
            let whole_lines = text[..stop.at].rfind('\n').map_or(0, |feed| feed + 1);
            let count = count_lines(&text.as_bytes()[..whole_lines]);
            kind += &format!(" (its first {})", counted(count, "line"));
        }
        None if is_part => kind += &format!(" (its first {})", human_bytes(text.len() as u64)),
        None => {}
    }
    kind += &format!(": {phrase}");
    let is_queryable = read.stop.is_none() && !is_part;
    let mut outline = Outline::default();
    outline.push("kind", Entry::Text(kind));
    if let Some(stop) = &read.stop {
        let reason = stop.reason(text);
        outline.push("read", Entry::Text(format!("as far as {reason}; jq refuses all of it")));
    }
    outline.append(if is_queryable { below } else { below.without_filters() });
    outline.refuses_jq = !is_queryable;
    outline
}

/// Returns the head of a text up to the start of its last table, if that is near, or else of
/// its last line.
fn whole_tables(text: &str) -> &str {
    const FAR: usize = 64 << 10;
    let feeds = text.bytes().enumerate().rev().take(FAR).filter(|(_, byte)| *byte == b'\n');
    let mut starts = feeds.map(|(feed, _)| feed + 1);
    let is_table = |start: &usize| header(text[*start..].lines().next().unwrap_or_default()).is_some();
    let last_line = starts.clone().next();
    starts.find(is_table).or(last_line).map_or(text, |start| &text[..start])
}
