//! The parameters of a tool, as its schema offers and the parser accepts them.

/// The signature of a tool's calls.
#[derive(Clone, Copy)]
pub(crate) struct Signature {
    pub name: &'static str,
    pub parameters: &'static [Parameter],
}

/// A parameter of a tool.
#[derive(Debug)]
pub(crate) struct Parameter {
    pub name: &'static str,
    pub value_type: ParameterType,
    pub required: bool,
    /// A description for the model, including the default.
    pub description: &'static str,
    /// Its description in brief definitions: empty if the name says enough, and `None` if brief
    /// definitions do not have the parameter.
    pub brief: Option<&'static str>,
}

impl Parameter {
    /// Adds the parameter to brief definitions.
    pub(super) const fn brief(self, description: &'static str) -> Self {
        Parameter { brief: Some(description), ..self }
    }
}

/// The type of a parameter's values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ParameterType {
    Text,
    /// A text that must not be empty, according to the schema.
    NonEmpty,
    /// One of these texts.
    Choice(&'static [&'static str]),
    /// An integer of at least this.
    Integer(u64),
    /// A line: counted from 1, or negative and counted from the end.
    Line,
    Flag,
    /// Names and values: `name=value name=value`. The schema says string, because some providers
    /// refuse objects whose members it does not name; an object is accepted, too.
    Bindings,
}

impl ParameterType {
    /// Returns the name of the type in JSON Schema.
    pub(super) fn schema_type(self) -> &'static str {
        match self {
            ParameterType::Text
            | ParameterType::NonEmpty
            | ParameterType::Choice(_)
            | ParameterType::Bindings => "string",
            ParameterType::Integer(_) | ParameterType::Line => "integer",
            ParameterType::Flag => "boolean",
        }
    }
}

/// Creates a required parameter.
pub(super) const fn required(name: &'static str, description: &'static str) -> Parameter {
    Parameter { name, value_type: ParameterType::Text, required: true, description, brief: None }
}

/// Creates an optional parameter.
pub(super) const fn optional(
    name: &'static str,
    value_type: ParameterType,
    description: &'static str,
) -> Parameter {
    Parameter { name, value_type, required: false, description, brief: None }
}

/// The parameter that continues a query where an earlier reply ended.
pub(super) const CURSOR: Parameter = optional(
    "cursor",
    ParameterType::Text,
    "Where to continue: the cursor at the end of the last reply, with the other arguments unchanged. Omit it to start over.",
)
.brief("");

// Parameters of more than one dialect.

pub(super) const PATTERN: Parameter = required(
    "pattern",
    "Regular expression (Rust syntax, linear time: no look-around, no backreferences), matched against each line. E.g. 'ERROR|FATAL', 'status=5\\d\\d'.",
)
.brief("");

pub(super) const FIXED_STRING: Parameter = optional(
    "fixed_string",
    ParameterType::Flag,
    "Treat the pattern as plain text, not as a regular expression. Default: false.",
)
.brief("");

pub(super) const IGNORE_CASE: Parameter =
    optional("ignore_case", ParameterType::Flag, "Ignore the case of ASCII letters. Default: false.")
        .brief("");

pub(super) const BEFORE: Parameter = optional(
    "before",
    ParameterType::Integer(0),
    "Lines to show before each match, at most 100. Default: 0.",
);

pub(super) const AFTER: Parameter =
    optional("after", ParameterType::Integer(0), "Lines to show after each match, at most 100. Default: 0.");

/// Describes a limit of matches.
pub(super) const MATCHES_PER_REPLY: &str = "Matches per reply. Default: 100.";

pub(super) const MAX_MATCHES: Parameter =
    optional("max_matches", ParameterType::Integer(0), MATCHES_PER_REPLY).brief("");

pub(super) const RAW: Parameter =
    optional("raw", ParameterType::Flag, "Write strings without quotes or escapes. Default: false.")
        .brief("");

pub(super) const COMPACT: Parameter =
    optional("compact", ParameterType::Flag, "Write each output on one line, not indented. Default: false.")
        .brief("");
