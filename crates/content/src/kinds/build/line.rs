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
    /// A step of it ended well, which is all that the tool reports.
    StepDone,
    /// Counts what a tool would do, which decides nothing.
    Plan,
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

/// A tool, by its lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)] // Names of products.
pub enum Tool {
    /// More than one tool prints such lines.
    Any,
    Actions,
    Ansible,
    Bazel,
    Bun,
    CMake,
    Cargo,
    Checkstyle,
    Compiler,
    Coverage,
    CppTest,
    Ctest,
    Deno,
    Docker,
    Dotnet,
    Eslint,
    Go,
    Gradle,
    Javac,
    Jest,
    Linter,
    Make,
    Maven,
    Minitest,
    Mocha,
    Mypy,
    NodeTest,
    Npm,
    Phpunit,
    Pip,
    Playwright,
    Pnpm,
    PreCommit,
    Prettier,
    Pytest,
    Rspec,
    Ruff,
    Sbt,
    Tap,
    TaskRunner,
    Terraform,
    Tox,
    TypeScript,
    Unittest,
    Vite,
    Vitest,
    Webpack,
    Xcode,
    Yarn,
}

impl Tool {
    /// Returns its name, as an outline shows it.
    pub fn name(self) -> &'static str {
        match self {
            Tool::Any => "build",
            Tool::Actions => "GitHub Actions",
            Tool::Ansible => "Ansible",
            Tool::Bazel => "Bazel",
            Tool::Bun => "bun",
            Tool::CMake => "CMake",
            Tool::Cargo => "cargo",
            Tool::Checkstyle => "Checkstyle",
            Tool::Compiler => "compiler",
            Tool::Coverage => "coverage",
            Tool::CppTest => "C++ test",
            Tool::Ctest => "CTest",
            Tool::Deno => "deno",
            Tool::Docker => "docker build",
            Tool::Dotnet => "dotnet",
            Tool::Eslint => "ESLint",
            Tool::Go => "go",
            Tool::Gradle => "Gradle",
            Tool::Javac => "javac",
            Tool::Jest => "Jest",
            Tool::Linter => "linter",
            Tool::Make => "make",
            Tool::Maven => "Maven",
            Tool::Minitest => "minitest",
            Tool::Mocha => "Mocha",
            Tool::Mypy => "mypy",
            Tool::NodeTest => "node:test",
            Tool::Npm => "npm",
            Tool::Phpunit => "PHPUnit",
            Tool::Pip => "pip",
            Tool::Playwright => "Playwright",
            Tool::Pnpm => "pnpm",
            Tool::PreCommit => "pre-commit",
            Tool::Prettier => "Prettier",
            Tool::Pytest => "pytest",
            Tool::Rspec => "RSpec",
            Tool::Ruff => "ruff",
            Tool::Sbt => "sbt",
            Tool::Tap => "TAP",
            Tool::TaskRunner => "task runner",
            Tool::Terraform => "Terraform",
            Tool::Tox => "tox",
            Tool::TypeScript => "tsc",
            Tool::Unittest => "unittest",
            Tool::Vite => "Vite",
            Tool::Vitest => "Vitest",
            Tool::Webpack => "webpack",
            Tool::Xcode => "xcodebuild",
            Tool::Yarn => "yarn",
        }
    }

    /// Returns whether its success is what it says last of a run. Others report one for each host or
    /// target, or count failures first.
    pub fn reports_last(self) -> bool {
        !matches!(
            self,
            Tool::Any | Tool::Ansible | Tool::Docker | Tool::Make | Tool::Playwright | Tool::PreCommit
        )
    }

    /// Returns whether it runs other tools, whose failures its own success overrules.
    pub fn runs_others(self) -> bool {
        matches!(
            self,
            Tool::Actions
                | Tool::Bazel
                | Tool::Dotnet
                | Tool::Gradle
                | Tool::Maven
                | Tool::TaskRunner
                | Tool::Tox
        )
    }

    /// Returns whether all it does is to run tests, or to measure what they cover.
    pub fn runs_tests(self) -> bool {
        matches!(
            self,
            Tool::Bun
                | Tool::Coverage
                | Tool::CppTest
                | Tool::Jest
                | Tool::Minitest
                | Tool::Mocha
                | Tool::NodeTest
                | Tool::Phpunit
                | Tool::Pytest
                | Tool::Rspec
                | Tool::Tap
                | Tool::Unittest
                | Tool::Vitest
        )
    }
}
