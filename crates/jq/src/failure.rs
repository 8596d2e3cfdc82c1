//! Errors of a run: failing filters, and unreadable documents.

use std::fmt;

use tuckaway_search::find;

use crate::error::Error;
use crate::limits::{self, MAX_DOCUMENT_DEPTH};
use crate::read::{self, Builder, ReadError};
use crate::source::Source;
use crate::stream;
use crate::value::Val;
use crate::value::write::{self, Bounded};
use tuckaway_json::input::Input;
use tuckaway_json::scan::{Scanner, SyntaxError, Token, TokenKind};
use tuckaway_json::unescape::unescape;
use tuckaway_json::write::quote;
use tuckaway_search::source::Window;
use tuckaway_text::cut;

/// Bytes of a filter's own message that an error quotes.
const MESSAGE_BYTES: usize = 400;

/// Describes the document at `start`, the input of a filter, with its number if there are several.
pub(crate) fn describe_input(source: &Source, start: u64, number: Option<u64>) -> String {
    let which = number.map_or("The input".to_owned(), |number| format!("Document {number}"));
    let mut scanner = Scanner::at_value(stream::open(source, start));
    match read::describe(&mut scanner, &mut Builder::default()) {
        Ok(input) => format!(" {which} is: {input}."),
        Err(_) => String::new(),
    }
}

/// Returns the error of a filter that failed, with a description of its input.
pub(crate) fn filter_failed(message: &Val, input: &str) -> Error {
    let mut shown = Bounded::up_to(MESSAGE_BYTES + cut::MAX_GRAPHEME_BYTES);
    // The run is over, so that no steps may be left; the message is bounded.
    let written = limits::unmetered(|| match message {
        Val::Str(message) => fmt::Write::write_str(&mut shown, message),
        message => write::value(message, write::Layout::OneLine, &mut shown),
    });
    let message = shown.text.trim_end();
    let head = cut::head(message, MESSAGE_BYTES);
    let cut = if written.is_err() || head.len() < message.len() { "…" } else { "" };
    Error::invalid(format!("The filter failed: {head}{cut}.{input}"))
}

/// Returns the error of a document that is malformed, too deep or too large.
pub(crate) fn unreadable(source: &Source, error: ReadError) -> Error {
    match error {
        ReadError::Syntax(SyntaxError { offset, expected }) => Error::unsupported(format!(
            "jq cannot query this: it is not JSON, CSV, YAML or TOML. As JSON, it fails at {}: expected {expected}. Search it with grep or read it instead.",
            position(source, offset)
        )),
        ReadError::Depth(offset) => Error::limit(format!(
            "The document is nested more than {MAX_DOCUMENT_DEPTH} levels deep at {}, which is more than jq can query. Search it with grep or read it instead.",
            position(source, offset)
        )),
        ReadError::Size(_) | ReadError::Cutoff => too_large_for("Query less of it at a time"),
    }
}

/// Returns the error of a document that is too large, with advice that has no full stop.
fn too_large_for(advice: &str) -> Error {
    let memory = limits::binary_size(limits::document_memory());
    limits::out_of_memory(format!(
        "The filter needs more of the document at once than fits into {memory} of memory. {advice}"
    ))
}

/// Returns the error of documents that are too large to be slurped.
pub(crate) fn too_large_slurped() -> Error {
    too_large_for(
        "Process the documents one at a time: with `reduce .[] as $x (…)` at the start, or without slurp",
    )
}

/// Returns the error of a variable whose value is too large.
pub(crate) fn too_large_variable() -> Error {
    let memory = limits::binary_size(limits::document_memory());
    limits::out_of_memory(format!(
        "Its values need more than the {memory} of memory that other values have left. Use a smaller part of it"
    ))
}

/// Returns the error of a document that is too large for a filter that needs all of it, with paths
/// to the parts of the document.
pub(crate) fn too_large(source: &Source, start: u64) -> Error {
    let mut scanner = Scanner::at_value(stream::open(source, start));
    match member_paths(&mut scanner) {
        Ok(paths) if !paths.is_empty() => too_large_for(&format!(
            "Begin it with a path, so that only the values it selects are read, such as {}",
            paths.join(", ")
        )),
        _ => too_large_for("Query less of it at a time"),
    }
}

/// Paths that the error of a large document lists.
const LISTED_PATHS: usize = 8;

/// Returns the paths to the members of the next document, the largest first.
fn member_paths<I: Input>(scanner: &mut Scanner<I>) -> Result<Vec<String>, ReadError> {
    let first = next(scanner)?;
    if first.kind == TokenKind::ArrayStart {
        return Ok(vec!["`.[]` for each element".to_owned(), "`.[:10]`".to_owned()]);
    }
    let mut members: Vec<(u64, String)> = Vec::new();
    if first.kind != TokenKind::ObjectStart {
        return Ok(Vec::new());
    }
    loop {
        scanner.keep_texts();
        let Some(token) = scanner.next_token()?.filter(|token| token.kind == TokenKind::Key) else { break };
        let key = unescape(read::unquoted(scanner, token));
        let path = jq_path(cut::head(&key, LISTED_KEY_BYTES));
        scanner.drop_texts();
        let value = next(scanner)?;
        let (count, end) = count_items(scanner, value)?;
        let path = match value.kind {
            TokenKind::ArrayStart => format!("`{path}[]` (array of {count})"),
            TokenKind::ObjectStart => format!("`{path}` (object of {count})"),
            _ => format!("`{path}`"),
        };
        let size = end - value.start;
        let larger = members.partition_point(|(other, _)| *other >= size);
        members.insert(larger, (size, path));
        members.truncate(LISTED_PATHS);
    }
    Ok(members.into_iter().map(|(_, path)| path).collect())
}

/// Bytes of a key in a listed path.
const LISTED_KEY_BYTES: usize = 40;

/// Skips the rest of a value. Returns the number of its elements or members, and its end.
fn count_items<I: Input>(scanner: &mut Scanner<I>, first: Token) -> Result<(u64, u64), ReadError> {
    let (mut count, mut end, depth) = (0, first.end, scanner.depth());
    while first.kind.opens() && scanner.depth() >= depth {
        let token = next(scanner)?;
        end = token.end;
        let is_item = match first.kind {
            TokenKind::ArrayStart => {
                !matches!(token.kind, TokenKind::ArrayEnd | TokenKind::ObjectEnd | TokenKind::Key)
            }
            _ => token.kind == TokenKind::Key,
        };
        count += u64::from(is_item && scanner.depth() == depth + usize::from(token.kind.opens()));
    }
    Ok((count, end))
}

fn next<I: Input>(scanner: &mut Scanner<I>) -> Result<Token, ReadError> {
    Ok(scanner.next_token()?.ok_or_else(|| read::unfinished(scanner))?)
}

/// Returns the path to a member, as a filter.
pub(crate) fn jq_path(key: &str) -> String {
    let mut chars = key.chars();
    let is_plain = chars.next().is_some_and(|c| c.is_ascii_alphabetic() || c == '_')
        && chars.all(|c| c.is_ascii_alphanumeric() || c == '_');
    if is_plain { format!(".{key}") } else { format!(".[{}]", quote(key)) }
}

/// Formats an offset for people: line and column, from 1, and the byte.
fn position(source: &Source, offset: u64) -> String {
    match line_and_column(source, offset) {
        Ok((line, column)) => format!("line {line}, column {column} (byte {offset})"),
        Err(_) => format!("byte {offset}"),
    }
}

fn line_and_column(source: &Source, offset: u64) -> Result<(u64, u64), Error> {
    let mut window = Window::open(source, 0)?;
    let (mut line, mut column) = (1, 1);
    loop {
        let left = offset.saturating_sub(window.start());
        let bytes = window.bytes();
        let bytes = &bytes[..usize::try_from(left).unwrap_or(usize::MAX).min(bytes.len())];
        let lines = find::count(b'\n', bytes) as u64;
        line += lines;
        let tail = find::last_byte(b'\n', bytes).map_or(bytes, |feed| &bytes[feed + 1..]);
        if lines > 0 {
            column = 1;
        }
        let mut used = bytes.len();
        let ends_here = window.is_last() || left <= bytes.len() as u64;
        for chunk in tail.utf8_chunks() {
            column += chunk.valid().chars().count() as u64;
            used = bytes.len() - chunk.invalid().len();
            let is_tail = chunk.invalid().as_ptr_range().end == bytes.as_ptr_range().end;
            // A character that the window cuts is complete in the next one.
            if !chunk.invalid().is_empty() && (!is_tail || ends_here) {
                column += 1;
                used = bytes.len();
            }
        }
        if ends_here {
            return Ok((line, column));
        }
        window.advance(used)?;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_of_large_documents_are_listed() {
        let paths = |json: &str| member_paths(&mut Scanner::new(json.as_bytes())).unwrap();
        assert_eq!(
            paths(r#"{"a": 1, "rows": [{"id": [1, 2]}, [], 3], "b c": {"x": {"y": 1}, "z": 2}}"#),
            ["`.rows[]` (array of 3)", "`.[\"b c\"]` (object of 2)", "`.a`"]
        );
        assert_eq!(paths("[1, 2]"), ["`.[]` for each element", "`.[:10]`"]);
        assert_eq!(paths("\"text\""), [""; 0]);
        let many: Vec<String> = (0..30).map(|n| format!("\"k{n}\": {n}")).collect();
        assert_eq!(paths(&format!("{{{}}}", many.join(","))).len(), LISTED_PATHS);
    }
}
