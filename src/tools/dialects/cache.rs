//! The dialect of the compaction document (docs/origins.md): `tool_output_cache` reads by line,
//! `tool_output_cache_grep` searches.

use tuckaway_contract::{ArtifactTool, CacheConfig, Error, LineRange, Match, Policy, Range, has_expired};
use tuckaway_conversation::cache;

use super::{Grep, MatchPosition, Message, Missing, Query, Reading, Stored, Table, Tool, View, own_id};
use crate::query::read::ReadPage;
use crate::query::{self, Words};
use crate::tools::arguments::Arguments;
use crate::tools::parameters::{
    AFTER, BEFORE, CURSOR, IGNORE_CASE, MAX_MATCHES, Parameter, ParameterType, optional, required,
};
use crate::tools::{schema, wording};

pub(super) const TABLE: Table = Table {
    tools: &[READ, GREP],
    words: &Words { noun: "tool output", literal: "omit regex", bytes: "", ..query::ARTIFACT },
    resolve: own_id,
    missing: Some(missing),
    view: View::Message(Message { write: view, max_bytes: view_bytes, counts_tokens: false }),
};

const ID: Parameter =
    required("ref_id", "The reference of the tool output: the text after ref= in its note.");

pub(super) const OFFSET: Parameter = optional(
    "offset",
    ParameterType::Integer(0),
    "Lines to skip: 0 begins with line 1, 200 with line 201. Default: 0.",
);

pub(super) const LIMIT: Parameter = optional(
    "limit",
    ParameterType::Integer(0),
    "Maximum lines to return. Default: as many as fit in a reply.",
);

pub(super) const WITHIN_LINE: Parameter = optional(
    "cursor",
    ParameterType::Text,
    "Only to continue within a line that is longer than a reply: the cursor at the end of the last reply.",
);

const READ: Tool = Tool {
    name: "tool_output_cache",
    flags: &[ArtifactTool::Read],
    description: "Read a tool output that was truncated or trimmed, by its reference (ref=...). Returns lines with their numbers, as many as fit in a reply; if there are more, the reply ends with the offset of the next line. Ask for the lines you need with offset and limit rather than for everything, and find them with tool_output_cache_grep first where you can.",
    brief: None,
    parameters: &[ID, OFFSET, LIMIT, WITHIN_LINE],
    schema_members: schema::MEMBERS,
    query: Query::Read(Reading::Lines { range, more }),
};

const GREP: Tool = Tool {
    name: "tool_output_cache_grep",
    flags: &[ArtifactTool::Grep],
    description: "Search a tool output that was truncated or trimmed, by its reference (ref=...), for the lines that contain a text or match a regular expression: `12:` marks a matching line, `12-` a line of context. Long lines are truncated to an excerpt around each match (`…` marks omitted text). Use it to locate something, then tool_output_cache to read around it: line 12 is at offset 11.",
    brief: None,
    parameters: &[
        ID,
        required("pattern", "Text to search for; a regular expression if regex is true."),
        optional(
            "regex",
            ParameterType::Flag,
            "Treat the pattern as a regular expression (Rust syntax, linear time: no look-around, no backreferences). Default: false.",
        ),
        IGNORE_CASE,
        BEFORE,
        AFTER,
        MAX_MATCHES,
        CURSOR,
    ],
    schema_members: schema::MEMBERS,
    query: Query::Grep(Grep {
        literal: Some(("regex", false)),
        ignore_case: ("ignore_case", true),
        limit: "max_matches",
        position: MatchPosition::Nothing,
        read_on,
    }),
};

/// Returns the lines after `offset`, at most `limit`; a cursor takes precedence.
pub(super) fn range(arguments: &Arguments) -> Result<Range, Error> {
    if let Some(cursor) = arguments.cursor() {
        return Ok(Range::Cursor(cursor));
    }
    let offset = arguments.integer("offset").unwrap_or(0);
    // Models pass 0 for a number that they do not want to set.
    let limit = arguments.integer("limit").filter(|&limit| limit > 0);
    let end = limit.map_or(u64::MAX, |limit| offset.saturating_add(limit));
    Ok(Range::Lines(LineRange { start: offset.saturating_add(1).min(end), end }))
}

/// Returns how to continue: at an offset, or, within a line, with a cursor.
pub(super) fn more(page: &ReadPage, cursor: &str) -> String {
    let lines = wording::lines_of(page);
    let last = page.lines.map_or(0, |(_, last)| last);
    if page.ends_within_line {
        return format!(
            "{lines}, up to the middle of line {last}; for the rest, call again with cursor \"{cursor}\" instead of offset and limit"
        );
    }
    let limit = match page.last_line {
        Some(end) => format!(" and limit {}", end.saturating_sub(last)),
        None => String::new(),
    };
    format!("{lines}, up to the page limit; for more, call again with offset {last}{limit}")
}

pub(super) fn read_on(cut: &Match, _: u64) -> String {
    format!("read line {} in full at offset {}", cut.line, cut.line.saturating_sub(1))
}

fn missing(why: Missing, id: &str) -> String {
    match why {
        Missing::NotFound => format!(
            "There is no tool output with the reference {id:?} in this session; pass as ref_id exactly the text after ref= in its note."
        ),
        Missing::Expired(expiry) => {
            format!("The tool output with the reference {id:?}{}", has_expired(expiry.as_ref()))
        }
    }
}

/// Maximum bytes of a view; the default is from the compaction document, section 1.3.
fn view_bytes(policy: &Policy) -> u64 {
    policy.max_view_bytes.unwrap_or_else(|| CacheConfig::default().max_message_bytes)
}

/// Shows the first lines, and where to continue reading (the compaction document, section 1.6).
fn view(stored: &Stored<'_>, max_bytes: usize) -> String {
    let artifact = stored.artifact;
    let max_line = CacheConfig::default().max_line_length as usize;
    // The number of lines that fit decides which note follows; either note must fit.
    let all = artifact.line_count;
    let longest = note(stored, all.saturating_sub(1)).len().max(note(stored, all).len());
    let space = max_bytes.saturating_sub(longest + "\n".len());
    let (head, lines) = cache::head(stored.text, max_line, space);
    head + &note(stored, if stored.is_text { lines } else { 0 })
}

/// Returns the planner's note, with the tools that the model can call.
fn note(stored: &Stored<'_>, offset: u64) -> String {
    let artifact = stored.artifact;
    let cut =
        tuckaway_conversation::truncation_note(artifact.size_bytes, artifact.line_count, Some(&artifact.id));
    let read = match offset < artifact.line_count {
        true => format!("{} continues at offset {offset}", READ.name),
        false => format!("{} has the lines in full", READ.name),
    };
    let tools = [(ArtifactTool::Read, read), (ArtifactTool::Grep, format!("{} searches", GREP.name))];
    let callable: Vec<String> =
        tools.into_iter().filter(|(tool, _)| stored.has(*tool)).map(|(_, text)| text).collect();
    match callable.is_empty() {
        true => format!("[{cut}]"),
        false => format!("[{cut}: {}]", callable.join(", ")),
    }
}
