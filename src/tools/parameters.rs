//! The parameters of a tool: what its schema offers and the parser accepts.

/// What a call of a tool looks like.
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
    /// For the model, with the default.
    pub description: &'static str,
}

/// The type of a parameter's values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ParameterType {
    Text,
    /// A text whose schema says that it is not empty.
    NonEmpty,
    /// One of these texts.
    Choice(&'static [&'static str]),
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
            ParameterType::Text | ParameterType::NonEmpty | ParameterType::Choice(_) => "string",
            ParameterType::Integer(_) | ParameterType::Line => "integer",
            ParameterType::Flag => "boolean",
        }
    }
}

/// Creates a parameter that has to be passed.
pub(super) const fn required(name: &'static str, description: &'static str) -> Parameter {
    Parameter { name, value_type: ParameterType::Text, required: true, description }
}

/// Creates a parameter that may be omitted.
pub(super) const fn optional(
    name: &'static str,
    value_type: ParameterType,
    description: &'static str,
) -> Parameter {
    Parameter { name, value_type, required: false, description }
}

/// The parameter that continues a query where an earlier reply ended.
pub(super) const CURSOR: Parameter = optional(
    "cursor",
    ParameterType::Text,
    "Where to go on: the cursor that the last reply ended with, with the other arguments unchanged. Leave it out to start over.",
);
