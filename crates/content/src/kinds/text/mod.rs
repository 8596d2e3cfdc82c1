//! Text of no other kind. It may contain JSON after lines of other text.

use tuckaway_json::scan::{Scanner, SyntaxError};
use tuckaway_json::summary::Summary;
use tuckaway_json::whole::{is_cut_off, whole_part};
use tuckaway_json::within::{first_documents, start_within};
use tuckaway_search::{LineSpan, LineSpans};
use tuckaway_text::count_lines;

use crate::outline::{Entry, Outline, json};

pub use crate::truncate::text::cut as truncate;

/// Shorter JSON within a text is not outlined.
const MIN_JSON_BYTES: usize = 64;
/// Bytes of the head in which the start of JSON is searched.
const SEARCHED_HEAD: usize = 64 << 10;
/// The most bytes of JSON that are copied to close what is open where it was cut off.
const MAX_CLOSED_BYTES: usize = 64 << 20;

/// Outlines a text: the length of its longest line, and where it contains JSON or, if it
/// is almost JSON, why it is malformed.
pub fn outline(bytes: &[u8], error: Option<&SyntaxError>) -> Outline {
    let mut outline = Outline::default();
    outline.push("longest_line_bytes", Entry::Number(longest_line(bytes)));
    // A document with a late error was meant to be JSON: say why jq cannot query it.
    let json_like = matches!(bytes.trim_ascii_start().first(), Some(b'{' | b'['));
    let late_error = error.filter(|error| json_like && error.offset > 64);
    if let Some((note, summary)) = late_error.and_then(|_| whole_json(bytes)) {
        outline.push("json", Entry::Text(format!("{note}: {}", described(&summary))));
        outline.append(json::below(&summary));
        outline.answers_jq = true;
    } else if let Some(error) = late_error {
        outline.push("json", Entry::Text(error.to_string()));
    } else if let Some((lines, summary)) = json_within(bytes) {
        outline.answers_jq = is_read_from_within(bytes);
        let refused = if outline.answers_jq { "" } else { "; jq reads only what is all JSON" };
        outline.push("json", Entry::Text(format!("{lines}: {}{refused}", described(&summary))));
        let below = json::below(&summary);
        outline.append(if outline.answers_jq { below } else { below.without_filters() });
    }
    outline
}

/// Returns whether jq reads a text from where JSON begins in it: if it is not JSON before.
fn is_read_from_within(bytes: &[u8]) -> bool {
    let is_all = bytes.len() <= SEARCHED_HEAD;
    first_documents(head(bytes), is_all).is_err() && start_within(head(bytes), is_all).is_some()
}

/// Describes all documents of JSON in a text.
fn described(summary: &Summary) -> String {
    let phrase = json::phrase(summary, Summary::ROOT);
    match summary.documents {
        0 | 1 => phrase,
        documents => format!("{documents} documents of {phrase}"),
    }
}

/// Summarizes what is whole of JSON that was cut off or that text follows, as jq reads it.
fn whole_json(bytes: &[u8]) -> Option<(String, Summary)> {
    let whole = whole_part(Scanner::new(bytes))?;
    let (end, at) = (whole.end as usize, whole.error.offset as usize);
    let note = if whole.is_between && whole.documents > 0 && bytes[end..at].contains(&b'\n') {
        format!("text follows from byte {at} on")
    } else if is_cut_off(&bytes[at..]) {
        format!("cut off, whole up to byte {end}")
    } else {
        return None;
    };
    let closed;
    let json = match whole.closing.is_empty() {
        true => &bytes[..end],
        false if end > MAX_CLOSED_BYTES => return None,
        false => {
            closed = [&bytes[..end], whole.closing.as_bytes()].concat();
            &closed
        }
    };
    Some((note, Summary::of(json).ok()?))
}

/// Returns the part of a text in which the start of JSON is searched.
fn head(bytes: &[u8]) -> &[u8] {
    &bytes[..bytes.len().min(SEARCHED_HEAD)]
}

/// Finds JSON that begins on a line, as tools print it after a warning or the headers of
/// a response. Returns its lines, and its summary.
fn json_within(bytes: &[u8]) -> Option<(String, Summary)> {
    let is_open = |(_, span): &(usize, LineSpan)| matches!(span.line.first(), Some(b'{' | b'['));
    let (before, LineSpan { start, .. }) = LineSpans::of(head(bytes)).enumerate().find(is_open)?;
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
