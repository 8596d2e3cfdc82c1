//! Replies as a model reads them: the results, then one line in brackets that says what
//! was omitted and how to continue.

use tuckaway_content::{DEFAULT_OUTLINE_BYTES, MIN_OUTLINE_BYTES};
use tuckaway_contract::{
    Error, GrepQuery, MAX_MEDIA_BYTES, Match, Outputs, SavedOutputs, StoredMedia, ToolReply,
};

use super::dialects::{Grep, MatchPosition};
use super::wording;
use crate::query::Words;
use crate::query::characters::CharacterPage;
use crate::query::grep::{FoundInAll, SearchResult, begins_within_line, heading};
use crate::query::read::ReadPage;
use tuckaway_json::write::quote;
use tuckaway_text::cut::with_ellipsis;

/// Bytes reserved for the line in brackets: more than the longest one needs.
pub(super) const NOTICE_BYTES: usize = 200;

/// The same for a search of all artifacts, whose notice names artifacts.
pub(super) const ALL_NOTICE_BYTES: usize = 512;

/// Returns the bytes of a page of `max` bytes that are reserved for a filter's error
/// message; a small page truncates the message.
pub(super) fn failure_bytes(max: usize) -> usize {
    (max / 8).clamp(NOTICE_BYTES - 50, tuckaway_contract::MAX_MESSAGE_BYTES + 100)
}

/// Reports a mistake that the model can correct.
pub(super) fn error(error: &Error, max: usize) -> ToolReply {
    ToolReply { is_error: true, ..of(with_ellipsis(error.message.clone(), max)) }
}

/// Returns a reply with a result.
pub(super) fn of(text: String) -> ToolReply {
    ToolReply { text, is_error: false, media: None }
}

/// Describes a file, which the host adds unless it is too large.
pub(super) fn media(media: StoredMedia, words: &Words) -> ToolReply {
    let text = wording::media(&media, words);
    ToolReply { media: Some(media).filter(|media| media.size_bytes <= MAX_MEDIA_BYTES), ..of(text) }
}

/// Shows lines with their numbers; `more` says how to continue after a page with a cursor.
pub(super) fn read(page: &ReadPage, noun: &str, more: fn(&ReadPage, &str) -> String) -> ToolReply {
    let mut text = page.text.clone();
    if let Some(name) = page.binary {
        notice(&mut text, &wording::binary(name));
    }
    match (page.lines, &page.next) {
        (None, _) => notice(&mut text, &wording::empty_range(page.size_bytes, noun)),
        (Some(_), Some(cursor)) => notice(&mut text, &more(page, cursor)),
        (Some(_), None) => {}
    }
    of(text)
}

/// Shows characters unchanged; `more` says how to continue if there are more.
pub(super) fn characters(page: &CharacterPage, noun: &str, more: impl Fn() -> String) -> ToolReply {
    let mut text = page.text.clone();
    if let Some(name) = page.binary {
        notice(&mut text, &wording::binary(name));
    }
    if page.has_more && page.shown.0 < page.shown.1 {
        notice(&mut text, &more());
    } else if text.is_empty() {
        notice(&mut text, &wording::empty_range(page.size_bytes, noun));
    }
    of(text)
}

/// Shows lines as grep does: `12:` before matches, `12-` before context, `--` between groups with
/// context; `12@345:` with a match's position, which `positions` has for each match.
pub(super) fn grep(found: &SearchResult, query: &GrepQuery, shown_as: &Grep, positions: &[u64]) -> ToolReply {
    let page = &found.matches;
    let mut text = String::new();
    lines(&mut text, &page.matches, query, shown_as, positions, begins_within_line(query));
    let read_on = read_on(&page.matches, shown_as, positions);
    notice(&mut text, &wording::found(found, query, shown_as.limit, read_on));
    of(text)
}

/// Shows the lines of several artifacts, each with a heading; `positions` has the positions of each
/// artifact's matches.
pub(super) fn grep_all(
    found: &FoundInAll,
    query: &GrepQuery,
    shown_as: &Grep,
    positions: &[Vec<u64>],
) -> ToolReply {
    let mut text = String::new();
    let mut truncated = None;
    for (group, positions) in found.page.groups.iter().zip(positions) {
        if !text.is_empty() {
            text.push('\n');
        }
        text += &format!("{}: {}\n", heading(&group.artifact), wording::in_group(group, query));
        let is_within = found.begins_within_line && group.total.is_none();
        lines(&mut text, &group.matches, query, shown_as, positions, is_within);
        let read_on = || read_on(&group.matches, shown_as, positions);
        truncated = truncated.or_else(|| Some(format!("{} of {}", read_on()?, group.artifact.id)));
    }
    notice(&mut text, &wording::found_in_all(found, query, shown_as.limit, truncated));
    of(text)
}

/// Adds matching lines and their context. `is_within` says that the first match is not the first
/// one in its line.
fn lines(
    text: &mut String,
    matches: &[Match],
    query: &GrepQuery,
    shown_as: &Grep,
    positions: &[u64],
    is_within: bool,
) {
    let groups = query.before_context > 0 || query.after_context > 0;
    let mut shown = None;
    for (index, m) in matches.iter().enumerate() {
        let first = m.line.saturating_sub(m.before.len() as u64);
        if groups && shown.is_some_and(|line| line + 1 < first) {
            *text += "--\n";
        }
        for (context, line) in m.before.iter().zip(first..) {
            *text += &format!("{line}-{context}\n");
        }
        let has_position = match shown_as.position {
            MatchPosition::Byte => index == 0 && is_within || has_several(matches, index),
            MatchPosition::Character => true,
            MatchPosition::Nothing => false,
        };
        match positions.get(index).filter(|_| has_position) {
            Some(position) => *text += &format!("{}@{position}:{}\n", m.line, m.text),
            None => *text += &format!("{}:{}\n", m.line, m.text),
        }
        for (context, line) in m.after.iter().zip(m.line + 1..) {
            *text += &format!("{line}-{context}\n");
        }
        shown = Some(m.line + m.after.len() as u64);
    }
}

/// Says where the first truncated line can be read, unless each of its matches is shown with its
/// position.
fn read_on(matches: &[Match], shown_as: &Grep, positions: &[u64]) -> Option<String> {
    let has_positions = (0..matches.len()).any(|index| has_several(matches, index));
    if has_positions && shown_as.position != MatchPosition::Nothing {
        return None;
    }
    let index = matches.iter().position(|m| m.clipped)?;
    Some((shown_as.read_on)(&matches[index], positions.get(index).copied().unwrap_or_default()))
}

/// Returns whether there is another match in the line of this one.
fn has_several(matches: &[Match], index: usize) -> bool {
    let is_same = |other: Option<&Match>| other.is_some_and(|other| other.line == matches[index].line);
    is_same(matches.get(index + 1)) || index > 0 && is_same(matches.get(index - 1))
}

/// Shows the outputs of a filter, which its tool calls `argument`, or the artifact in which they were
/// saved, and then, if there is space, how the content was parsed.
pub(super) fn jq(outputs: &Outputs, argument: &str, max: usize) -> ToolReply {
    if let Some(saved) = &outputs.saved {
        return self::saved(saved, outputs, max);
    }
    let mut text = outputs.text.clone();
    let failure = outputs.failure.as_ref().map(|failure| wording::with_hint(&failure.message, outputs));
    // A line feed and two brackets surround the notice.
    let left = max.saturating_sub(text.len() + 3);
    let status = match (&failure, &outputs.next) {
        (Some(failure), _) if text.is_empty() => {
            text = with_ellipsis(failure.clone(), max);
            String::new()
        }
        (Some(failure), _) => with_ellipsis(wording::failed(failure), left),
        (None, Some(cursor)) => {
            // The cursor is never truncated.
            let more = wording::more_outputs(cursor, argument);
            with_ellipsis(wording::with_hint(&more, outputs), left.max(more.len()))
        }
        (None, None) if text.is_empty() => {
            with_ellipsis(wording::with_hint(&wording::no_outputs(argument), outputs), left)
        }
        (None, None) => with_ellipsis(outputs.hint.clone().unwrap_or_default(), left),
    };
    let left = max.saturating_sub(text.len() + 3);
    let full = match &outputs.parsed_as {
        Some(parsed_as) if status.is_empty() => parsed_as.clone(),
        Some(parsed_as) => format!("{parsed_as}; {status}"),
        None => status.clone(),
    };
    let shown = if full.len() <= left { full } else { status };
    if !shown.is_empty() {
        notice(&mut text, &shown);
    }
    ToolReply { is_error: failure.is_some(), ..of(text) }
}

/// Bytes of a reply about saved outputs besides their shape: more than the longest id needs, and
/// those of the line in brackets.
const SAVED_BYTES: usize = 256 + NOTICE_BYTES;

/// Returns the bytes of the shape of saved outputs, for a reply of `max` bytes.
pub(super) fn shape_bytes(max: usize) -> usize {
    max.saturating_sub(SAVED_BYTES).clamp(MIN_OUTLINE_BYTES, DEFAULT_OUTLINE_BYTES)
}

/// Describes the artifact in which a filter's outputs were saved, with the keys of an envelope. A small
/// page omits the shape.
fn saved(saved: &SavedOutputs, outputs: &Outputs, max: usize) -> ToolReply {
    let artifact = &saved.artifact;
    let mut text = format!(
        "{{\n  \"artifact_id\": {},\n  \"size_bytes\": {},\n  \"line_count\": {},\n  \"outputs\": {},\n  \"media_type\": {}",
        quote(&artifact.id),
        artifact.size_bytes,
        artifact.line_count,
        saved.count,
        quote(&artifact.media_type)
    );
    let shape = format!(",\n  \"shape\": {}", saved.shape.json);
    if text.len() + shape.len() + "\n}".len() <= max {
        text += &shape;
    }
    text += "\n}";
    let notes: Vec<&str> = outputs.parsed_as.iter().chain(&outputs.hint).map(String::as_str).collect();
    let left = max.saturating_sub(text.len() + 3);
    if !notes.is_empty() && left >= NOTICE_BYTES {
        notice(&mut text, &with_ellipsis(notes.join("; "), left));
    }
    of(text)
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
