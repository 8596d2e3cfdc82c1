//! Replies as a model reads them: what was found, then one line in brackets that
//! says what was left out and how to go on.

use super::wording;
use crate::error::Error;
use crate::model::{GrepQuery, Outputs, ToolReply};
use crate::query::grep::Found;
use crate::query::read::Part;
use tuckaway_text::cut;

/// Room that is kept for the line in brackets: more than the longest one takes.
pub(super) const NOTICE_BYTES: usize = 200;

/// Room that is kept in a page of `max` bytes for saying why a filter failed.
/// The page's own end, where it is small, cuts the message.
pub(super) fn failure_bytes(max: usize) -> usize {
    (max / 8).clamp(NOTICE_BYTES - 50, crate::error::MAX_MESSAGE_BYTES + 100)
}

/// A mistake that the model can mend.
pub(super) fn mistake(error: &Error, max: usize) -> ToolReply {
    ToolReply { text: clipped(&error.message, max), is_error: true }
}

/// Lines with their numbers.
pub(super) fn read(part: &Part) -> ToolReply {
    let mut text = part.text.clone();
    if let Some(name) = part.binary {
        notice(&mut text, &wording::binary(name));
    }
    match (part.lines, &part.next) {
        (None, _) => notice(&mut text, &wording::nothing_read(part.size_bytes)),
        (Some(lines), Some(cursor)) => {
            notice(&mut text, &wording::more_lines(lines, part.line_count, cursor))
        }
        (Some(_), None) => {}
    }
    ToolReply { text, is_error: false }
}

/// Lines as grep shows them: `12:` before matches, `12-` before context, `--`
/// between groups where there is context.
pub(super) fn grep(found: &Found, query: &GrepQuery) -> ToolReply {
    let page = &found.matches;
    let groups = query.before_context > 0 || query.after_context > 0;
    let (mut text, mut shown) = (String::new(), None);
    for m in &page.matches {
        let first = m.line.saturating_sub(m.before.len() as u64);
        if groups && shown.is_some_and(|line| line + 1 < first) {
            text += "--\n";
        }
        for (context, line) in m.before.iter().zip(first..) {
            text += &format!("{line}-{context}\n");
        }
        text += &format!("{}:{}\n", m.line, m.text);
        for (context, line) in m.after.iter().zip(m.line + 1..) {
            text += &format!("{line}-{context}\n");
        }
        shown = Some(m.line + m.after.len() as u64);
    }
    notice(&mut text, &wording::found(found, query));
    ToolReply { text, is_error: false }
}

/// Outputs, one after the other, and how the content was read if there is room
/// for saying so.
pub(super) fn jq(outputs: &Outputs, max: usize) -> ToolReply {
    let mut text = outputs.text.clone();
    let why = outputs.failure.as_ref().map(|failure| wording::with_hint(&failure.message, outputs));
    // With the line feed and the bracket before it, and the bracket behind it.
    let room = max.saturating_sub(text.len() + 3);
    let said = match (&why, &outputs.next) {
        (Some(why), _) if text.is_empty() => {
            text = clipped(why, max);
            String::new()
        }
        (Some(why), _) => clipped(&wording::failed(why), room),
        (None, Some(cursor)) => {
            // The cursor is never cut.
            let more = wording::more_outputs(cursor);
            clipped(&wording::with_hint(&more, outputs), room.max(more.len()))
        }
        (None, None) if text.is_empty() => clipped(&wording::with_hint(wording::NO_OUTPUTS, outputs), room),
        (None, None) => clipped(outputs.hint.as_deref().unwrap_or_default(), room),
    };
    // How the content was read comes before it, if there is room for both.
    let room = max.saturating_sub(text.len() + 3);
    let both: Vec<&str> = outputs
        .parsed_as
        .iter()
        .chain(Some(&said).filter(|said| !said.is_empty()))
        .map(String::as_str)
        .collect();
    let both = both.join("; ");
    let shown = if both.len() <= room { both } else { said };
    if !shown.is_empty() {
        notice(&mut text, &shown);
    }
    ToolReply { text, is_error: why.is_some() }
}

/// Adds a line in brackets.
fn notice(text: &mut String, notice: &str) {
    if !text.is_empty() && !text.ends_with('\n') {
        text.push('\n');
    }
    text.push('[');
    text.push_str(notice);
    text.push(']');
}

fn clipped(text: &str, max: usize) -> String {
    match text.len() <= max {
        true => text.to_owned(),
        false => format!("{}…", cut::head(text, max.saturating_sub('…'.len_utf8()))),
    }
}
