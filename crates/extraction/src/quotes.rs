//! Searches the document for passages that an answer quotes verbatim.

use std::ops::Range;

use tuckaway_contract::Quote;
use tuckaway_json::write::quote;
use tuckaway_search::find;
use tuckaway_search::source::Window;

use crate::host::{Failed, Host};

/// The maximum number of checked quotes.
const MAX_QUOTES: usize = 32;
/// The minimum bytes of a quote: a shorter one is a word.
const MIN_BYTES: usize = 12;
/// The maximum bytes of a quote.
const MAX_BYTES: usize = 400;

/// A quote and the place of its mark.
struct Passage {
    text: String,
    /// The offset in the answer after the quote.
    end: usize,
}

/// Searches for the quotes of an answer. Returns the quotes, and the answer with a mark after
/// each: its line, or a note that it is not verbatim.
pub fn check(host: &dyn Host, answer: &str) -> Result<(Vec<Quote>, String), Failed> {
    let passages = passages(answer);
    let found = positions(host, &passages)?;
    let (mut marked, mut at, mut quotes) = (String::new(), 0, Vec::new());
    for (passage, position) in passages.into_iter().zip(found) {
        marked += &answer[at..passage.end];
        marked += &match position {
            Some(Position { line, .. }) => format!(" [line {line}]"),
            None => " [not verbatim]".to_owned(),
        };
        at = passage.end;
        quotes.push(Quote {
            text: passage.text,
            line: position.map(|position| position.line),
            byte_offset: position.map(|position| position.offset),
        });
    }
    Ok((quotes, marked + &answer[at..]))
}

/// Returns the passages in quotation marks or backticks, and the lines of block quotes and code
/// blocks.
fn passages(answer: &str) -> Vec<Passage> {
    let (mut passages, mut is_code, mut start) = (Vec::new(), false, 0);
    for line in answer.split_inclusive('\n') {
        let text = line.trim_end();
        let trimmed = text.trim_start();
        let whole = |from: &str| Passage { text: from.trim().to_owned(), end: start + text.len() };
        if trimmed.starts_with("```") {
            is_code = !is_code;
        } else if is_code {
            passages.push(whole(trimmed));
        } else if let Some(quoted) = trimmed.strip_prefix('>') {
            passages.push(whole(quoted.trim().trim_matches('"')));
        } else {
            passages.extend(within_line(text).into_iter().map(|Range { start: from, end }| Passage {
                text: text[from..end].to_owned(),
                end: start + end + text[end..].chars().next().map_or(0, char::len_utf8),
            }));
        }
        start += line.len();
    }
    passages.retain(|passage| (MIN_BYTES..=MAX_BYTES).contains(&passage.text.len()));
    passages.truncate(MAX_QUOTES);
    passages
}

/// Returns the ranges between quotation marks in a line.
fn within_line(line: &str) -> Vec<Range<usize>> {
    let (mut ranges, mut at) = (Vec::new(), 0);
    while let Some(open) = line[at..].find(['"', '“', '`']).map(|offset| at + offset) {
        let mark = line[open..].chars().next().unwrap_or('"');
        let close = if mark == '“' { '”' } else { mark };
        let from = open + mark.len_utf8();
        let Some(length) = line[from..].find(close) else {
            at = from;
            continue;
        };
        ranges.push(from..from + length);
        at = from + length + close.len_utf8();
    }
    ranges
}

#[derive(Clone, Copy)]
struct Position {
    line: u64,
    offset: u64,
}

/// Returns the first position of each passage, verbatim or escaped as in JSON.
fn positions(host: &dyn Host, passages: &[Passage]) -> Result<Vec<Option<Position>>, Failed> {
    let mut found: Vec<Option<Position>> = vec![None; passages.len()];
    if passages.is_empty() {
        return Ok(found);
    }
    let texts: Vec<[String; 2]> =
        passages.iter().map(|passage| [passage.text.clone(), escaped(&passage.text)]).collect();
    let longest = texts.iter().flatten().map(String::len).max().unwrap_or(0);
    let mut window = Window::open(host, 0)?;
    let mut line = 1;
    loop {
        let (start, bytes) = (window.start(), window.bytes());
        for (found, texts) in found.iter_mut().zip(&texts).filter(|(found, _)| found.is_none()) {
            let first = texts.iter().filter_map(|text| find::text(text.as_bytes(), bytes)).min();
            *found = first.map(|at| Position {
                line: line + find::count(b'\n', &bytes[..at]) as u64,
                offset: start + at as u64,
            });
        }
        let used = bytes.len().saturating_sub(if window.is_last() { 0 } else { longest - 1 });
        line += find::count(b'\n', &bytes[..used]) as u64;
        if found.iter().all(Option::is_some) || !window.advance(used)? {
            return Ok(found);
        }
    }
}

/// Returns a text as it appears inside a JSON string.
fn escaped(text: &str) -> String {
    let quoted = quote(text);
    quoted[1..quoted.len() - 1].to_owned()
}
