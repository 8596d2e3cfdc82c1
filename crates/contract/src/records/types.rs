// Written by `cargo xtask contract` from wit/; do not edit.

//! The records of the interface `types`.

use serde::{Deserialize, Serialize};
#[cfg(feature = "component")]
use wasmtime::component::{ComponentType, Lift, Lower};

/// The kind of an error, for programs. `error.message` is for people and models.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(not(feature = "exhaustive"), non_exhaustive)]
#[cfg_attr(feature = "component", derive(ComponentType, Lift, Lower), component(enum))]
#[repr(u8)]
pub enum ErrorKind {
    /// An argument is malformed: a bad range, pattern, filter or policy.
    #[cfg_attr(feature = "component", component(name = "invalid-input"))]
    InvalidInput,
    /// The store never held this artifact.
    #[cfg_attr(feature = "component", component(name = "not-found"))]
    NotFound,
    /// The artifact has expired; the store no longer holds it.
    #[cfg_attr(feature = "component", component(name = "expired"))]
    Expired,
    /// The artifact's content does not support the query (jq on text).
    #[cfg_attr(feature = "component", component(name = "unsupported"))]
    Unsupported,
    /// The query reached one of its limits; a narrower query may succeed.
    #[cfg_attr(feature = "component", component(name = "limit"))]
    Limit,
    /// The host's store failed.
    #[cfg_attr(feature = "component", component(name = "store"))]
    Store,
    /// The host's tokenizer failed.
    #[cfg_attr(feature = "component", component(name = "tokens"))]
    Tokens,
}

impl ErrorKind {
    /// All cases, in the order of the contract.
    pub const ALL: [ErrorKind; 7] = [
        ErrorKind::InvalidInput,
        ErrorKind::NotFound,
        ErrorKind::Expired,
        ErrorKind::Unsupported,
        ErrorKind::Limit,
        ErrorKind::Store,
        ErrorKind::Tokens,
    ];

    /// Returns the name of the case, as JSON has it.
    pub const fn name(self) -> &'static str {
        match self {
            ErrorKind::InvalidInput => "invalid_input",
            ErrorKind::NotFound => "not_found",
            ErrorKind::Expired => "expired",
            ErrorKind::Unsupported => "unsupported",
            ErrorKind::Limit => "limit",
            ErrorKind::Store => "store",
            ErrorKind::Tokens => "tokens",
        }
    }

    /// Returns the case with this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|case| case.name() == name)
    }

    /// Returns the case with this index, as wit-bindgen asks for it; the first one if there is none.
    #[cfg(feature = "guest")]
    #[doc(hidden)]
    pub fn _lift(index: u8) -> Self {
        Self::ALL.get(usize::from(index)).copied().unwrap_or(Self::ALL[0])
    }
}

/// The only error of every export.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(not(feature = "exhaustive"), non_exhaustive)]
#[cfg_attr(feature = "component", derive(ComponentType, Lift, Lower), component(record))]
pub struct Error {
    /// The kind of the error.
    pub kind: ErrorKind,
    /// One or two sentences: what is wrong and what to do. At most 1 KiB.
    pub message: String,
    /// The parameters of the function, or fields of its records, that the message is about. If the
    /// message names them, it spells them in the same way.
    pub arguments: Vec<String>,
}

/// A kind of artifact tool; each dialect has its own name for it. Tools are listed in this order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "component", derive(ComponentType, Lift, Lower), component(enum))]
#[repr(u8)]
pub enum ArtifactTool {
    /// Reads part of an artifact.
    #[cfg_attr(feature = "component", component(name = "read"))]
    Read,
    /// Searches an artifact for a pattern.
    #[cfg_attr(feature = "component", component(name = "grep"))]
    Grep,
    /// Runs a jq filter on an artifact.
    #[cfg_attr(feature = "component", component(name = "jq"))]
    Jq,
}

impl ArtifactTool {
    /// All cases, in the order of the contract.
    pub const ALL: [ArtifactTool; 3] = [ArtifactTool::Read, ArtifactTool::Grep, ArtifactTool::Jq];

    /// Returns the name of the case, as JSON has it.
    pub const fn name(self) -> &'static str {
        match self {
            ArtifactTool::Read => "read",
            ArtifactTool::Grep => "grep",
            ArtifactTool::Jq => "jq",
        }
    }

    /// Returns the case with this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|case| case.name() == name)
    }

    /// Returns the case with this index, as wit-bindgen asks for it; the first one if there is none.
    #[cfg(feature = "guest")]
    #[doc(hidden)]
    pub fn _lift(index: u8) -> Self {
        Self::ALL.get(usize::from(index)).copied().unwrap_or(Self::ALL[0])
    }
}

/// The tool names, arguments and texts through which a model reaches stored outputs. Each dialect
/// follows an existing system, so that its prompts can stay unchanged; the queries are the same in
/// all of them. A tool is identified by its name, and no two dialects share a name.
///
/// | tool | `artifact` | `cache` | `handle` | `file` |
/// |---|---|---|---|---|
/// | `read` | `artifact_read` | `tool_output_cache` | `tool_output` | `read_large_output` |
/// | `grep` | `artifact_grep` | `tool_output_cache_grep` | `tool_output` | `search_large_output` |
/// | `jq` | `artifact_jq` | | `tool_output` | `query_large_output` |
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(not(feature = "exhaustive"), non_exhaustive)]
#[cfg_attr(feature = "component", derive(ComponentType, Lift, Lower), component(enum))]
#[repr(u8)]
pub enum Dialect {
    /// A JSON envelope with the id, the size and the shape of an output; lines, patterns and jq
    /// filters.
    #[cfg_attr(feature = "component", component(name = "artifact"))]
    #[default]
    Artifact,
    /// The first lines of an output, and a reference for reading the others by line.
    #[cfg_attr(feature = "component", component(name = "cache"))]
    Cache,
    /// A message with the sizes and a handle; one tool, which extracts the information that the
    /// model describes in words.
    #[cfg_attr(feature = "component", component(name = "handle"))]
    Handle,
    /// A message with the name of a file and its first characters; reads by character, patterns and
    /// jq filters.
    #[cfg_attr(feature = "component", component(name = "file"))]
    File,
}

impl Dialect {
    /// All cases, in the order of the contract.
    pub const ALL: [Dialect; 4] = [Dialect::Artifact, Dialect::Cache, Dialect::Handle, Dialect::File];

    /// Returns the name of the case, as JSON has it.
    pub const fn name(self) -> &'static str {
        match self {
            Dialect::Artifact => "artifact",
            Dialect::Cache => "cache",
            Dialect::Handle => "handle",
            Dialect::File => "file",
        }
    }

    /// Returns the case with this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|case| case.name() == name)
    }

    /// Returns the case with this index, as wit-bindgen asks for it; the first one if there is none.
    #[cfg(feature = "guest")]
    #[doc(hidden)]
    pub fn _lift(index: u8) -> Self {
        Self::ALL.get(usize::from(index)).copied().unwrap_or(Self::ALL[0])
    }
}
