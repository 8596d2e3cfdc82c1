//! The queries as tools for a model: schemas, JSON arguments and replies as text.
//!
//! ```text
//! arguments ─► parse ─► query ─► render ─► reply
//! ```
//!
//! `dialects` has the tools, one table for each dialect: names, parameters, texts, and the
//! query that each runs. Mistakes that a model can correct are replies to the model; other
//! errors are returned to the host.

mod arguments;
pub(crate) mod dialects;
mod media;
mod parameters;
pub(crate) mod pinned;
mod reply;
mod schema;
#[cfg(test)]
mod tests;
mod wording;

use tuckaway_contract::{
    ArtifactTool, DefinitionOptions, Dialect, Error, ErrorKind, ExtractionMode, Match, StoreError,
    ToolDefinition, ToolReply, is_artifact_id,
};
use tuckaway_extraction::answer_head;

use crate::artifact;
use crate::ports::Store;
use crate::query::read::LineStyle;
use crate::query::{self, Source, Target, truncated};
use arguments::Arguments;
use dialects::handle::ExtractionArguments;
use dialects::{Grep, MatchPosition, Missing, Query, Reading, Table, Tool};
use schema::Detail;

/// Returns the definitions of the given tools in a dialect, in the order read, grep, jq;
/// none in a final turn. `tool_output` is not defined while the store is empty. Tools that have a
/// brief description get brief definitions unless the options ask for details.
///
/// The schemas allow no additional properties, and use only the keywords `type`,
/// `description`, `properties`, `required` and `additionalProperties`, which every
/// provider accepts; that of `tool_output` has `minLength` and `enum` too.
pub fn definitions(
    store: &dyn Store,
    tools: &[ArtifactTool],
    options: &DefinitionOptions,
) -> Vec<ToolDefinition> {
    let DefinitionOptions { dialect, is_final_turn, is_detailed } = *options;
    let is_empty = || dialect == Dialect::Handle && artifact::list(store).is_ok_and(|all| all.is_empty());
    if is_final_turn || is_empty() {
        return Vec::new();
    }
    let detail = if is_detailed { Detail::Full } else { Detail::Brief };
    let offered = dialects::table(dialect).tools.iter().filter(|tool| tool.is_offered(tools));
    offered.map(|tool| definition(tool, detail)).collect()
}

/// Returns the definition of a tool. A tool without a brief description is defined in full.
fn definition(tool: &Tool, detail: Detail) -> ToolDefinition {
    let (description, detail) = match tool.brief {
        Some(brief) if detail == Detail::Brief => (brief, detail),
        _ => (tool.description, Detail::Full),
    };
    ToolDefinition {
        name: tool.name.to_owned(),
        description: description.to_owned(),
        input_schema: schema::of(tool.parameters, tool.schema_members, detail),
    }
}

/// Runs a tool that a model called; `arguments` is JSON, and the whole reply has at
/// most `max_bytes`.
///
/// A mistake that the model can correct is a reply with `is_error`: arguments, ids, patterns,
/// filters, content that a query does not support, a limit. Errors: `invalid-input` for a name that
/// no artifact tool has and for a `max_bytes` under 256, `unsupported` for a valid call of
/// `tool_output` that needs a model, and `store` for a failure of the store.
pub fn call(
    store: &dyn Store,
    name: &str,
    arguments: &str,
    max_bytes: Option<u32>,
) -> Result<ToolReply, Error> {
    let max = query::page_bytes(max_bytes)?;
    let (table, tool) = dialects::find(name)
        .ok_or_else(|| Error::invalid(wording::unknown_tool(tuckaway_text::cut::head(name, 80))))?;
    match run(store, table, tool, arguments, max) {
        // Text can always be read, but only an extraction can answer a question.
        Err(error) if error.kind == ErrorKind::Unsupported && matches!(tool.query, Query::Read(_)) => {
            Err(error)
        }
        result => replied(result, max),
    }
}

/// Turns a mistake of the model into a reply.
fn replied(result: Result<ToolReply, Error>, max: usize) -> Result<ToolReply, Error> {
    match result {
        Err(error) if matches!(error.kind, ErrorKind::Store | ErrorKind::Tokens) => Err(error),
        Err(error) => Ok(reply::error(&error, max)),
        reply => reply,
    }
}

/// Parses the arguments of a call of `tool_output`: the handle, the instructions, and the mode
/// (`auto` if there is none).
///
/// Errors: `invalid-input`, with instructions for the model.
pub(crate) fn extraction_arguments(arguments: &str) -> Result<(String, String, ExtractionMode), Error> {
    let ExtractionArguments { handle, extract, mode } = ExtractionArguments::parse(arguments)?;
    Ok((handle, extract, mode))
}

/// Returns the id of the artifact that a model names.
fn resolve(store: &dyn Store, table: &Table, named: &str) -> Result<String, Error> {
    let id = (table.resolve)(store, named.trim())?;
    match table.missing {
        Some(missing) if !is_artifact_id(&id) => {
            let shown = tuckaway_text::cut::head(&id, 160);
            Err(Error::new(ErrorKind::NotFound, missing(Missing::NotFound, shown)))
        }
        _ => Ok(id),
    }
}

/// Explains in the words of the dialect with `tool_output` that an artifact is missing.
pub(crate) fn in_words_of_handles(store: &dyn Store, error: Error, id: &str) -> Error {
    in_words(store, error, dialects::table(Dialect::Handle), id)
}

/// Explains in the words of a dialect that an artifact is missing.
fn in_words(store: &dyn Store, error: Error, table: &Table, id: &str) -> Error {
    let Some(missing) = table.missing else { return error };
    let why = match error.kind {
        ErrorKind::NotFound => Missing::NotFound,
        // The error does not carry the store's metadata, so the store is asked again.
        ErrorKind::Expired => match store.stat(id) {
            Err(StoreError::Expired(expiry)) => Missing::Expired(expiry),
            _ => Missing::Expired(None),
        },
        _ => return error,
    };
    Error::new(error.kind, missing(why, id))
}

fn run(store: &dyn Store, table: &Table, tool: &Tool, json: &str, max: usize) -> Result<ToolReply, Error> {
    let arguments = Arguments::parse(&tool.signature(), json)?;
    let named = tool.parameters.first().and_then(|first| arguments.text(first.name));
    if let (Query::Grep(grep), None) = (&tool.query, named) {
        return search_all(store, table, grep, &arguments, max);
    }
    let id = resolve(store, table, named.unwrap_or_default())?;
    let target = Target { store, id: &id, words: table.words };
    answer(&target, tool, &arguments, max).map_err(|error| in_words(store, error, table, &id))
}

/// Searches all artifacts: a call of a search whose artifact is optional, and omitted.
fn search_all(
    store: &dyn Store,
    table: &Table,
    grep: &Grep,
    arguments: &Arguments,
    max: usize,
) -> Result<ToolReply, Error> {
    let query = grep.query(arguments);
    let found = query::grep::search_all(store, &query, max, reply::ALL_NOTICE_BYTES)?;
    let positions = found.page.groups.iter().map(|group| {
        let target = Target { store, id: &group.artifact.id, words: table.words };
        positions(&target, grep, &group.matches)
    });
    let positions = positions.collect::<Result<Vec<_>, Error>>()?;
    Ok(reply::grep_all(&found, &query, grep, &positions))
}

/// Returns the position that is shown with each match.
fn positions(target: &Target<'_>, grep: &Grep, matches: &[Match]) -> Result<Vec<u64>, Error> {
    let bytes: Vec<u64> = matches.iter().map(|m| m.byte_offset).collect();
    match grep.position {
        MatchPosition::Character => query::characters::before(target, &bytes),
        MatchPosition::Byte | MatchPosition::Nothing => Ok(bytes),
    }
}

/// Runs a tool's query on an artifact.
fn answer(target: &Target<'_>, tool: &Tool, arguments: &Arguments, max: usize) -> Result<ToolReply, Error> {
    match &tool.query {
        Query::Read(reading) => read(target, reading, arguments, max),
        Query::Grep(grep) => {
            let query = grep.query(arguments);
            let found = query::grep::search(target, &query, max - reply::NOTICE_BYTES)?;
            let positions = positions(target, grep, &found.matches.matches)?;
            Ok(reply::grep(&found, &query, grep, &positions))
        }
        Query::Jq(argument) => {
            let query = dialects::jq(arguments, argument)?;
            let outputs = match &query.save_as {
                Some(name) => query::jq::save(target, &query, name, reply::shape_bytes(max))?,
                None => query::jq::page(target, &query, max - reply::failure_bytes(max))?,
            };
            Ok(reply::jq(&outputs, argument, max))
        }
    }
}

/// Reads an artifact, or describes it if the call reads a file that a model may be able to see or hear.
///
/// Errors: `unsupported` for a question that needs a model, and those of the query.
fn read(
    target: &Target<'_>,
    reading: &Reading,
    arguments: &Arguments,
    max: usize,
) -> Result<ToolReply, Error> {
    let Target { store, id, words } = *target;
    let artifact = artifact::stat(store, id)?;
    if !media::is_part(arguments)
        && let Some(media) = media::of(store, &artifact)
    {
        return Ok(reply::media(media, words));
    }
    if let Reading::Extract = reading {
        let mode = dialects::handle::mode(arguments);
        if mode != ExtractionMode::Truncate {
            return Err(Error::unsupported(wording::needs_extraction(mode.name())));
        }
    }
    let source = Source::of(store, artifact, words)?;
    let page_bytes = max - reply::NOTICE_BYTES;
    Ok(match reading {
        Reading::Lines { range, more } => {
            let page = query::read::page(&source, &range(arguments)?, LineStyle::Numbered, page_bytes)?;
            reply::read(&page, words.noun, *more)
        }
        Reading::Characters { range, more } => {
            let (start, end) = range(arguments);
            let page = query::characters::page(&source, start, end, page_bytes)?;
            reply::characters(&page, words.noun, || more(&page, end))
        }
        Reading::Extract => {
            let head = answer_head(&source.artifact().tool, id, ExtractionMode::Truncate);
            let text = truncated::text(&source, max.saturating_sub(head.len()))?;
            reply::of(head + &text)
        }
    })
}
