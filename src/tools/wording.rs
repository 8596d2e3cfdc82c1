//! Texts that a model reads in more than one dialect.

use tuckaway_contract::{
    ArtifactMatches, Dialect, Error, ErrorKind, GrepQuery, MAX_MEDIA_BYTES, Match, MediaKind, Outputs,
    SkippedArtifact, StoredMedia,
};

use super::parameters::{Parameter, ParameterType, Signature};
use crate::query::Words;
use crate::query::grep::{End, FoundInAll, SearchResult};
use crate::query::read::ReadPage;
use tuckaway_text::{counted, human_bytes};

pub(super) fn no_outputs(argument: &str) -> String {
    format!("the {argument} produced no output")
}

/// Names the tools of the contract's own dialect, for a host that passes another name.
pub(super) fn unknown_tool(name: &str) -> String {
    let names: Vec<&str> = Dialect::Artifact.tool_names().collect();
    format!("{name:?} is not an artifact tool; use one of {}.", names.join(", "))
}

/// Explains that an extraction has to run a call of `tool_output`.
pub(super) fn needs_extraction(mode: &str) -> String {
    format!(
        "tool_output in mode {mode} needs a model: run an extraction (interface extraction) with these arguments and pass on its answer, or call again with mode truncate."
    )
}

/// Refuses a file that a sub-agent was not given.
pub(super) fn other_file(given: &str, own: &str) -> String {
    format!("There is no file {given:?} here: the only one is {own:?}. Pass it as filename.")
}

/// Refuses a tool that a sub-agent does not have.
pub(super) fn only_read_and_grep(name: &str) -> String {
    format!("There is no tool {name:?} here: call Read or Grep.")
}

fn parameter_names(tool: &Signature) -> String {
    let names: Vec<&str> = tool.parameters.iter().map(|parameter| parameter.name).collect();
    names.join(", ")
}

pub(super) fn invalid_json(tool: &Signature, why: &str) -> String {
    format!(
        "The arguments of {} are not valid JSON: {why}. Pass an object with {}.",
        tool.name,
        parameter_names(tool)
    )
}

pub(super) fn not_an_object(tool: &Signature) -> String {
    format!("The arguments of {} must be a JSON object with {}.", tool.name, parameter_names(tool))
}

pub(super) fn unknown_argument(tool: &Signature, name: &str) -> String {
    format!("{} has no argument {name:?}; it takes {}.", tool.name, parameter_names(tool))
}

pub(super) fn missing_argument(tool: &Signature, parameter: &Parameter) -> String {
    format!("{} needs the argument {}: {}", tool.name, parameter.name, parameter.description)
}

pub(super) fn wrong_type(name: &str, expected: ParameterType, given: &str) -> String {
    let expected = match expected {
        ParameterType::Text | ParameterType::NonEmpty => "a string".to_owned(),
        ParameterType::Choice(choices) => format!("one of {}", choices.join(", ")),
        ParameterType::Integer(least) => format!("an integer of at least {least}"),
        ParameterType::Line => "an integer of at least 1, or a negative one to count from the end".to_owned(),
        ParameterType::Flag => "true or false".to_owned(),
        ParameterType::Bindings => "names and artifact ids, such as \"users=ID teams=ID\"".to_owned(),
    };
    format!("The argument {name} must be {expected}, not {given}.")
}

/// Refuses a word of a filter's variables that binds no name.
pub(super) fn malformed_variables(word: &str) -> String {
    format!(
        "The argument variables must bind names to artifact ids, such as \"users=ID teams=ID\"; {:?} does not.",
        tuckaway_text::cut::head(word, 80)
    )
}

pub(super) fn empty_range(size: u64, noun: &str) -> String {
    match size {
        0 => format!("the {noun} is empty"),
        size => format!("nothing in this range; the {noun} has {size} bytes"),
    }
}

pub(super) fn binary(name: &str) -> String {
    format!("this is not text: {name}")
}

/// Describes a file that a model may be able to see or hear. Says whether it is too large to be shown, and
/// how to read its bytes.
pub(super) fn media(media: &StoredMedia, words: &Words) -> String {
    let what = match media.kind {
        MediaKind::Image => "an image",
        MediaKind::Pdf => "a PDF document",
        MediaKind::Audio => "an audio recording",
    };
    let shown = match media.size_bytes <= MAX_MEDIA_BYTES {
        true => "",
        false => " It is not shown, because a reply has files of at most 3932160 bytes.",
    };
    let (noun, media_type, size) = (words.noun, &media.media_type, media.size_bytes);
    format!("The {noun} is {what} ({media_type}, {size} bytes).{shown}{}", words.bytes)
}

/// Returns the lines that a page shows, and the total number of lines.
pub(super) fn lines_of(page: &ReadPage) -> String {
    let (first, last) = page.lines.unwrap_or_default();
    let lines = if first == last { format!("line {first}") } else { format!("lines {first}-{last}") };
    format!("{lines} of {}", page.line_count)
}

/// Returns a summary of the search. `limit` names the argument that limits the matches, and
/// `read_on` says where truncated lines can be read.
pub(super) fn found(found: &SearchResult, query: &GrepQuery, limit: &str, read_on: Option<String>) -> String {
    let page = &found.matches;
    let mut text = match page.total {
        Some(0) => {
            return format!(
                "{}: searched {}, {}{}",
                nothing(query),
                counted(found.lines, "line"),
                human_bytes(found.size_bytes),
                escapes(found.has_escapes, query)
            );
        }
        None if page.matches.is_empty() => {
            format!("no more matches: searched {} lines from the cursor on", found.lines)
        }
        total => {
            let is_all = page.next.is_none();
            counts(&page.matches, total.map(|total| (total, page.match_count, is_all)), query)
        }
    };
    if let Some(cursor) = &page.next {
        let bound = if found.all_asked_for { limit } else { "the page limit" };
        text += &format!(
            ", limited by {bound}: narrow the pattern or, for more, call again with cursor \"{cursor}\""
        );
    } else if let Some(read_on) = read_on {
        text += &format!("; long lines are truncated: {read_on}");
    }
    text
}

fn nothing(query: &GrepQuery) -> &'static str {
    if query.invert { "no line without a match" } else { "no line matches" }
}

/// Explains why a search may have found nothing in content with terminal sequences.
fn escapes(has_escapes: bool, query: &GrepQuery) -> &'static str {
    match has_escapes && !query.invert {
        true => "; terminal sequences (colours) separate words: search for one word, without ^ or $",
        false => "",
    }
}

/// Returns a number of selected lines with its noun.
fn selected(lines: u64, query: &GrepQuery) -> String {
    match query.invert {
        false => counted(lines, "matching line"),
        true => format!("{} without a match", counted(lines, "line")),
    }
}

/// Counts the matches that a page shows: as lines, unless a line has several.
fn shown(parts: &[&[Match]], query: &GrepQuery) -> String {
    let count = parts.iter().map(|matches| matches.len() as u64).sum();
    let has_several = parts.iter().any(|matches| matches.windows(2).any(|pair| pair[0].line == pair[1].line));
    if has_several { format!("{count} matches") } else { selected(count, query) }
}

/// Counts the matches that are shown, and those that exist: the lines, the matches (none if they
/// were too many to count), and whether all are shown.
fn counts(matches: &[Match], existing: Option<(u64, Option<u64>, bool)>, query: &GrepQuery) -> String {
    let Some((total, match_count, is_all)) = existing else {
        return format!("{} on this page", shown(&[matches], query));
    };
    let all = match match_count {
        Some(count) if count > total => format!("{count} matches in {}", selected(total, query)),
        Some(_) => selected(total, query),
        None => format!("too many matches to count in {}", selected(total, query)),
    };
    if is_all { all } else { format!("{} of {all}", matches.len()) }
}

/// Returns the counts of matches in the heading of an artifact.
pub(super) fn in_group(group: &ArtifactMatches, query: &GrepQuery) -> String {
    let shown = group.matches.len() as u64;
    let is_all = group.match_count.is_some_and(|count| count <= shown);
    counts(&group.matches, group.total.map(|total| (total, group.match_count, is_all)), query)
}

/// Returns a summary of a search of all artifacts, as [`found`] does for one.
pub(super) fn found_in_all(
    found: &FoundInAll,
    query: &GrepQuery,
    limit: &str,
    read_on: Option<String>,
) -> String {
    let page = &found.page;
    if page.searched + page.remaining == 0 && page.skipped.is_empty() {
        return "nothing is stored in this session yet, so there is nothing to search".to_owned();
    }
    let what = match (page.groups.len() as u64, &query.cursor) {
        (0, None) => nothing(query).to_owned(),
        (0, Some(_)) => "no more matches".to_owned(),
        (groups, _) => {
            let parts: Vec<&[Match]> = page.groups.iter().map(|group| &group.matches[..]).collect();
            format!("{} in {}", shown(&parts, query), counted(groups, "artifact"))
        }
    };
    let (so_far, done) = match found.end {
        Some(_) => (" so far", "searched to the end"),
        None => ("", "searched"),
    };
    let mut text = format!(
        "{what}{so_far}; {done}: {}, {}",
        counted(page.searched, "artifact"),
        human_bytes(page.searched_bytes)
    );
    if page.groups.is_empty() {
        text += escapes(found.has_escapes, query);
    }
    text += &unread(&page.skipped);
    if let (Some(cursor), Some(end)) = (&page.next, found.end) {
        let (bound, narrow) = match end {
            End::Matches => (limit, "narrow the pattern or, "),
            End::Bytes => ("the page limit", "narrow the pattern or, "),
            End::Reads => ("what one call reads", ""),
        };
        text += &format!(
            "; left: {}, limited by {bound}: {narrow}for more, call again with cursor \"{cursor}\"",
            counted(page.remaining, "artifact")
        );
    } else if let Some(read_on) = read_on {
        text += &format!("; long lines are truncated: {read_on}");
    }
    text
}

/// Names artifacts that a search could not read.
fn unread(skipped: &[SkippedArtifact]) -> String {
    /// The artifacts that are named.
    const NAMED: usize = 2;
    let why = |error: &Error| match error.kind {
        ErrorKind::Unsupported => "binary",
        ErrorKind::Expired => "expired",
        ErrorKind::NotFound => "deleted",
        _ => "unreadable",
    };
    let named: Vec<String> = skipped
        .iter()
        .take(NAMED)
        .map(|skipped| format!("{} ({})", skipped.artifact.id, why(&skipped.error)))
        .collect();
    match skipped.len().checked_sub(NAMED) {
        _ if named.is_empty() => String::new(),
        None | Some(0) => format!("; not searched: {}", named.join(", ")),
        Some(others) => format!("; not searched: {} and {others} more", named.join(", ")),
    }
}

pub(super) fn more_outputs(cursor: &str, argument: &str) -> String {
    format!("up to the page limit: narrow the {argument} or, for more, call again with cursor \"{cursor}\"")
}

/// Appends the outputs' hint, if any.
pub(super) fn with_hint(text: &str, outputs: &Outputs) -> String {
    match &outputs.hint {
        Some(hint) => format!("{}; {hint}", text.trim_end_matches('.')),
        None => text.to_owned(),
    }
}

pub(super) fn failed(message: &str) -> String {
    format!("stopped after these outputs: {message}")
}
