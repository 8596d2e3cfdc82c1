//! The tools of an extraction's sub-agent (the extraction document, section 3; docs/origins.md):
//! `Read` and `Grep` on one artifact, whose file name is its id. The agent's model never sees them,
//! so they belong to no dialect.

use tuckaway_contract::ArtifactTool;

use super::cache::{LIMIT, OFFSET, WITHIN_LINE, more, range, read_on};
use super::{Grep, MatchPosition, Query, Reading, Table, Tool, View, own_id};
use crate::query::{self, Words};
use crate::tools::parameters::{
    AFTER, BEFORE, CURSOR, FIXED_STRING, IGNORE_CASE, MAX_MATCHES, PATTERN, Parameter, required,
};
use crate::tools::schema;

pub(in crate::tools) const TABLE: Table = Table {
    tools: &[READ, GREP],
    words: &Words { noun: "file", bytes: "", ..query::ARTIFACT },
    resolve: own_id,
    missing: None,
    view: View::Envelope,
};

const FILENAME: Parameter = required("filename", "The filename, exactly as in the instructions.");

const READ: Tool = Tool {
    name: "Read",
    flags: &[ArtifactTool::Read],
    description: "Read lines of the file with their numbers, as many as fit in a reply; if there are more, the reply ends with the offset of the next line.",
    brief: None,
    parameters: &[FILENAME, OFFSET, LIMIT, WITHIN_LINE],
    schema_members: schema::MEMBERS,
    query: Query::Read(Reading::Lines { range, more }),
};

const GREP: Tool = Tool {
    name: "Grep",
    flags: &[ArtifactTool::Grep],
    description: "Search the file for the lines that match a regular expression: `12:` marks a matching line, `12-` a line of context. Long lines are truncated to an excerpt around each match (`…` marks omitted text). Line 12 is at offset 11 of Read.",
    brief: None,
    parameters: &[FILENAME, PATTERN, FIXED_STRING, IGNORE_CASE, BEFORE, AFTER, MAX_MATCHES, CURSOR],
    schema_members: schema::MEMBERS,
    query: Query::Grep(Grep {
        literal: Some(("fixed_string", true)),
        ignore_case: ("ignore_case", true),
        limit: "max_matches",
        position: MatchPosition::Nothing,
        read_on,
    }),
};
