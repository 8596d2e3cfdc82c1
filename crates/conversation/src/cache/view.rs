//! The view of an output in the conversation (seed 001 §1.6).

use tuckaway_text::{count_lines, counted, cut, human_bytes};

use crate::config::CacheConfig;
use crate::host::Invalid;
use crate::model::CacheView;

/// Stands for an output without a character.
const NO_OUTPUT: &str = "[no output]";
/// Ends a line that was cut.
const LINE_CUT: &str = " […]";

/// Cuts an output: long lines, then the whole. A note at its end names the artifact.
///
/// Errors: a configuration that contradicts itself.
pub fn view(text: &str, artifact: Option<&str>, config: &CacheConfig) -> Result<CacheView, Invalid> {
    super::check(config)?;
    if text.is_empty() {
        return Ok(CacheView { text: NO_OUTPUT.to_owned(), is_cut: false });
    }
    let max_bytes = usize::try_from(config.max_message_bytes).unwrap_or(usize::MAX);
    let mut view = String::with_capacity(text.len().min(max_bytes));
    for line in text.split_inclusive('\n') {
        let body = line.trim_end_matches(['\r', '\n']);
        let shown = shown(body, config.max_line_length as usize);
        view.push_str(shown);
        view.push_str(if shown.len() < body.len() { LINE_CUT } else { "" });
        view.push_str(&line[body.len()..]);
        if view.len() > max_bytes {
            break;
        }
    }
    if view == text && view.len() <= max_bytes {
        return Ok(CacheView { text: view, is_cut: false });
    }
    let note = note(text, artifact);
    let space = max_bytes - note.len() - "\n".len();
    if view.len() > space {
        let end = cut::floor_grapheme(&view, space);
        view.truncate(view[..end].rfind('\n').map_or(end, |feed| feed + 1));
    }
    if !view.ends_with('\n') {
        view.push('\n');
    }
    Ok(CacheView { text: view + &note, is_cut: true })
}

/// Returns the start of a line of at most `max` characters, between graphemes.
fn shown(line: &str, max: usize) -> &str {
    match line.char_indices().nth(max) {
        None => line,
        Some((at, _)) => cut::head(line, at),
    }
}

/// Returns the note that follows what was cut. It is shorter than 200 bytes.
fn note(text: &str, artifact: Option<&str>) -> String {
    let lines = counted(count_lines(text.as_bytes()), "line");
    let size = human_bytes(text.len() as u64);
    match artifact {
        Some(id) => format!("[Cut: {size} in {lines}. The continuation can be expanded with ref={id}]"),
        None => format!("[Cut: {size} in {lines}]"),
    }
}
