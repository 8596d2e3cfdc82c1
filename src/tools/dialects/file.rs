//! The dialect of the virtual-tools document (docs/origins.md): files, `read_large_output` by
//! characters, `search_large_output`, `query_large_output`.

use tuckaway_contract::{ArtifactTool, Match, Policy, has_expired};

use super::{Grep, MatchPosition, Message, Missing, Query, Reading, Stored, Table, Tool, View, file_names};
use crate::policy::preview_characters;
use crate::query::Words;
use crate::query::characters::CharacterPage;
use crate::tools::arguments::Arguments;
use crate::tools::parameters::{
    COMPACT, CURSOR, MATCHES_PER_REPLY, PATTERN, Parameter, ParameterType, RAW, optional, required,
};
use crate::tools::schema;
use tuckaway_text::{counted, cut, human_bytes};

pub(super) const TABLE: Table = Table {
    tools: &[READ, SEARCH, QUERY],
    words: &Words { noun: "file", literal: "put a backslash before each", bytes: "", shows_positions: true },
    resolve: file_names::resolve,
    missing: Some(missing),
    view: View::Message(Message { write: summary, max_bytes: summary_bytes, counts_tokens: false }),
};

/// Maximum bytes of the summary without its preview.
const FIXED_BYTES: u64 = 1_024;

const FILENAME: Parameter =
    required("filename", "Name of the saved file, exactly as in the summary message.");

const READ: Tool = Tool {
    name: "read_large_output",
    flags: &[ArtifactTool::Read],
    description: "Read a range of characters from a saved tool output, chunk by chunk: start=0, end=10000, then start=10000, end=20000. A reply has as many characters as fit; if the file has more, the reply ends with the start for the next call. To find where something is, call search_large_output first.",
    brief: None,
    parameters: &[
        FILENAME,
        optional("start", ParameterType::Integer(0), "Starting character position, from 0. Default: 0."),
        optional(
            "end",
            ParameterType::Integer(0),
            "Ending character position, not included. Default: as many as fit in a reply.",
        ),
    ],
    schema_members: schema::MEMBERS,
    query: Query::Read(Reading::Characters { range, more }),
};

const SEARCH: Tool = Tool {
    name: "search_large_output",
    flags: &[ArtifactTool::Grep],
    description: "Search a saved tool output for the lines that match a regular expression: `12@3456:` is line 12, whose match begins at character 3456, where read_large_output can continue (start). Long lines are truncated to an excerpt around each match (`…` marks omitted text).",
    brief: None,
    parameters: &[
        FILENAME,
        PATTERN,
        optional(
            "case_sensitive",
            ParameterType::Flag,
            "Whether upper and lower case ASCII letters differ. Default: false.",
        ),
        optional("max_results", ParameterType::Integer(0), MATCHES_PER_REPLY),
        CURSOR,
    ],
    schema_members: schema::MEMBERS,
    query: Query::Grep(Grep {
        literal: None,
        ignore_case: ("case_sensitive", false),
        limit: "max_results",
        position: MatchPosition::Character,
        read_on,
    }),
};

const QUERY: Tool = Tool {
    name: "query_large_output",
    flags: &[ArtifactTool::Jq],
    description: "Run a jq query on a saved tool output that is JSON, CSV, YAML or TOML, e.g. '.results[] | select(.status == \"active\") | .name', '.rows | length'. Count, select and aggregate in the query rather than reading rows. On NDJSON and YAML the query runs once for each document; '[., inputs]' at the start makes one array of all documents. CSV is one array with an object for each record.",
    brief: None,
    parameters: &[
        FILENAME,
        required("query", "The jq query, e.g. '.items[] | select(.price > 100) | .name'."),
        COMPACT,
        RAW,
        CURSOR,
    ],
    schema_members: schema::MEMBERS,
    query: Query::Jq("query"),
};

fn range(arguments: &Arguments) -> (u64, Option<u64>) {
    let end = arguments.integer("end");
    // Models pass 0 for a number that they do not want to set.
    (arguments.integer("start").unwrap_or(0), end.filter(|&end| end > 0))
}

fn more(page: &CharacterPage, end: Option<u64>) -> String {
    let (first, next) = page.shown;
    // The page is full before the requested end.
    let end = end.filter(|&end| end > next).map_or(String::new(), |end| format!(", end={end}"));
    format!(
        "characters {first} to {next} of a file of {}; for more, call again with start={next}{end}",
        human_bytes(page.size_bytes)
    )
}

fn read_on(cut: &Match, character: u64) -> String {
    format!("read on from start={character} (the match in line {})", cut.line)
}

fn missing(why: Missing, name: &str) -> String {
    match why {
        Missing::NotFound => {
            format!("file not found: {name:?}. Pass the exact filename from the summary message.")
        }
        Missing::Expired(expiry) => format!("The file {name:?}{}", has_expired(expiry.as_ref())),
    }
}

fn summary_bytes(policy: &Policy) -> u64 {
    FIXED_BYTES + u64::from(policy.preview_bytes)
}

/// Says where an output is saved and how to inspect it, and shows its first characters: half as
/// many as the threshold has tokens. They come last, so that they cannot imitate text that follows
/// them.
fn summary(stored: &Stored<'_>, max_bytes: usize) -> String {
    let artifact = stored.artifact;
    let file = file_names::name_of(stored.store, artifact);
    let mut text = format!(
        "Tool output was large and saved to file: {file}\nIt has {} in {}.",
        counted(artifact.size_bytes, "byte"),
        counted(artifact.line_count, "line")
    );
    let uses = [
        (ArtifactTool::Read, READ.name, "start, end", "a range of characters"),
        (ArtifactTool::Grep, SEARCH.name, "pattern", "the lines that match a regular expression"),
        (ArtifactTool::Jq, QUERY.name, "query", "the results of a jq query"),
    ];
    let callable: Vec<_> = uses.iter().filter(|(tool, ..)| stored.has(*tool)).collect();
    if !callable.is_empty() {
        text += "\nInspect it with this exact filename, without reading all of it:";
        for (_, name, arguments, what) in callable {
            text += &format!("\n- {name}(filename, {arguments}): {what}");
        }
    }
    let space = max_bytes.saturating_sub(text.len());
    text + &preview(stored, space)
}

/// Returns the first characters with their heading, in at most `space` bytes, or nothing.
fn preview(stored: &Stored<'_>, space: usize) -> String {
    const HEADING_BYTES: usize = 64;
    let space = space.saturating_sub(HEADING_BYTES).min(stored.policy.preview_bytes as usize);
    let most = stored.text.char_indices().nth(preview_characters(stored.policy));
    let most = most.map_or(stored.text.len(), |(at, _)| at);
    let shown = cut::head(stored.text, most.min(space));
    match shown.is_empty() {
        true => String::new(),
        false if stored.is_text => {
            format!(
                "\n\nPreview (the first {}):\n{shown}",
                counted(shown.chars().count() as u64, "character")
            )
        }
        false => format!("\n\n{shown}"),
    }
}
