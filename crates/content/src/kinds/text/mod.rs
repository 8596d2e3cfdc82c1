//! Text of no other kind. It may contain JSON after lines of other text.

use std::rc::Rc;

use tuckaway_json::scan::{Scanner, SyntaxError};
use tuckaway_json::summary::Summary;
use tuckaway_json::whole::{is_cut_off, whole_part};
use tuckaway_json::within::{first_documents, start_within};
use tuckaway_search::{LineSpan, LineSpans, find};
use tuckaway_text::clean::without_sequences;
use tuckaway_text::count_lines;

use crate::json::within::{self, MIN_CUT_OFFSET, SEARCHED_HEAD, head};
use crate::outline::{Entry, Outline, json};
use crate::runs;
use crate::truncate::lines::Middle;

pub use crate::truncate::text::cut as truncate;

/// Maximum bytes of truncated JSON that are copied to close its open containers.
const MAX_CLOSED_BYTES: usize = 64 << 20;

/// Outlines a text: the length of its longest line, and the position of JSON in it or, if
/// it is almost JSON, its first error.
pub fn outline(bytes: &[u8], error: Option<&SyntaxError>, middle: &mut Middle) -> Outline {
    let mut outline = Outline::default();
    outline.push("longest_line_bytes", Entry::Number(longest_line(bytes)));
    // A document with a late error was meant to be JSON: say why jq cannot query it.
    let json_like = within::begins(bytes);
    let late_error = error.filter(|error| json_like && error.offset > MIN_CUT_OFFSET);
    if let Some((note, summary)) = late_error.and_then(|_| whole_json(bytes)) {
        outline.push("json", Entry::Text(format!("{note}: {}", described(&summary))));
        outline.append(json::below(&Rc::new(summary)));
        outline.answers_jq = true;
    } else if let Some(error) = late_error {
        outline.push("json", Entry::Text(error.to_string()));
    } else if let Some((start, lines, summary)) = json_within(bytes, middle).or_else(|| coloured_json(bytes))
    {
        outline.append(runs::report(bytes, &summary));
        outline.answers_jq = is_read_from(start, bytes);
        let refused = if outline.answers_jq { "" } else { "; jq reads only what is all JSON" };
        outline.push("json", Entry::Text(format!("{lines}: {}{refused}", described(&summary))));
        let below = json::below(&Rc::new(summary));
        outline.append(if outline.answers_jq { below } else { below.without_filters() });
    }
    outline
}

/// Returns whether jq reads a text from `start` on, where JSON begins in it: only if the
/// text before it is not JSON.
fn is_read_from(start: usize, bytes: &[u8]) -> bool {
    let is_all = bytes.len() <= SEARCHED_HEAD;
    first_documents(head(bytes), is_all).is_err()
        && start_within(head(bytes), is_all).is_some_and(|within| within.offset == start)
}

/// Describes all documents of JSON in a text.
fn described(summary: &Summary) -> String {
    let phrase = json::phrase(summary, Summary::ROOT);
    match summary.documents {
        0 | 1 => phrase,
        documents => format!("{documents} documents of {phrase}"),
    }
}

/// Summarizes the complete part of JSON that was truncated or that other text follows, as
/// jq reads it.
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

/// Finds JSON that begins on a line, as tools print it after a warning or the headers of
/// a response. Returns its offset, its lines, and its summary.
fn json_within(bytes: &[u8], middle: &mut Middle) -> Option<(usize, String, Summary)> {
    let range = within::range(bytes, middle)?;
    let summary = Summary::of(&bytes[range.clone()]).ok()?;
    let first = find::count(b'\n', &bytes[..range.start]) + 1;
    let last = first as u64 + count_lines(bytes[range.clone()].trim_ascii_end()) - 1;
    let lines = match bytes[range.end..].trim_ascii().is_empty() {
        true => format!("from line {first} on"),
        false if last == first as u64 => format!("line {first}"),
        false => format!("lines {first} to {last}"),
    };
    Some((range.start, lines, summary))
}

/// Finds JSON with colours, or in a text with colours.
fn coloured_json(bytes: &[u8]) -> Option<(usize, String, Summary)> {
    let is_coloured = bytes.len() <= MAX_CLOSED_BYTES && find::byte(0x1b, head(bytes)).is_some();
    let (start, lines, summary) =
        is_coloured.then(|| json_within(&without_sequences(bytes), &mut Middle::default()))??;
    Some((start, lines + ", with colours", summary))
}

fn longest_line(bytes: &[u8]) -> u64 {
    let line_bytes = |span: LineSpan| span.end - span.start - usize::from(bytes[span.end - 1] == b'\n');
    LineSpans::of(bytes).map(line_bytes).max().unwrap_or(0) as u64
}
