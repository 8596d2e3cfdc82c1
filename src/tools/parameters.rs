//! What each tool takes.

use super::wording;
use crate::model::ArtifactTool;
use tuckaway_json::write::quote;

/// An argument of a tool.
pub(super) struct Parameter {
    pub name: &'static str,
    pub kind: Kind,
    pub required: bool,
}

/// What an argument is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Text,
    /// Of at least this.
    Integer(u64),
    /// From 1, or below 0 and counted from the end.
    Line,
    Flag,
}

impl Kind {
    /// The type as JSON Schema names it.
    fn schema_type(self) -> &'static str {
        match self {
            Kind::Text => "string",
            Kind::Integer(_) | Kind::Line => "integer",
            Kind::Flag => "boolean",
        }
    }
}

const fn required(name: &'static str) -> Parameter {
    Parameter { name, kind: Kind::Text, required: true }
}

const fn optional(name: &'static str, kind: Kind) -> Parameter {
    Parameter { name, kind, required: false }
}

/// A tool's arguments, in the order of its schema.
pub(super) fn of(tool: ArtifactTool) -> &'static [Parameter] {
    match tool {
        ArtifactTool::Read => {
            &const {
                [
                    required("artifact_id"),
                    optional("start_line", Kind::Line),
                    optional("end_line", Kind::Integer(1)),
                    optional("start_byte", Kind::Integer(0)),
                    optional("end_byte", Kind::Integer(0)),
                    optional("cursor", Kind::Text),
                ]
            }
        }
        ArtifactTool::Grep => {
            &const {
                [
                    required("artifact_id"),
                    required("pattern"),
                    optional("fixed_string", Kind::Flag),
                    optional("ignore_case", Kind::Flag),
                    optional("invert", Kind::Flag),
                    optional("context", Kind::Integer(0)),
                    optional("before_context", Kind::Integer(0)),
                    optional("after_context", Kind::Integer(0)),
                    optional("max_matches", Kind::Integer(0)),
                    optional("cursor", Kind::Text),
                ]
            }
        }
        ArtifactTool::Jq => {
            &const {
                [
                    required("artifact_id"),
                    required("filter"),
                    optional("raw", Kind::Flag),
                    optional("compact", Kind::Flag),
                    optional("cursor", Kind::Text),
                ]
            }
        }
    }
}

/// A tool's arguments as a JSON Schema.
pub(super) fn schema(tool: ArtifactTool) -> String {
    let property = |parameter: &Parameter| {
        format!(
            "{}:{{\"type\":\"{}\",\"description\":{}}}",
            quote(parameter.name),
            parameter.kind.schema_type(),
            quote(wording::parameter(tool, parameter.name))
        )
    };
    let parameters = of(tool);
    let properties: Vec<String> = parameters.iter().map(property).collect();
    let required: Vec<String> = parameters.iter().filter(|p| p.required).map(|p| quote(p.name)).collect();
    format!(
        "{{\"type\":\"object\",\"properties\":{{{}}},\"required\":[{}],\"additionalProperties\":false}}",
        properties.join(","),
        required.join(",")
    )
}
