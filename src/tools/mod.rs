//! The queries as tools for a model: schemas, JSON arguments and replies as text.
//!
//! ```text
//! arguments ─► parse ─► query ─► render ─► reply
//! ```
//!
//! The table in `parameters` defines the arguments, for `schema` and for the parser;
//! `wording` has all texts. Mistakes that a model can correct are replies to the
//! model; other errors are returned to the host.

mod arguments;
mod parameters;
pub mod pinned;
mod reply;
mod schema;
#[cfg(test)]
mod tests;
mod wording;

use crate::error::{Error, ErrorKind};
use crate::model::{ArtifactTool, ArtifactTools, GrepQuery, JqQuery, Range, ToolDefinition, ToolReply};
use crate::ports::Store;
use crate::query;
use arguments::Arguments;

/// Returns the definitions of the given tools, in the order read, grep, jq.
///
/// The schemas allow no additional properties, and use only the keywords `type`,
/// `description`, `properties`, `required` and `additionalProperties`, which every
/// provider accepts.
pub fn definitions(tools: &ArtifactTools) -> Vec<ToolDefinition> {
    let definition = |tool: ArtifactTool| ToolDefinition {
        name: tool.name().to_owned(),
        description: wording::description(tool).to_owned(),
        input_schema: schema::of(tool),
    };
    tools.iter().map(definition).collect()
}

/// Runs a tool that a model called; `arguments` is JSON, and the whole reply has at
/// most `max_bytes`.
///
/// A mistake that the model can correct is a reply with `is_error`: arguments, ids,
/// patterns, filters, content that a query does not support, a limit. Errors:
/// `invalid-input` for a name that is not an artifact tool's and for a `max_bytes`
/// under 256, `store` for a store that failed.
pub fn call(
    store: &dyn Store,
    name: &str,
    arguments: &str,
    max_bytes: Option<u32>,
) -> Result<ToolReply, Error> {
    let max = query::page_bytes(max_bytes)?;
    let tool = ArtifactTool::from_name(name)
        .ok_or_else(|| Error::invalid(wording::unknown_tool(tuckaway_text::cut::head(name, 80))))?;
    match run(store, tool, arguments, max) {
        Ok(reply) => Ok(reply),
        Err(error) if matches!(error.kind, ErrorKind::Store | ErrorKind::Tokens) => Err(error),
        Err(error) => Ok(reply::error(&error, max)),
    }
}

fn run(store: &dyn Store, tool: ArtifactTool, arguments: &str, max: usize) -> Result<ToolReply, Error> {
    let arguments = Arguments::parse(tool, arguments)?;
    let id = arguments.text("artifact_id").unwrap_or_default().trim().to_owned();
    let cursor = arguments.text("cursor").map(|cursor| cursor.trim().to_owned());
    match tool {
        ArtifactTool::Read => {
            let range = range(&arguments, cursor)?;
            let page = query::read::page(store, &id, &range, true, max - reply::NOTICE_BYTES)?;
            Ok(reply::read(&page))
        }
        ArtifactTool::Grep => {
            let context = arguments.integer("context");
            let lines = |name| saturated(arguments.integer(name).or(context).unwrap_or(0));
            let query = GrepQuery {
                pattern: arguments.text("pattern").unwrap_or_default().to_owned(),
                fixed_string: arguments.flag("fixed_string"),
                ignore_case: arguments.flag("ignore_case"),
                invert: arguments.flag("invert"),
                before_context: lines("before_context"),
                after_context: lines("after_context"),
                each_match: true,
                // Models pass 0 for a number that they do not want to set.
                max_matches: arguments.integer("max_matches").filter(|&most| most > 0).map(saturated),
                cursor,
            };
            let found = query::grep::search(store, &id, &query, max - reply::NOTICE_BYTES)?;
            Ok(reply::grep(&found, &query))
        }
        ArtifactTool::Jq => {
            let query = JqQuery {
                filter: arguments.text("filter").unwrap_or_default().to_owned(),
                raw: arguments.flag("raw"),
                compact: arguments.flag("compact"),
                slurp: arguments.flag("slurp"),
                null_input: arguments.flag("null_input"),
                max_steps: None,
                max_memory: None,
                cursor,
            };
            let outputs = query::jq::page(store, &id, &query, max - reply::failure_bytes(max))?;
            Ok(reply::jq(&outputs, max))
        }
    }
}

/// Clamps a number to `u32`: the query rejects both alike.
fn saturated(number: u64) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

/// Returns the range to read; a cursor takes precedence.
fn range(arguments: &Arguments, cursor: Option<String>) -> Result<Range, Error> {
    if let Some(cursor) = cursor {
        return Ok(Range::Cursor(cursor));
    }
    let lines = (arguments.integer("start_line"), arguments.integer("end_line"));
    let bytes = (arguments.integer("start_byte"), arguments.integer("end_byte"));
    if let (Some(count), (None, None)) = (arguments.lines_from_end("start_line"), bytes) {
        return match lines {
            (_, None) => Ok(Range::LastLines(count)),
            (_, Some(_)) => Err(Error::invalid(wording::FROM_END_TO_LINE)),
        };
    }
    if arguments.lines_from_end("start_line").is_some() {
        return Err(Error::invalid(wording::LINES_AND_BYTES));
    }
    match (lines, bytes) {
        ((start, end), (None, None)) => {
            Ok(Range::Lines { start: start.unwrap_or(1), end: end.unwrap_or(u64::MAX) })
        }
        ((None, None), (start, end)) => {
            Ok(Range::Bytes { start: start.unwrap_or(0), end: end.unwrap_or(u64::MAX) })
        }
        _ => Err(Error::invalid(wording::LINES_AND_BYTES)),
    }
}

/// Reads the arguments of a call of `tool_output`: handle, extract, mode.
pub fn extraction_arguments(
    arguments: &str,
) -> Result<(String, String, tuckaway_extraction::ExtractionMode), Error> {
    let _ = arguments;
    Err(Error::invalid("not there yet"))
}
