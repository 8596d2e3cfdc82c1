//! The tools of each dialect: their names, and the queries that they run.

use crate::ArtifactTool::{Grep, Jq, Read};
use crate::{ArtifactTool, Dialect};

/// A tool of a dialect.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DialectTool {
    /// The name under which a model calls it. No two dialects share a name.
    pub name: &'static str,
    /// Its kinds: the tool is defined if one of them is offered.
    pub kinds: &'static [ArtifactTool],
}

impl Dialect {
    /// Returns its tools, in the order in which they are defined.
    pub const fn tools(self) -> &'static [DialectTool] {
        match self {
            Dialect::Artifact => &[
                DialectTool { name: "artifact_read", kinds: &[Read] },
                DialectTool { name: "artifact_grep", kinds: &[Grep] },
                DialectTool { name: "artifact_jq", kinds: &[Jq] },
            ],
            Dialect::Cache => &[
                DialectTool { name: "tool_output_cache", kinds: &[Read] },
                DialectTool { name: "tool_output_cache_grep", kinds: &[Grep] },
            ],
            Dialect::Handle => &[DialectTool { name: "tool_output", kinds: &[Read, Grep, Jq] }],
            Dialect::File => &[
                DialectTool { name: "read_large_output", kinds: &[Read] },
                DialectTool { name: "search_large_output", kinds: &[Grep] },
                DialectTool { name: "query_large_output", kinds: &[Jq] },
            ],
        }
    }

    /// Returns the names of its tools, in the order in which they are defined.
    pub fn tool_names(self) -> impl Iterator<Item = &'static str> {
        self.tools().iter().map(|tool| tool.name)
    }

    /// Returns the names of its tools of these kinds.
    pub fn tools_of(self, kinds: &[ArtifactTool]) -> impl Iterator<Item = &'static str> {
        let is_offered = |tool: &&DialectTool| kinds.iter().any(|kind| tool.kinds.contains(kind));
        self.tools().iter().filter(is_offered).map(|tool| tool.name)
    }

    /// Returns whether one of its tools has this name.
    pub fn has_tool(self, name: &str) -> bool {
        self.tool_names().any(|own| own == name)
    }
}

impl ArtifactTool {
    /// Returns the tools of a list, each once, in the order in which they are listed.
    pub fn sorted(tools: &[ArtifactTool]) -> impl Iterator<Item = ArtifactTool> {
        ArtifactTool::ALL.into_iter().filter(|tool| tools.contains(tool))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_two_dialects_share_a_name() {
        let mut names: Vec<&str> = Dialect::ALL.into_iter().flat_map(Dialect::tool_names).collect();
        let count = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), count);
    }

    #[test]
    fn a_list_of_tools_is_a_set() {
        assert_eq!(ArtifactTool::sorted(&[Jq, Read, Jq]).collect::<Vec<_>>(), [Read, Jq]);
    }
}
