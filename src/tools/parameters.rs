//! The parameters of each tool: what the schemas offer and the parser accepts.

use crate::model::ArtifactTool;

/// A parameter of a tool.
pub(super) struct Parameter {
    pub name: &'static str,
    pub value_type: ParameterType,
    pub required: bool,
}

/// The type of a parameter's values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ParameterType {
    Text,
    /// An integer of at least this.
    Integer(u64),
    /// A line: counted from 1, or negative and counted from the end.
    Line,
    Flag,
}

impl ParameterType {
    /// Returns the name of the type in JSON Schema.
    pub(super) fn schema_type(self) -> &'static str {
        match self {
            ParameterType::Text => "string",
            ParameterType::Integer(_) | ParameterType::Line => "integer",
            ParameterType::Flag => "boolean",
        }
    }
}

const fn required(name: &'static str) -> Parameter {
    Parameter { name, value_type: ParameterType::Text, required: true }
}

const fn optional(name: &'static str, value_type: ParameterType) -> Parameter {
    Parameter { name, value_type, required: false }
}

/// Returns a tool's parameters, in the order of its schema.
pub(super) fn of(tool: ArtifactTool) -> &'static [Parameter] {
    match tool {
        ArtifactTool::Read => {
            &const {
                [
                    required("artifact_id"),
                    optional("start_line", ParameterType::Line),
                    optional("end_line", ParameterType::Integer(1)),
                    optional("start_byte", ParameterType::Integer(0)),
                    optional("end_byte", ParameterType::Integer(0)),
                    optional("cursor", ParameterType::Text),
                ]
            }
        }
        ArtifactTool::Grep => {
            &const {
                [
                    required("artifact_id"),
                    required("pattern"),
                    optional("fixed_string", ParameterType::Flag),
                    optional("ignore_case", ParameterType::Flag),
                    optional("invert", ParameterType::Flag),
                    optional("context", ParameterType::Integer(0)),
                    optional("before_context", ParameterType::Integer(0)),
                    optional("after_context", ParameterType::Integer(0)),
                    optional("max_matches", ParameterType::Integer(0)),
                    optional("cursor", ParameterType::Text),
                ]
            }
        }
        ArtifactTool::Jq => {
            &const {
                [
                    required("artifact_id"),
                    required("filter"),
                    optional("raw", ParameterType::Flag),
                    optional("compact", ParameterType::Flag),
                    optional("slurp", ParameterType::Flag),
                    optional("null_input", ParameterType::Flag),
                    optional("cursor", ParameterType::Text),
                ]
            }
        }
    }
}
