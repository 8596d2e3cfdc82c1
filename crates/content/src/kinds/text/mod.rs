//! Text of no other kind. It may hold JSON behind a line of something else.

use tuckaway_json::scan::SyntaxError;
use tuckaway_json::summary::Summary;
use tuckaway_search::{LineSpan, LineSpans};
use tuckaway_text::count_lines;

use crate::outline::{Entry, Outline, json};

pub use crate::truncate::text::cut as truncate;

/// JSON within text that is shorter says little.
const MIN_JSON_BYTES: usize = 64;
/// How much of the head is searched for the start of JSON.
const SEARCHED_HEAD: usize = 64 << 10;

/// How long its lines are, and where it holds JSON, or why it is not JSON if it
/// almost is.
pub fn outline(bytes: &[u8], error: Option<&SyntaxError>) -> Outline {
    let mut entries = Outline::default();
    entries.push("longest_line_bytes", Entry::Number(longest_line(bytes)));
    // A document that breaks off late was meant to be JSON: say why jq is no way in.
    let json_like = matches!(bytes.trim_ascii_start().first(), Some(b'{' | b'['));
    if let Some(error) = error.filter(|error| json_like && error.offset > 64) {
        entries.push("json", Entry::Text(error.to_string()));
    } else if let Some((lines, summary)) = json_within(bytes) {
        let phrase = json::phrase(&summary, Summary::ROOT);
        let many = if summary.documents > 1 {
            format!("{} documents of ", summary.documents)
        } else {
            String::new()
        };
        entries.push("json", Entry::Text(format!("{lines}: {many}{phrase}; jq reads only what is all JSON")));
        entries.append(json::below(&summary).into_places());
    }
    entries
}

/// JSON from a line on, to the end or to a line that is not JSON, as tools print it
/// behind a warning or the headers of a response: on which lines, and what it is.
fn json_within(bytes: &[u8]) -> Option<(String, Summary)> {
    let is_open = |(_, span): &(usize, LineSpan)| matches!(span.line.first(), Some(b'{' | b'['));
    let head = &bytes[..bytes.len().min(SEARCHED_HEAD)];
    let (before, LineSpan { start, .. }) = LineSpans::of(head).enumerate().find(is_open)?;
    let rest = Some(&bytes[start..]).filter(|rest| rest.len() >= MIN_JSON_BYTES)?;
    let first = before + 1;
    let error = match Summary::of(rest) {
        Ok(summary) => return (before > 0).then(|| (format!("from line {first} on"), summary)),
        Err(error) => error,
    };
    // What ends it begins a line.
    let json = &rest[..usize::try_from(error.offset).ok()?];
    let json = &json[..json.iter().rposition(|&byte| byte == b'\n')? + 1];
    let summary = Summary::of(Some(json).filter(|json| json.len() >= MIN_JSON_BYTES)?).ok()?;
    let lines = match before as u64 + count_lines(json.trim_ascii_end()) {
        last if last == first as u64 => format!("line {first}"),
        last => format!("lines {first} to {last}"),
    };
    Some((lines, summary))
}

fn longest_line(bytes: &[u8]) -> u64 {
    let line_bytes = |span: LineSpan| span.end - span.start - usize::from(bytes[span.end - 1] == b'\n');
    LineSpans::of(bytes).map(line_bytes).max().unwrap_or(0) as u64
}
