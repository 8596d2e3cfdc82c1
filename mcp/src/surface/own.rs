//! The two tools that stand for the tools that are not listed, or not listed in full.

use serde_json::{Value, json};

use super::catalogue::Catalogue;

/// The tool that calls another one.
pub const CALL: &str = "call_tool";

/// The tool that returns the definition of another one.
pub const SCHEMA: &str = "get_tool_schema";

/// The argument of both with the name of a tool.
pub const NAME: &str = "tool_name";

/// The argument of [`CALL`] with the arguments of the tool.
pub const ARGUMENTS: &str = "arguments";

/// The tools called through [`CALL`], taken together.
#[derive(Clone, Copy, Debug)]
pub struct Behind {
    /// Whether all of them only read.
    pub only_reads: bool,
    /// Whether one of them may destroy something.
    pub may_destroy: bool,
    /// Whether one of them may reach the outside world.
    pub is_open: bool,
    /// Whether one of them takes a filter for its result.
    pub takes_filter: bool,
    /// The maximum characters of a result that one of them wants the client to show.
    pub max_chars: Option<u64>,
}

impl Default for Behind {
    fn default() -> Self {
        Behind { only_reads: true, may_destroy: false, is_open: false, takes_filter: false, max_chars: None }
    }
}

impl Behind {
    /// Adds a tool. A hint that is missing has the default that MCP specifies.
    pub fn add(&mut self, tool: &Value, takes_filter: bool, max_chars: Option<u64>) {
        let hint = |name: &str, default: bool| tool["annotations"][name].as_bool().unwrap_or(default);
        let only_reads = hint("readOnlyHint", false);
        self.only_reads &= only_reads;
        self.may_destroy |= !only_reads && hint("destructiveHint", true);
        self.is_open |= hint("openWorldHint", true);
        self.takes_filter |= takes_filter;
        self.max_chars = self.max_chars.max(max_chars);
    }
}

/// Returns the definition of [`SCHEMA`].
pub fn schema_tool(hides_tools: bool) -> Value {
    let (description, required) = match hides_tools {
        true => (
            "Returns the full description and input schema of a tool for call_tool; without tool_name, the list of all tools.",
            json!([]),
        ),
        false => (
            "Returns the full description and input schema of a tool that is listed shortened.",
            json!([NAME]),
        ),
    };
    json!({
        "name": SCHEMA,
        "title": "Get a tool's schema",
        "description": description,
        "inputSchema": {
            "type": "object",
            "properties": { NAME: { "type": "string" } },
            "required": required,
        },
        "annotations": {
            "title": "Get a tool's schema",
            "readOnlyHint": true,
            "destructiveHint": false,
            "idempotentHint": true,
            "openWorldHint": false,
        },
    })
}

/// Returns the definition of [`CALL`], whose description has at most `max` bytes.
pub fn call_tool(catalogue: &Catalogue, behind: Behind, max: usize) -> Value {
    const INTRODUCTION: &str = "Calls one of the tools below by its name. Unless its arguments are clear, call get_tool_schema first.\n\n";
    let lines = catalogue.lines(max.saturating_sub(INTRODUCTION.len()));
    let mut properties = json!({
        NAME: { "type": "string" },
        ARGUMENTS: { "type": "object", "additionalProperties": true },
    });
    if behind.takes_filter {
        properties[crate::reduce::FILTER_ARGUMENT] = crate::reduce::filter_argument();
    }
    let mut tool = json!({
        "name": CALL,
        "title": "Call a tool",
        "description": format!("{INTRODUCTION}{lines}"),
        "inputSchema": { "type": "object", "properties": properties, "required": [NAME] },
        "annotations": {
            "title": "Call a tool",
            "readOnlyHint": behind.only_reads,
            "destructiveHint": behind.may_destroy,
            "idempotentHint": behind.only_reads,
            "openWorldHint": behind.is_open,
        },
    });
    if let Some(max_chars) = behind.max_chars {
        tool["_meta"] = json!({ crate::reduce::MAX_CHARS: max_chars });
    }
    tool
}
