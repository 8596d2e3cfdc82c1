//! The view of an output in the conversation (the compaction document, section 1.6).

use tuckaway_contract::{CacheConfig, CacheView, Error};
use tuckaway_text::{count_lines, cut};

use crate::note::truncation_note;

/// The view of an empty output.
const NO_OUTPUT: &str = "[no output]";
/// Ends a truncated line.
const LINE_CUT: &str = " […]";

/// Truncates an output: first its long lines, then the whole text. A note at the end names the
/// artifact.
///
/// Errors: a configuration that contradicts itself.
pub fn view(text: &str, artifact: Option<&str>, config: &CacheConfig) -> Result<CacheView, Error> {
    super::check(config)?;
    if text.is_empty() {
        return Ok(CacheView { text: NO_OUTPUT.to_owned(), is_cut: false });
    }
    let max_bytes = usize::try_from(config.max_message_bytes).unwrap_or(usize::MAX);
    let max_line = config.max_line_length as usize;
    let view = with_short_lines(text, max_line, max_bytes);
    if view == text && view.len() <= max_bytes {
        return Ok(CacheView { text: view, is_cut: false });
    }
    let lines = count_lines(text.as_bytes());
    let note = format!("[{}]", truncation_note(text.len() as u64, lines, artifact));
    let head = ended(view, max_bytes - note.len() - "\n".len());
    Ok(CacheView { text: head + &note, is_cut: true })
}

/// Truncates the lines of a text to `max_line` characters, and the whole text, at the end of a
/// line, to `max_bytes` and a line feed. Also returns the number of lines: 0 if the first line
/// alone is too long.
pub fn head(text: &str, max_line: usize, max_bytes: usize) -> (String, u64) {
    let lines = with_short_lines(text, max_line, max_bytes);
    let is_within_line = lines.len() > max_bytes && !lines.as_bytes()[..max_bytes].contains(&b'\n');
    let head = ended(lines, max_bytes);
    let lines = if is_within_line { 0 } else { count_lines(head.as_bytes()) };
    (head, lines)
}

/// Returns the lines of a text, truncated to `max_line` characters, up to the line that exceeds
/// `max_bytes`.
fn with_short_lines(text: &str, max_line: usize, max_bytes: usize) -> String {
    let mut view = String::with_capacity(text.len().min(max_bytes));
    for line in text.split_inclusive('\n') {
        let body = line.trim_end_matches(['\r', '\n']);
        let shown = shown(body, max_line);
        view.push_str(shown);
        view.push_str(if shown.len() < body.len() { LINE_CUT } else { "" });
        view.push_str(&line[body.len()..]);
        if view.len() > max_bytes {
            break;
        }
    }
    view
}

/// Truncates a text to `space` bytes at the end of a line, and ends it with a line feed.
fn ended(mut view: String, space: usize) -> String {
    if view.len() > space {
        let end = cut::floor_grapheme(&view, space);
        view.truncate(view[..end].rfind('\n').map_or(end, |feed| feed + 1));
    }
    if !view.ends_with('\n') {
        view.push('\n');
    }
    view
}

/// Returns the start of a line of at most `max` characters, between graphemes.
fn shown(line: &str, max: usize) -> &str {
    match line.char_indices().nth(max) {
        None => line,
        Some((at, _)) => cut::head(line, at),
    }
}
