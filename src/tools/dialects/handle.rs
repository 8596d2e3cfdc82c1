//! The dialect of the extraction document (docs/origins.md): a handle, and `tool_output`, which
//! extracts the information that a model describes in words. The message and the schema are taken
//! verbatim from the document.

use tuckaway_contract::{ArtifactTool, Error, ExtractionMode, Policy, has_expired};

use super::{Message, Missing, Query, Reading, Stored, Table, Tool, View, own_id};
use crate::query::{self, Words};
use crate::tools::arguments::Arguments;
use crate::tools::parameters::{Parameter, ParameterType};

pub(super) const TABLE: Table = Table {
    tools: &[TOOL],
    words: &Words { noun: "tool output", literal: "escape them", bytes: "", ..query::ARTIFACT },
    resolve: own_id,
    missing: Some(missing),
    view: View::Message(Message { write: too_large, max_bytes, counts_tokens: true }),
};

/// The strategies of an extraction; the first is the default.
const MODES: [&str; 4] = {
    let [auto, full_chunked, read_grep, truncate] = ExtractionMode::ALL;
    [auto.name(), full_chunked.name(), read_grep.name(), truncate.name()]
};

/// The extraction document, section 2b.
pub(crate) const TOOL: Tool = Tool {
    name: "tool_output",
    flags: &ArtifactTool::ALL,
    description: "Extract information from a tool output that was too large to show. Pass its handle, and in `extract` precise and detailed instructions about what you are looking for; the reply answers them. You can call it again with other instructions.",
    brief: None,
    parameters: &[
        Parameter {
            name: "handle",
            value_type: ParameterType::NonEmpty,
            required: true,
            description: "UUID handle of the stored tool output (provided in the tool-result message: tool_output(handle = \"<uuid>\", ...)).",
            brief: None,
        },
        Parameter {
            name: "extract",
            value_type: ParameterType::NonEmpty,
            required: true,
            description: "Provide precise, detailed instructions about what you need from the tool output (be specific, include keys/fields/sections if known).",
            brief: None,
        },
        Parameter {
            name: "mode",
            value_type: ParameterType::Choice(&MODES),
            required: false,
            description: "Optional override. auto=module decides; full-chunked=LLM chunk+reduce; read-grep=dynamic sub-agent with Read/Grep; truncate=keeps top and bottom, truncates in the middle.",
            brief: None,
        },
    ],
    schema_members: ["type", "additionalProperties", "required", "properties"],
    query: Query::Read(Reading::Extract),
};

/// The arguments of a call of `tool_output`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ExtractionArguments {
    /// The handle, as the model passed it.
    pub handle: String,
    /// The information to extract, in words.
    pub extract: String,
    /// The strategy; `auto` if the model named none.
    pub mode: ExtractionMode,
}

impl ExtractionArguments {
    /// Parses the arguments that a model passed.
    ///
    /// Errors: `invalid-input`, with instructions for the model.
    pub(crate) fn parse(json: &str) -> Result<Self, Error> {
        let arguments = Arguments::parse(&TOOL.signature(), json)?;
        let text = |name| arguments.text(name).unwrap_or_default().trim().to_owned();
        Ok(ExtractionArguments { handle: text("handle"), extract: text("extract"), mode: mode(&arguments) })
    }
}

/// Returns the strategy of a call; `auto` if the model named none.
pub(in crate::tools) fn mode(arguments: &Arguments) -> ExtractionMode {
    arguments.text("mode").and_then(ExtractionMode::from_name).unwrap_or(ExtractionMode::Auto)
}

fn missing(why: Missing, id: &str) -> String {
    match why {
        Missing::NotFound => format!(
            "There is no tool output with the handle {id:?} in this session; pass the handle exactly as the tool-result message gave it: tool_output(handle = \"<uuid>\", ...)."
        ),
        Missing::Expired(expiry) => {
            format!("The tool output with the handle {id:?}{}", has_expired(expiry.as_ref()))
        }
    }
}

fn max_bytes(_: &Policy) -> u64 {
    1_024
}

/// The extraction document, section 2a: the whole message.
fn too_large(stored: &Stored<'_>, _: usize) -> String {
    let artifact = stored.artifact;
    format!(
        "Tool output is too large ({} bytes, {} lines, {} tokens).\nCall tool_output(handle = \"{}\", extract = \"what to extract\").\nProvide precise and detailed instructions in `extract` about what you are looking for.",
        artifact.size_bytes, artifact.line_count, stored.tokens, artifact.id
    )
}
