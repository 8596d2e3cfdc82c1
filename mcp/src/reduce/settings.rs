//! How results are reduced.

use tuckaway_host::Policy;
use tuckaway_text::glob;

/// How results are reduced.
#[derive(Clone, Debug, PartialEq)]
pub struct ReduceSettings {
    /// The policy. Its cap is for tools that no glob below names; its headroom gate is off,
    /// because a proxy does not know the tokens that are used so far.
    pub policy: Policy,
    /// The model's context window in tokens.
    pub context_window: u64,
    /// Globs of the tools that read one named file, whose cap is `file_cap_tokens`.
    pub file_tools: Vec<String>,
    /// The most tokens of a result of such a tool.
    pub file_cap_tokens: u64,
    /// Globs of tools with a cap of their own; the first match counts.
    pub tool_caps: Vec<(String, u64)>,
    /// Globs of the tools whose arguments may be handles.
    pub handle_arguments: Vec<String>,
    /// The most bytes that a handle is replaced by.
    pub max_argument_bytes: u64,
}

impl Default for ReduceSettings {
    fn default() -> Self {
        let policy =
            Policy { max_output_tokens: Some(10_000), headroom_percentage: 1.0, ..Policy::default() };
        let file_tools = ["read_file", "read_text_file", "get_file_contents"];
        ReduceSettings {
            policy,
            context_window: 200_000,
            file_tools: file_tools
                .iter()
                .flat_map(|name| [(*name).to_owned(), format!("*_{name}")])
                .collect(),
            file_cap_tokens: 25_000,
            tool_caps: Vec::new(),
            handle_arguments: Vec::new(),
            max_argument_bytes: 1 << 20,
        }
    }
}

impl ReduceSettings {
    /// Returns what is wrong with the globs, one sentence each.
    pub fn violations(&self) -> Vec<String> {
        let file = self.file_tools.iter().map(|glob| ("file_tools", glob));
        let caps = self.tool_caps.iter().map(|(glob, _)| ("tool_caps", glob));
        let handles = self.handle_arguments.iter().map(|glob| ("handle_arguments", glob));
        let globs = file.chain(caps).chain(handles);
        globs.filter_map(|(name, glob)| Some(format!("{name}: {}", glob::violation(glob)?))).collect()
    }
}
