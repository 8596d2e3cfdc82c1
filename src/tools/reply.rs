//! Replies as a model reads them: what was found, then one line in brackets that
//! says what was left out and how to go on.

use super::wording;
use crate::error::Error;
use crate::model::{GrepQuery, Outputs, ToolReply};
use crate::query::grep::Found;
use crate::query::read::Part;
use crate::text::cut;

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
    // With the line feed before it, and the brackets around it.
    let room = max.saturating_sub(text.len() + "\n[]".len());
    let ending = match (&outputs.failure, &outputs.next) {
        (Some(failure), _) if text.is_empty() => {
            text = clipped(&failure.message, max);
            None
        }
        (Some(failure), _) => Some(clipped(&wording::failed(&failure.message), room)),
        (None, Some(cursor)) => Some(wording::more_outputs(cursor)),
        (None, None) => text.is_empty().then(|| wording::NO_OUTPUTS.to_owned()),
    };
    let all: Vec<&str> = outputs.parsed_as.iter().chain(&ending).map(String::as_str).collect();
    let all = all.join("; ");
    match all.len() + text.len() + "\n[]".len() <= max {
        true if all.is_empty() => {}
        true => notice(&mut text, &all),
        false => ending.iter().for_each(|ending| notice(&mut text, ending)),
    }
    ToolReply { text, is_error: outputs.failure.is_some() }
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
