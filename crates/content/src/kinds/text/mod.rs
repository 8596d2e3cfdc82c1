//! Text of no other kind. It may contain JSON after lines of other text.

use tuckaway_json::scan::SyntaxError;
use tuckaway_json::summary::Summary;
use tuckaway_search::{LineSpan, LineSpans};
use tuckaway_text::count_lines;

use crate::outline::{Entry, Outline, json};

pub use crate::truncate::text::cut as truncate;

/// Shorter JSON within a text is not outlined.
const MIN_JSON_BYTES: usize = 64;
/// Bytes of the head in which the start of JSON is searched.
const SEARCHED_HEAD: usize = 64 << 10;

/// Outlines a text: the length of its longest line, and where it contains JSON or, if it
/// is almost JSON, why it is malformed.
pub fn outline(bytes: &[u8], error: Option<&SyntaxError>) -> Outline {
    let mut outline = Outline::default();
    outline.push("longest_line_bytes", Entry::Number(longest_line(bytes)));
    // A document with a late error was meant to be JSON: say why jq cannot query it.
    let json_like = matches!(bytes.trim_ascii_start().first(), Some(b'{' | b'['));
    if let Some(error) = error.filter(|error| json_like && error.offset > 64) {
        outline.push("json", Entry::Text(error.to_string()));
    } else if let Some((lines, summary)) = json_within(bytes) {
        let phrase = json::phrase(&summary, Summary::ROOT);
        let many = if summary.documents > 1 {
            format!("{} documents of ", summary.documents)
        } else {
            String::new()
        };
        outline.push("json", Entry::Text(format!("{lines}: {many}{phrase}; jq reads only what is all JSON")));
        outline.append(json::below(&summary).without_filters());
    }
    outline
}

/// Finds JSON that begins on a line, as tools print it after a warning or the headers of
/// a response. Returns its lines, and its summary.
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
    // The text after it begins on a line of its own.
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
