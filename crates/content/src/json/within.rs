//! JSON in a text: where it begins after other lines, and whether it is most of the text.

use std::ops::Range;

use tuckaway_json::scan::{Scanner, SyntaxError};
use tuckaway_json::whole::is_cut_off;
use tuckaway_search::{LineSpan, LineSpans, find};

use crate::truncate::lines::Middle;

/// Shorter JSON within a text is not outlined.
const MIN_JSON_BYTES: usize = 64;
/// JSON with an error up to here may be anything else.
pub const MIN_CUT_OFFSET: u64 = 64;
/// Bytes of the head in which the start of JSON is searched.
pub const SEARCHED_HEAD: usize = 64 << 10;
/// Lines at which JSON may begin that are tried.
const MAX_STARTS: usize = 8;
/// More lines than these before JSON are separate content.
const FEW_LINES: usize = 24;

/// Returns the part of a text in which the start of JSON is searched.
pub fn head(bytes: &[u8]) -> &[u8] {
    &bytes[..bytes.len().min(SEARCHED_HEAD)]
}

/// Finds JSON in a text: arrays or objects on separate lines; the first must begin
/// in the head. Takes time linear in the length.
pub fn range(bytes: &[u8], middle: &mut Middle) -> Option<Range<usize>> {
    middle.json_range(|not_at_start| find_json(bytes, not_at_start))
}

fn find_json(bytes: &[u8], not_at_start: bool) -> Option<Range<usize>> {
    let is_open = |span: &LineSpan| matches!(span.line.first(), Some(b'{' | b'['));
    // Lines of a log begin with brackets too.
    let starts = LineSpans::of(head(bytes)).filter(is_open).map(|span| span.start).take(MAX_STARTS);
    let is_behind_start = |start: &usize| !not_at_start || !bytes[..*start].trim_ascii().is_empty();
    starts
        .filter(is_behind_start)
        .filter_map(|start| Some(start..start + json_bytes(&bytes[start..])?))
        .find(|range| range.len() >= MIN_JSON_BYTES)
}

/// Returns whether most of a text is JSON that begins after a few lines.
pub fn is_most(bytes: &[u8], middle: &mut Middle) -> bool {
    range(bytes, middle).is_some_and(|range| {
        let lines = find::count(b'\n', &bytes[..range.start.min(SEARCHED_HEAD)]);
        lines <= FEW_LINES && range.len() / 3 >= bytes.len() / 4
    })
}

/// Returns whether a text with this JSON error is JSON up to its end, where it is cut off.
pub fn is_cut(bytes: &[u8], error: &SyntaxError) -> bool {
    begins(bytes) && error.offset > MIN_CUT_OFFSET && is_cut_off(&bytes[error.offset as usize..])
}

/// Returns whether a text begins as JSON does.
pub fn begins(bytes: &[u8]) -> bool {
    matches!(bytes.trim_ascii_start().first(), Some(b'{' | b'['))
}

/// Returns the length of the arrays and objects at the start of a text, up to the end of a line;
/// none if other text follows on that line.
fn json_bytes(text: &[u8]) -> Option<usize> {
    let mut scanner = Scanner::new(text);
    let mut end = 0;
    while let Ok(Some(token)) = scanner.next_token() {
        if !token.kind.opens() || scanner.skip_container().is_err() {
            break;
        }
        let after = scanner.offset() as usize;
        let line_end = find::byte(b'\n', &text[after..]).map_or(text.len(), |feed| after + feed + 1);
        if text[after..line_end].trim_ascii().is_empty() {
            end = line_end;
        }
    }
    (end > 0).then_some(end)
}
