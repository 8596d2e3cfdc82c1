//! The dialect of the offloading document (docs/origins.md): `artifact_read`, `artifact_grep`,
//! `artifact_jq`.

use tuckaway_contract::{ArtifactTool, ByteRange, Error, LineRange, Match, Range};

use super::{Grep, MatchPosition, Query, Reading, Table, Tool, View, own_id};
use crate::query::{self, read::ReadPage};
use crate::tools::arguments::Arguments;
use crate::tools::parameters::{
    COMPACT, CURSOR, FIXED_STRING, IGNORE_CASE, MAX_MATCHES, PATTERN, Parameter, ParameterType, RAW,
    optional, required,
};
use crate::tools::{schema, wording};

pub(super) const TABLE: Table = Table {
    tools: &[READ, GREP, JQ],
    words: &query::ARTIFACT,
    resolve: own_id,
    missing: None,
    view: View::Envelope,
};

const ID: Parameter =
    required("artifact_id", "The artifact's id, exactly as its envelope shows it.").brief("");

const ID_OR_ALL: Parameter = optional(
    "artifact_id",
    ParameterType::Text,
    "The artifact's id, exactly as its envelope shows it. Default: search all stored artifacts, newest first.",
)
.brief("Default: all");

const READ: Tool = Tool {
    name: "artifact_read",
    flags: &[ArtifactTool::Read],
    description: "Read a stored artifact: the full output of an earlier tool call that was too large to show. Returns lines with their numbers, one bounded page at a time; if there is more, the reply ends with a cursor. Ask for the lines you need (start_line, end_line) rather than for everything, and find them with artifact_grep or artifact_jq first where you can. Content without line breaks can be read by byte offsets instead.",
    brief: Some(
        "Read lines or bytes of a stored tool output. Find them with artifact_grep or artifact_jq first.",
    ),
    parameters: &[
        ID,
        optional(
            "start_line",
            ParameterType::Line,
            "First line to read, from 1; a negative number counts from the end: -100 reads the last 100 lines. Default: 1.",
        )
        .brief("From 1; -100: the last 100 lines"),
        optional(
            "end_line",
            ParameterType::Integer(1),
            "Last line to read, included. Default: the last line.",
        )
        .brief(""),
        optional(
            "start_byte",
            ParameterType::Integer(0),
            "First byte to read, from 0; instead of lines. Default: 0.",
        )
        .brief(""),
        optional(
            "end_byte",
            ParameterType::Integer(0),
            "Byte before which to stop; instead of lines. Default: the end.",
        )
        .brief(""),
        CURSOR,
    ],
    schema_members: schema::MEMBERS,
    query: Query::Read(Reading::Lines { range, more }),
};

const GREP: Tool = Tool {
    name: "artifact_grep",
    flags: &[ArtifactTool::Grep],
    description: "Search a stored artifact for the lines that match a regular expression, as grep does: `12:` marks a matching line, `12-` a line of context. Long lines are truncated to excerpts around their matches (`…` marks omitted text); each match in them is shown as `12@3456:`, with the byte at which artifact_read can continue (start_byte). Use it to locate something, then artifact_read to read around it. Set fixed_string to search for characters such as ( [ . * literally.",
    brief: Some(
        "Search stored outputs for lines that match a regular expression. 12@3456: is line 12, start_byte 3456.",
    ),
    parameters: &[
        ID_OR_ALL,
        PATTERN,
        FIXED_STRING,
        IGNORE_CASE,
        optional("invert", ParameterType::Flag, "Return the lines that do not match. Default: false."),
        optional(
            "context",
            ParameterType::Integer(0),
            "Lines to show before and after each match, at most 100. Default: 0.",
        )
        .brief(""),
        optional(
            "before_context",
            ParameterType::Integer(0),
            "Lines to show before each match, at most 100. Default: context.",
        ),
        optional(
            "after_context",
            ParameterType::Integer(0),
            "Lines to show after each match, at most 100. Default: context.",
        ),
        MAX_MATCHES,
        CURSOR,
    ],
    schema_members: schema::MEMBERS,
    query: Query::Grep(Grep {
        literal: Some(("fixed_string", true)),
        ignore_case: ("ignore_case", true),
        limit: "max_matches",
        position: MatchPosition::Byte,
        read_on,
    }),
};

const JQ: Tool = Tool {
    name: "artifact_jq",
    flags: &[ArtifactTool::Jq],
    description: "Query a stored JSON, CSV, YAML or TOML artifact with a jq filter, e.g. '.results[0]', '.rows | length', '[.rows[] | select(.score > 0.5) | {id, score}]', 'group_by(.status) | map({status: .[0].status, n: length})'. The shape in the artifact's envelope shows the keys. Count, select and aggregate in the filter rather than reading rows; outputs come in bounded pages. On NDJSON and YAML the filter runs once for each document: to count or group them, set slurp, e.g. with 'group_by(.level) | map({level: .[0].level, n: length})'. CSV and TSV are one array with an object for each record.",
    brief: Some(
        "Run a jq filter on stored JSON, CSV (an array of objects), YAML or TOML. Count and select in the filter. NDJSON, YAML: runs once for each document, or with slurp once for all.",
    ),
    parameters: &[
        ID,
        required("filter", "The jq filter, e.g. '.items[] | select(.price > 100) | .name'.").brief(""),
        RAW,
        COMPACT,
        optional(
            "slurp",
            ParameterType::Flag,
            "Run the filter once on an array of all documents (NDJSON, YAML), like jq -s. Default: false.",
        )
        .brief(""),
        optional(
            "null_input",
            ParameterType::Flag,
            "Run the filter once on null, like jq -n: inputs are the documents, e.g. 'reduce inputs as $x ({}; .[$x.level] += 1)'. Default: false.",
        ),
        optional(
            "variables",
            ParameterType::Bindings,
            "Other artifacts that the filter uses: 'users=ID teams=ID' makes their parsed contents $users and $teams, at most 8. Several documents (NDJSON, YAML) are an array.",
        )
        .brief("x=ID: another artifact as $x"),
        optional(
            "save_as",
            ParameterType::Text,
            "Store all outputs as a new artifact of this name, e.g. 'open-issues', one on each line, instead of showing them. The reply has its id and shape.",
        )
        .brief("Name of a new artifact for the outputs"),
        CURSOR,
    ],
    schema_members: schema::MEMBERS,
    query: Query::Jq("filter"),
};

/// Returns an envelope's explanation of a tool.
pub(crate) fn how_to_access(tool: ArtifactTool) -> &'static str {
    match tool {
        ArtifactTool::Read => "Read full content or a line range (start_line/end_line)",
        ArtifactTool::Grep => "Search for patterns with grep",
        ArtifactTool::Jq => "Query with jq expressions, e.g. '.results[0]', '.[] | select(.score > 0.5)'",
    }
}

const LINES_AND_BYTES: &str = "Pass start_line and end_line, or start_byte and end_byte, but not both.";

const FROM_END_TO_LINE: &str = "A negative start_line reads to the last line: omit end_line.";

/// Returns the range to read; a cursor takes precedence.
fn range(arguments: &Arguments) -> Result<Range, Error> {
    if let Some(cursor) = arguments.cursor() {
        return Ok(Range::Cursor(cursor));
    }
    let lines = (arguments.integer("start_line"), arguments.integer("end_line"));
    let bytes = (arguments.integer("start_byte"), arguments.integer("end_byte"));
    if let (Some(count), (None, None)) = (arguments.lines_from_end("start_line"), bytes) {
        return match lines {
            (_, None) => Ok(Range::LastLines(count)),
            (_, Some(_)) => Err(Error::invalid(FROM_END_TO_LINE)),
        };
    }
    if arguments.lines_from_end("start_line").is_some() {
        return Err(Error::invalid(LINES_AND_BYTES));
    }
    match (lines, bytes) {
        ((start, end), (None, None)) => {
            Ok(Range::Lines(LineRange { start: start.unwrap_or(1), end: end.unwrap_or(u64::MAX) }))
        }
        ((None, None), (start, end)) => {
            Ok(Range::Bytes(ByteRange { start: start.unwrap_or(0), end: end.unwrap_or(u64::MAX) }))
        }
        _ => Err(Error::invalid(LINES_AND_BYTES)),
    }
}

fn more(page: &ReadPage, cursor: &str) -> String {
    format!(
        "{}, up to the page limit; for more, call again with cursor \"{cursor}\"",
        wording::lines_of(page)
    )
}

fn read_on(cut: &Match, byte: u64) -> String {
    format!("read on from byte {byte} (the match in line {})", cut.line)
}
