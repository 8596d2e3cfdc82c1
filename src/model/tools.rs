//! The artifact tools, and their replies to a model.

/// An artifact tool. The order is that in which tools are listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum ArtifactTool {
    /// `artifact_read`: reads lines or bytes.
    Read,
    /// `artifact_grep`: finds lines that match a pattern.
    Grep,
    /// `artifact_jq`: runs a jq filter.
    Jq,
}

impl ArtifactTool {
    /// All tools, in the order in which they are listed.
    pub const ALL: [ArtifactTool; 3] = [ArtifactTool::Read, ArtifactTool::Grep, ArtifactTool::Jq];

    /// Returns the name under which a model calls the tool.
    pub fn name(self) -> &'static str {
        match self {
            ArtifactTool::Read => "artifact_read",
            ArtifactTool::Grep => "artifact_grep",
            ArtifactTool::Jq => "artifact_jq",
        }
    }

    /// Returns the tool of this name, if it is an artifact tool's.
    pub fn from_name(name: &str) -> Option<Self> {
        ArtifactTool::ALL.into_iter().find(|tool| tool.name() == name)
    }
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

/// What a tool returns to the model.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case", deny_unknown_fields))]
pub struct ToolReply {
    /// The result, or how the model can correct its mistake.
    pub text: String,
    /// Whether `text` reports a mistake that the model can correct.
    pub is_error: bool,
}
