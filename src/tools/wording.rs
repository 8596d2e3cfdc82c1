//! All texts of the tools that a model reads.

use super::parameters::{self, ParameterType};
use crate::model::{ArtifactTool, GrepQuery, Outputs};
use crate::query::grep::SearchResult;
use tuckaway_text::{counted, human_bytes};

/// Returns the description of a tool.
pub(super) fn description(tool: ArtifactTool) -> &'static str {
    match tool {
        ArtifactTool::Read => {
            "Read a stored artifact: the full output of an earlier tool call that was too large to show. Returns lines with their numbers, one bounded page at a time; if there is more, the reply ends with a cursor. Ask for the lines you need (start_line, end_line) rather than for everything, and find them with artifact_grep or artifact_jq first where you can. Content without line breaks can be read by byte offsets instead."
        }
        ArtifactTool::Grep => {
            "Search a stored artifact for the lines that match a regular expression, as grep does: `12:` marks a matching line, `12-` a line of context. Long lines are cut to an excerpt around the match (`…` marks the cuts); each match in one is shown, `12@3456:` with its byte, from which artifact_read can go on (start_byte). Use it to find where something is, then artifact_read to read around it. Set fixed_string to search for text with characters such as ( [ . * as it stands."
        }
        ArtifactTool::Jq => {
            "Query a stored JSON, CSV or YAML artifact with a jq filter, e.g. '.results[0]', '.rows | length', '[.rows[] | select(.score > 0.5) | {id, score}]', 'group_by(.status) | map({status: .[0].status, n: length})'. The shape in the artifact's envelope shows the keys. Count, select and aggregate in the filter rather than reading rows; outputs come in bounded pages. On NDJSON and YAML the filter runs once for each document: to count or group them, set slurp, e.g. with 'group_by(.level) | map({level: .[0].level, n: length})'. CSV and TSV are one array with an object for each record."
        }
    }
}

/// Returns the description of a parameter, with its default.
pub(super) fn parameter(tool: ArtifactTool, name: &str) -> &'static str {
    match (tool, name) {
        (_, "artifact_id") => "The artifact's id, exactly as its envelope gave it.",
        (_, "cursor") => {
            "Where to go on: the cursor that the last reply ended with, with the other arguments unchanged. Leave it out to start over."
        }
        (_, "start_line") => {
            "First line to read, from 1; a negative number counts from the end: -100 reads the last 100 lines. Default: 1."
        }
        (_, "end_line") => "Last line to read, included. Default: the last line.",
        (_, "start_byte") => "First byte to read, from 0; instead of lines. Default: 0.",
        (_, "end_byte") => "Byte before which to stop; instead of lines. Default: the end.",
        (_, "pattern") => {
            "Regular expression (Rust syntax, linear time: no look-around, no backreferences), matched against each line. E.g. 'ERROR|FATAL', 'status=5\\d\\d'."
        }
        (_, "fixed_string") => "Take the pattern as plain text, not as a regular expression. Default: false.",
        (_, "ignore_case") => "Ignore the case of ASCII letters. Default: false.",
        (_, "invert") => "Return the lines that do not match. Default: false.",
        (_, "context") => "Lines to show before and after each match, at most 100. Default: 0.",
        (_, "before_context") => "Lines to show before each match, at most 100. Default: context.",
        (_, "after_context") => "Lines to show after each match, at most 100. Default: context.",
        (_, "max_matches") => "Matches per reply. Default: 100.",
        (_, "filter") => "The jq filter, e.g. '.items[] | select(.price > 100) | .name'.",
        (_, "raw") => "Write strings without quotes and escapes. Default: false.",
        (_, "slurp") => {
            "Run the filter once on an array of all documents (NDJSON, YAML), like jq -s. Default: false."
        }
        (_, "null_input") => {
            "Run the filter once on null, like jq -n: inputs are the documents, e.g. 'reduce inputs as $x ({}; .[$x.level] += 1)'. Default: false."
        }
        (_, "compact") => "Write each output on one line, not indented. Default: false.",
        _ => "",
    }
}

pub(super) const LINES_AND_BYTES: &str =
    "Pass start_line and end_line, or start_byte and end_byte, but not both.";

pub(super) const FROM_END_TO_LINE: &str = "A negative start_line reads to the last line: leave end_line out.";

pub(super) const NO_OUTPUTS: &str = "no outputs: the filter gave none";

pub(super) fn unknown_tool(name: &str) -> String {
    let names = ArtifactTool::ALL.map(ArtifactTool::name).join(", ");
    format!("{name:?} is not an artifact tool; those are {names}.")
}

fn parameter_names(tool: ArtifactTool) -> String {
    let names: Vec<&str> = parameters::of(tool).iter().map(|parameter| parameter.name).collect();
    names.join(", ")
}

pub(super) fn invalid_json(tool: ArtifactTool, why: &str) -> String {
    format!(
        "The arguments of {} are not valid JSON: {why}. Pass an object with {}.",
        tool.name(),
        parameter_names(tool)
    )
}

pub(super) fn not_an_object(tool: ArtifactTool) -> String {
    format!("The arguments of {} have to be a JSON object with {}.", tool.name(), parameter_names(tool))
}

pub(super) fn unknown_argument(tool: ArtifactTool, name: &str) -> String {
    format!("{} has no argument {name:?}; it takes {}.", tool.name(), parameter_names(tool))
}

pub(super) fn missing_argument(tool: ArtifactTool, name: &str) -> String {
    format!("{} needs the argument {name}: {}", tool.name(), parameter(tool, name))
}

pub(super) fn wrong_type(name: &str, expected: ParameterType, given: &str) -> String {
    let expected = match expected {
        ParameterType::Text => "a string".to_owned(),
        ParameterType::Integer(least) => format!("an integer of at least {least}"),
        ParameterType::Line => "an integer of at least 1, or a negative one to count from the end".to_owned(),
        ParameterType::Flag => "true or false".to_owned(),
    };
    format!("The argument {name} has to be {expected}, not {given}.")
}

pub(super) fn empty_range(size: u64) -> String {
    match size {
        0 => "the artifact is empty".to_owned(),
        size => format!("nothing in this range; the artifact has {size} bytes"),
    }
}

pub(super) fn binary(name: &str) -> String {
    format!("this is no text: {name}")
}

pub(super) fn more_lines((first, last): (u64, u64), of: u64, cursor: &str) -> String {
    let lines = if first == last { format!("line {first}") } else { format!("lines {first}-{last}") };
    format!("{lines} of {of}, cut at the page's size; for more, call again with cursor \"{cursor}\"")
}

pub(super) fn found(found: &SearchResult, query: &GrepQuery) -> String {
    let (page, shown) = (&found.matches, found.matches.matches.len() as u64);
    let has_several = page.matches.windows(2).any(|pair| pair[0].line == pair[1].line);
    let wanted = |n: u64| match query.invert {
        false => counted(n, "matching line"),
        true => format!("{} without a match", counted(n, "line")),
    };
    let mut text = match (page.total, &page.next) {
        (Some(0), _) => {
            let what = if query.invert { "without a match" } else { "matches" };
            let hint = match found.has_escapes && !query.invert {
                true => {
                    "; terminal sequences (colours) are between words: search for one word, without ^ or $"
                }
                false => "",
            };
            return format!(
                "no line {what}: searched {}, {}{hint}",
                counted(found.lines, "line"),
                human_bytes(found.size_bytes)
            );
        }
        (Some(total), next) => {
            let all = match page.match_count {
                Some(count) if count > total => format!("{count} matches in {}", wanted(total)),
                Some(_) => wanted(total),
                None => format!("more matches than were counted in {}", wanted(total)),
            };
            match next {
                Some(_) => format!("{shown} of {all}"),
                None => all,
            }
        }
        (None, _) if shown == 0 => format!("no more: searched {} lines from the cursor on", found.lines),
        (None, _) if has_several => format!("{shown} matches on this page"),
        (None, _) => format!("{} on this page", wanted(shown)),
    };
    if let Some(cursor) = &page.next {
        let bound = if found.all_asked_for { "max_matches" } else { "the page's size" };
        text += &format!(
            ", cut at {bound}: narrow the pattern, or for more, call again with cursor \"{cursor}\""
        );
    } else if let Some(cut) = page.matches.iter().find(|m| m.clipped).filter(|_| !has_several) {
        text += &format!(
            "; where lines are cut, read on: the match of line {} is at byte {}",
            cut.line, cut.byte_offset
        );
    }
    text
}

pub(super) fn more_outputs(cursor: &str) -> String {
    format!("cut at the page's size: narrow the filter, or for more, call again with cursor \"{cursor}\"")
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
