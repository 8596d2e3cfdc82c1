//! Constructors of outputs and turns for common cases.

use crate::{ArtifactTool, Block, Content, ToolOutput, Turn};

impl ToolOutput {
    /// Returns the output of a tool that answered with a text.
    ///
    /// ```
    /// use tuckaway_contract::ToolOutput;
    ///
    /// let failed = ToolOutput { is_error: true, ..ToolOutput::text("sql_query", "no such table: users") };
    /// assert_eq!(failed.blocks.len(), 1);
    /// ```
    pub fn text(tool: impl Into<String>, text: impl Into<String>) -> Self {
        let block = Block { content: Content::Text(text.into()), media_type: None };
        ToolOutput { tool: tool.into(), is_error: false, blocks: vec![block], structured: None }
    }
}

impl Turn {
    /// Returns the first turn of a model with this context window in tokens, which can call all
    /// artifact tools.
    pub fn new(context_window: u64) -> Self {
        Turn { context_window, used_tokens: 0, tools: ArtifactTool::ALL.to_vec() }
    }
}
