//! The artifact tools, and their replies to a model.

/// A kind of artifact tool; each dialect has its own name for it. Tools are listed in this order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum ArtifactTool {
    /// `artifact_read`, and the tools of other dialects that read.
    Read,
    /// `artifact_grep`, and the tools of other dialects that search for a pattern.
    Grep,
    /// `artifact_jq`, and the tools of other dialects that run a jq filter.
    Jq,
}

impl ArtifactTool {
    /// All tools, in the order in which they are listed.
    pub const ALL: [ArtifactTool; 3] = [ArtifactTool::Read, ArtifactTool::Grep, ArtifactTool::Jq];
}

/// The tool names, arguments and texts through which a model reaches stored outputs. Each dialect
/// follows an existing system, so that its prompts can stay unchanged; the queries are the same in
/// all of them. A tool is identified by its name, and no two dialects share a name.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum Dialect {
    /// A JSON envelope with the id, the size and the shape of an output;
    /// `artifact_read`, `artifact_grep` and `artifact_jq`.
    #[default]
    Artifact,
    /// The first lines of an output, and a reference; `tool_output_cache` reads the other lines,
    /// and `tool_output_cache_grep` searches.
    Cache,
    /// A message with the sizes and a handle; `tool_output` extracts the information that the model
    /// describes in words.
    Handle,
    /// A message with the name of a file and its first characters; `read_large_output` reads by
    /// character, `search_large_output` searches, and `query_large_output` runs a jq filter.
    File,
}

impl Dialect {
    /// All dialects.
    pub const ALL: [Dialect; 4] = [Dialect::Artifact, Dialect::Cache, Dialect::Handle, Dialect::File];
}

/// The artifact tools that the model can call in this turn: a set.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(from = "Vec<ArtifactTool>", into = "Vec<ArtifactTool>"))]
pub struct ArtifactTools {
    /// For each of [`ArtifactTool::ALL`], whether the model can call it.
    callable: [bool; ArtifactTool::ALL.len()],
}

impl ArtifactTools {
    /// Creates an empty set.
    pub fn new() -> Self {
        ArtifactTools::default()
    }

    /// Returns whether the model can call none of the tools.
    pub fn is_empty(&self) -> bool {
        !self.callable.contains(&true)
    }

    /// Returns the tools of the set, in the order in which they are listed.
    pub fn iter(&self) -> impl Iterator<Item = ArtifactTool> {
        ArtifactTool::ALL.into_iter().filter(|&tool| self.callable[tool as usize])
    }
}

impl FromIterator<ArtifactTool> for ArtifactTools {
    fn from_iter<I: IntoIterator<Item = ArtifactTool>>(tools: I) -> Self {
        let mut callable = [false; ArtifactTool::ALL.len()];
        tools.into_iter().for_each(|tool| callable[tool as usize] = true);
        ArtifactTools { callable }
    }
}

impl<const N: usize> From<[ArtifactTool; N]> for ArtifactTools {
    fn from(tools: [ArtifactTool; N]) -> Self {
        tools.into_iter().collect()
    }
}

#[cfg(feature = "serde")]
impl From<Vec<ArtifactTool>> for ArtifactTools {
    fn from(tools: Vec<ArtifactTool>) -> Self {
        tools.into_iter().collect()
    }
}

#[cfg(feature = "serde")]
impl From<ArtifactTools> for Vec<ArtifactTool> {
    fn from(tools: ArtifactTools) -> Self {
        tools.iter().collect()
    }
}

/// The reply of a tool to the model.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case", deny_unknown_fields))]
pub struct ToolReply {
    /// The result, or an explanation of how to correct the call.
    pub text: String,
    /// Whether `text` reports a mistake that the model can correct.
    pub is_error: bool,
}
