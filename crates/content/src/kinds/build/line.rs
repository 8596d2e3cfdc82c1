//! A line of a tool: who prints it, what it means, and how much it proves.

/// The weight of lines that is enough to detect a tool's output.
pub const CERTAIN: u32 = 3;

/// A line that only one tool prints, or that means the same in any tool's output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ToolLine {
    /// The tool that prints it.
    pub tool: Tool,
    /// What it means.
    pub meaning: Meaning,
    /// How much it proves that the text is a tool's output, up to [`CERTAIN`].
    pub weight: u32,
}

impl ToolLine {
    /// Creates the classification of a line.
    pub const fn new(tool: Tool, meaning: Meaning, weight: u32) -> Self {
        ToolLine { tool, meaning, weight }
    }
}

/// What a line of a tool means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Meaning {
    /// Something is wrong.
    Error,
    /// Something may be wrong.
    Warning,
    /// A test, or a suite of tests, failed.
    FailedTest,
    /// Counts how it ended: what passed and what failed.
    Summary,
    /// It ended badly.
    Failed,
    /// It ended well.
    Passed,
    /// The lines that follow explain a failure.
    Heading,
    /// Explains the error before it.
    Context,
    /// Reports progress.
    Progress,
}

/// A tool, by its lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)] // Names of products.
pub enum Tool {
    /// More than one tool prints such lines.
    Any,
    Actions,
    Cargo,
    CMake,
    Compiler,
    Docker,
    Dotnet,
    Eslint,
    Go,
    Gradle,
    Javac,
    Jest,
    Make,
    Maven,
    Mocha,
    Npm,
    Pip,
    Pnpm,
    Pytest,
    Tap,
    Terraform,
    TypeScript,
    Unittest,
    Vite,
    Vitest,
    Webpack,
    Yarn,
}

impl Tool {
    /// Returns its name, as an outline shows it.
    pub fn name(self) -> &'static str {
        match self {
            Tool::Any => "build",
            Tool::Actions => "GitHub Actions",
            Tool::Cargo => "cargo",
            Tool::CMake => "CMake",
            Tool::Compiler => "compiler",
            Tool::Docker => "docker build",
            Tool::Dotnet => "dotnet",
            Tool::Eslint => "ESLint",
            Tool::Go => "go",
            Tool::Gradle => "Gradle",
            Tool::Javac => "javac",
            Tool::Jest => "Jest",
            Tool::Make => "make",
            Tool::Maven => "Maven",
            Tool::Mocha => "Mocha",
            Tool::Npm => "npm",
            Tool::Pip => "pip",
            Tool::Pnpm => "pnpm",
            Tool::Pytest => "pytest",
            Tool::Tap => "TAP",
            Tool::Terraform => "Terraform",
            Tool::TypeScript => "tsc",
            Tool::Unittest => "unittest",
            Tool::Vite => "Vite",
            Tool::Vitest => "Vitest",
            Tool::Webpack => "webpack",
            Tool::Yarn => "yarn",
        }
    }
}
