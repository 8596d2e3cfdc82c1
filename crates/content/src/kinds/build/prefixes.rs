//! How the lines of tools begin.

use super::line::Meaning::{self, *};
use super::line::Tool::{self, *};
use super::line::ToolLine;
use super::refine::{self, Refine};

/// A prefix of lines, after white space.
pub struct Prefix {
    /// The prefix.
    pub text: &'static str,
    /// The classification of a line with this prefix.
    pub line: ToolLine,
    /// Classifies the line if the prefix alone is ambiguous.
    pub refine: Option<Refine>,
}

impl Prefix {
    const fn refined(self, refine: Refine) -> Self {
        Prefix { refine: Some(refine), ..self }
    }
}

/// Returns the prefixes with a first byte: a line is compared with no others.
#[inline]
pub fn beginning_with(first: u8) -> &'static [Prefix] {
    BY_FIRST_BYTE[usize::from(first)]
}

static BY_FIRST_BYTE: [&[Prefix]; 256] = by_first_byte();

const fn by_first_byte() -> [&'static [Prefix]; 256] {
    let mut groups: [&[Prefix]; 256] = [&[]; 256];
    let mut rest = PREFIXES;
    while let [prefix, ..] = rest {
        let first = prefix.text.as_bytes()[0];
        assert!(groups[first as usize].is_empty(), "prefixes with the same first byte are adjacent");
        let mut count = 1;
        while count < rest.len() && rest[count].text.as_bytes()[0] == first {
            count += 1;
        }
        (groups[first as usize], rest) = rest.split_at(count);
    }
    groups
}

const fn row(text: &'static str, tool: Tool, meaning: Meaning, weight: u32) -> Prefix {
    Prefix { text, line: ToolLine::new(tool, meaning, weight), refine: None }
}

/// All prefixes, grouped by their first byte; of a group, the first that fits wins.
const PREFIXES: &[Prefix] = &[
    row("##[error]", Actions, Error, 3),
    row("##[warning]", Actions, Warning, 3),
    row("##[group]", Actions, Progress, 3),
    row("##[", Actions, Progress, 1),
    row("# fail ", Tap, Summary, 3),
    row("--- FAIL: ", Go, FailedTest, 3),
    row("--- PASS: ", Go, Progress, 3),
    row("--- SKIP: ", Go, Progress, 3),
    row("-- Configuring incomplete, errors", CMake, Failed, 3),
    row("-- Configuring done", CMake, Progress, 3),
    row("-- Build files have been written", CMake, Passed, 3),
    row("-- The C", CMake, Progress, 2),
    row("-- Detecting ", CMake, Progress, 1),
    row("-- Check", CMake, Progress, 1),
    row("-->", Cargo, Context, 1).refined(refine::cargo_location),
    row("=== RUN ", Go, Progress, 3),
    row("=> CACHED", Docker, Progress, 2),
    row("=> ERROR", Docker, Error, 3),
    row("=> [", Docker, Progress, 2),
    row("> Task :", Gradle, Progress, 3).refined(refine::gradle_task),
    row("[ERROR] COMPILATION ERROR", Maven, Heading, 3),
    row("[ERROR] Failed to execute goal", Maven, Error, 3),
    row("[ERROR] Tests run:", Maven, Summary, 3),
    row("[WARNING] Tests run:", Maven, Summary, 3),
    row("[INFO] Tests run:", Maven, Summary, 3),
    row("[INFO] BUILD SUCCESS", Maven, Passed, 3),
    row("[INFO] BUILD FAILURE", Maven, Failed, 3),
    row("[ERROR] Re-run Maven", Maven, Progress, 2),
    row("[ERROR] To see the full stack", Maven, Progress, 2),
    row("[ERROR] For more information", Maven, Progress, 1),
    row("[ERROR] -> [Help", Maven, Progress, 2),
    row("[ERROR] [Help", Maven, Progress, 2),
    row("[ERROR] /", Maven, Error, 1),
    row("[INFO] ---", Maven, Progress, 1),
    row("[INFO] Scanning for projects", Maven, Progress, 3),
    row("[INFO] Building ", Maven, Progress, 1),
    row("[INFO] Download", Maven, Progress, 2),
    row("[1/", Yarn, Progress, 0),
    row("Apply complete!", Terraform, Passed, 3),
    row("BUILD SUCCESSFUL", Gradle, Passed, 3),
    row("BUILD FAILED", Gradle, Failed, 3),
    row("Build FAILED.", Dotnet, Failed, 3),
    row("Build succeeded", Dotnet, Passed, 3),
    row("Build failed", Any, Failed, 1),
    row("Blocking waiting for file lock", Cargo, Progress, 3),
    row("Compiling ", Cargo, Progress, 1).refined(refine::cargo_step),
    row("Checking ", Cargo, Progress, 1).refined(refine::cargo_step),
    row("Collecting ", Pip, Progress, 1),
    row("Caused by:", Any, Heading, 0),
    row("CMake Error", CMake, Error, 3),
    row("CMake Warning", CMake, Warning, 3),
    row("Cloning into ", Any, Progress, 0),
    row("Downloading ", Any, Progress, 0),
    row("Downloaded ", Any, Progress, 0),
    row("Doc-tests ", Cargo, Progress, 2),
    row("Determining projects to restore", Dotnet, Progress, 3),
    row("E   ", Pytest, Error, 1).refined(refine::pytest_error),
    row("ERROR in ", Webpack, Error, 2),
    row("ERROR: failed to solve", Docker, Failed, 3),
    row("ERROR: Could not find a version", Pip, Error, 3),
    row("ERROR: No matching distribution", Pip, Error, 3),
    row("ERROR: test_", Unittest, FailedTest, 2),
    row("ERROR ", Any, Error, 0),
    row("ERROR: ", Any, Error, 0),
    row("ERR_PNPM_", Pnpm, Error, 3),
    row("Error: Process completed with exit code", Actions, Failed, 3),
    row("Error: ", Any, Error, 0),
    row("Execution failed for task", Gradle, Error, 3),
    row("FAILURE: Build failed", Gradle, Failed, 3),
    row("FAILED (", Unittest, Summary, 2),
    row("FAIL: ", Unittest, FailedTest, 1),
    row("FAIL\t", Go, Failed, 3),
    row("FAIL  ", Vitest, FailedTest, 2),
    row("Failed!  - Failed:", Dotnet, Summary, 3),
    row("FAILED: ", Any, Error, 1),
    row("Fatal error", Any, Error, 0),
    row("Found 0 errors", TypeScript, Passed, 1),
    row("Found ", TypeScript, Summary, 1).refined(refine::typescript_count),
    row("Finished ", Cargo, Progress, 1).refined(refine::cargo_finished),
    row("Fresh ", Cargo, Progress, 0).refined(refine::cargo_step),
    row("Installing ", Any, Progress, 0),
    row("Module not found: Error", Webpack, Error, 3),
    row("OK (", Unittest, Passed, 1),
    row("PASS ", Jest, Progress, 1),
    row("Passed!  - Failed:", Dotnet, Summary, 3),
    row("Plan: ", Terraform, Summary, 2),
    row("Process completed with exit code", Actions, Failed, 2),
    row("Running unittests ", Cargo, Progress, 3),
    row("Running tests/", Cargo, Progress, 2),
    row("Ran all test suites", Jest, Progress, 3),
    row("Ran ", Unittest, Progress, 2).refined(refine::unittest_ran),
    row("Refreshing state...", Terraform, Progress, 2),
    row("Resolving ", Any, Progress, 0),
    row("RUN  v", Vitest, Progress, 3),
    row("Successfully installed ", Pip, Passed, 2),
    row("Successfully built ", Docker, Passed, 2),
    row("Step ", Docker, Progress, 1).refined(refine::docker_step),
    row("Scanning dependencies of target", Make, Progress, 3),
    row("Tests: ", Jest, Summary, 3).refined(refine::jest_summary),
    row("Test Suites: ", Jest, Summary, 3),
    row("Tests run: ", Maven, Summary, 3),
    row("Test Files ", Vitest, Summary, 3),
    row("Tests  ", Vitest, Summary, 2).refined(refine::vitest_summary),
    row("Test run for ", Dotnet, Progress, 3),
    row("Terraform will perform", Terraform, Progress, 3),
    row("Terraform used the selected providers", Terraform, Progress, 3),
    row("Updating crates.io index", Cargo, Progress, 3),
    row("Undefined symbols for architecture", Compiler, Error, 3),
    row("Uninstalling ", Any, Progress, 0),
    row("added ", Npm, Progress, 2).refined(refine::npm_added),
    row("audited ", Npm, Progress, 1),
    row("collect2: error", Compiler, Error, 3),
    row("clang: error", Compiler, Error, 3),
    row("error[", Cargo, Error, 3),
    row("error: could not compile", Cargo, Failed, 3),
    row("error: test failed", Cargo, Failed, 3),
    row("error: aborting due to", Cargo, Failed, 3),
    row("error during build", Vite, Failed, 3),
    row("error Command failed with exit code", Yarn, Failed, 3),
    row("error TS", TypeScript, Error, 2),
    row("error ", Any, Error, 0),
    row("error: ", Any, Error, 1).refined(refine::error),
    row("exit status ", Any, Summary, 1).refined(refine::exit_status),
    row("failures:", Cargo, Heading, 2).refined(refine::cargo_failures),
    row("found 0 vulnerabilities", Npm, Progress, 2),
    row("fatal: ", Any, Error, 0),
    row("fatal error: ", Any, Error, 0),
    row("go: downloading ", Go, Progress, 3),
    row("gcc: error", Compiler, Error, 3),
    row("ld: ", Compiler, Error, 1).refined(refine::linker),
    row("make: ***", Make, Failed, 3),
    row("make[", Make, Progress, 2),
    row("modules by path", Webpack, Progress, 2),
    row("make: ", Make, Progress, 1),
    row("not ok ", Tap, FailedTest, 2).refined(refine::tap_failed),
    row("npm ERR!", Npm, Error, 3).refined(refine::npm_error),
    row("npm error", Npm, Error, 3).refined(refine::npm_error),
    row("npm warn", Npm, Warning, 3),
    row("npm WARN", Npm, Warning, 3),
    row("npm notice", Npm, Progress, 1),
    row("note: ", Any, Context, 0),
    row("ok  \t", Go, Progress, 3),
    row("running ", Cargo, Progress, 3).refined(refine::cargo_running),
    row("remote: ", Any, Progress, 0),
    row("test result: ", Cargo, Summary, 3),
    row("transforming", Vite, Progress, 1),
    row("vite v", Vite, Progress, 3),
    row("warning: ", Any, Warning, 1).refined(refine::warning),
    row("warning[", Cargo, Warning, 3),
    row("webpack ", Webpack, Summary, 3).refined(refine::webpack_summary),
    row("yarn run v", Yarn, Progress, 3),
    row("● Console", Jest, Progress, 2),
    row("● ", Jest, FailedTest, 2),
    row("✖ ", Eslint, Summary, 2).refined(refine::eslint_summary),
    row("✕ ", Jest, FailedTest, 2),
    row("✗ ", Any, FailedTest, 1),
    row("✘ ", Any, FailedTest, 1),
    row("✓ built in", Vite, Passed, 3),
    row("✓ ", Any, Progress, 1),
    row("✔ ", Any, Progress, 1),
    row("❯ ", Vitest, Progress, 1),
    row("│ Error: ", Terraform, Error, 3),
    row("│ Warning: ", Terraform, Warning, 3),
    row("× ", Vitest, FailedTest, 2),
];
