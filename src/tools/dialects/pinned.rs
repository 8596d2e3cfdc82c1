//! The tools of an extraction's sub-agent (seed 002 §3): `Read` and `Grep` on one artifact,
//! whose file name is its id. No model of a host meets them, so they are in no dialect.

use super::cache::{LIMIT, OFFSET, WITHIN_LINE, more, range, read_on};
use super::{Grep, Place, Query, Table, Tool, View, own_id};
use crate::model::ArtifactTool;
use crate::query::{self, Words};
use crate::tools::parameters::{
    AFTER, BEFORE, CURSOR, FIXED_STRING, IGNORE_CASE, MAX_MATCHES, PATTERN, Parameter, required,
};
use crate::tools::schema;

pub(in crate::tools) const TABLE: Table = Table {
    tools: &[READ, GREP],
    words: &Words { noun: "file", literal: "set fixed_string to true", ..query::ARTIFACT },
    resolve: own_id,
    missing: None,
    view: View::Envelope,
};

const FILENAME: Parameter = required("filename", "The filename, exactly as the instructions gave it.");

const READ: Tool = Tool {
    name: "Read",
    flags: &[ArtifactTool::Read],
    description: "Read lines of the file with their numbers, as many as fit a reply; if there are more, the reply ends with the offset of the next.",
    parameters: &[FILENAME, OFFSET, LIMIT, WITHIN_LINE],
    schema_members: schema::MEMBERS,
    query: Query::Read { range, more },
};

const GREP: Tool = Tool {
    name: "Grep",
    flags: &[ArtifactTool::Grep],
    description: "Search the file for the lines that match a regular expression: `12:` marks a matching line, `12-` a line of context. Long lines are cut to an excerpt around each match (`…` marks the cuts). Line 12 is at offset 11 of Read.",
    parameters: &[FILENAME, PATTERN, FIXED_STRING, IGNORE_CASE, BEFORE, AFTER, MAX_MATCHES, CURSOR],
    schema_members: schema::MEMBERS,
    query: Query::Grep(Grep {
        literal: Some(("fixed_string", true)),
        ignore_case: ("ignore_case", true),
        limit: "max_matches",
        place: Place::Nothing,
        read_on,
    }),
};
