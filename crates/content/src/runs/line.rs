//! A line of a tool: the tool, the meaning, and the weight as evidence.

use super::Tool;

/// The weight of lines that is enough to detect a tool's output.
pub const CERTAIN: u32 = 3;

/// A line that only one tool prints, or that means the same in any tool's output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ToolLine {
    /// The tool that prints it.
    pub tool: Tool,
    /// Its meaning.
    pub meaning: Meaning,
    /// Its weight as evidence that the text is a tool's output, up to [`CERTAIN`].
    pub weight: u32,
}

impl ToolLine {
    /// Creates the classification of a line.
    pub const fn new(tool: Tool, meaning: Meaning, weight: u32) -> Self {
        ToolLine { tool, meaning, weight }
    }

    /// Returns whether it is an error in a list under the name of its file.
    pub fn is_listed(self) -> bool {
        self.tool.profile().lists_errors && self.meaning != Meaning::Summary
    }
}

/// The meaning of a line of a tool.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Meaning {
    /// Something is wrong.
    Error,
    /// Something may be wrong.
    Warning,
    /// A test, or a suite of tests, failed.
    FailedTest,
    /// Counts the results: passed and failed.
    Summary,
    /// It ended badly.
    Failed,
    /// It ended well.
    Passed,
    /// A step of it ended well; the tool reports nothing more.
    StepDone,
    /// Counts the planned actions of a tool, which decides nothing.
    Plan,
    /// No test ran, so that a success says nothing.
    NothingRan,
    /// A program is started that may still fail.
    Started,
    /// A test's message that may say why it failed.
    Why,
    /// The lines that follow explain a failure.
    Heading,
    /// Explains the error before it.
    Context,
    /// Reports progress.
    Progress,
}
