//! Texts that a model reads in more than one dialect.

use tuckaway_contract::{Dialect, GrepQuery, Outputs};

use super::parameters::{Parameter, ParameterType, Signature};
use crate::query::grep::SearchResult;
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
    };
    format!("The argument {name} must be {expected}, not {given}.")
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

/// Returns the lines that a page shows, and the total number of lines.
pub(super) fn lines_of(page: &ReadPage) -> String {
    let (first, last) = page.lines.unwrap_or_default();
    let lines = if first == last { format!("line {first}") } else { format!("lines {first}-{last}") };
    format!("{lines} of {}", page.line_count)
}

/// Returns a summary of the search. `limit` names the argument that limits the matches, and
/// `read_on` says where truncated lines can be read.
pub(super) fn found(found: &SearchResult, query: &GrepQuery, limit: &str, read_on: Option<String>) -> String {
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
                true => "; terminal sequences (colours) separate words: search for one word, without ^ or $",
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
                None => format!("too many matches to count in {}", wanted(total)),
            };
            match next {
                Some(_) => format!("{shown} of {all}"),
                None => all,
            }
        }
        (None, _) if shown == 0 => {
            format!("no more matches: searched {} lines from the cursor on", found.lines)
        }
        (None, _) if has_several => format!("{shown} matches on this page"),
        (None, _) => format!("{} on this page", wanted(shown)),
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
