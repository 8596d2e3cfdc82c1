//! Runs of tools: builds, tests and linters. The meaning of their lines, the result of a run, and
//! the content of reports as JSON and XML.
//!
//! ```text
//! line ─► excerpt (without its prefix) ─► classify ─► ToolLine ─► Verdict ─► Ending
//! JSON, XML ─► report ─► result, failures
//! ```
//!
//! Each tool is a file in `tools/`, with a [`Profile`] that has everything known about
//! the tool, and a row of the table below. The rules of all tools are merged into tables by the
//! first byte of a line when this crate is compiled (`rules`).

mod classify;
#[cfg(test)]
mod classify_tests;
mod excerpt;
mod line;
mod logged;
mod profile;
mod report;
mod rule;
mod rules;
mod verdict;
#[cfg(test)]
mod verdict_tests;
mod why;
mod xml;

mod tools {
    //! One tool each.

    pub mod actions;
    pub mod ansible;
    pub mod any;
    pub mod bazel;
    pub mod bun;
    pub mod cargo;
    pub mod checkstyle;
    pub mod cmake;
    pub mod compiler;
    pub mod coverage;
    pub mod cpp_test;
    pub mod cppcheck;
    pub mod ctest;
    pub mod deno;
    pub mod docker;
    pub mod dotnet;
    pub mod esbuild;
    pub mod eslint;
    pub mod go;
    pub mod gradle;
    pub mod javac;
    pub mod jest;
    pub mod junit;
    pub mod linter;
    pub mod make;
    pub mod maven;
    pub mod minitest;
    pub mod mocha;
    pub mod mypy;
    pub mod node_test;
    pub mod npm;
    pub mod phpunit;
    pub mod pip;
    pub mod playwright;
    pub mod pnpm;
    pub mod pre_commit;
    pub mod prettier;
    pub mod pytest;
    pub mod rollup;
    pub mod rspec;
    pub mod ruff;
    pub mod sanitizer;
    pub mod sbt;
    pub mod shellcheck;
    pub mod tap;
    pub mod task_runner;
    pub mod terraform;
    pub mod tox;
    pub mod typescript;
    pub mod unittest;
    pub mod valgrind;
    pub mod vite;
    pub mod vitest;
    pub mod webpack;
    pub mod xcode;
    pub mod xunit;
    pub mod yamllint;
    pub mod yarn;
}

pub use classify::{Classifier, classify};
pub use excerpt::{indented, is_above_message, location, test_name, without_lead};
pub use line::{CERTAIN, Meaning, ToolLine};
pub use logged::Logged;
pub use profile::Profile;
pub use report::{failing_documents, is_failure, marks_of_failures, report};
pub use rules::{is_after, is_before, is_before_text};
pub use tools::tap::{Leaves, is_any_test};
pub use verdict::{Ending, Verdict};
pub use xml::Report;

macro_rules! tools {
    ($($tool:ident => $module:ident,)*) => {
        /// A tool, by its lines.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[allow(missing_docs)] // Names of products.
        pub enum Tool {
            $($tool,)*
        }

        impl Tool {
            /// Every tool, in the order of the table.
            pub const ALL: &[Tool] = &[$(Tool::$tool,)*];
        }

        /// Their profiles, in the same order.
        const PROFILES: &[Profile] = &[$(tools::$module::PROFILE,)*];
    };
}

tools! {
    Any => any,
    Actions => actions,
    Ansible => ansible,
    Bazel => bazel,
    Bun => bun,
    Cargo => cargo,
    Checkstyle => checkstyle,
    CMake => cmake,
    Compiler => compiler,
    Coverage => coverage,
    CppTest => cpp_test,
    Cppcheck => cppcheck,
    Ctest => ctest,
    Deno => deno,
    Esbuild => esbuild,
    Docker => docker,
    Dotnet => dotnet,
    Eslint => eslint,
    Go => go,
    Gradle => gradle,
    Javac => javac,
    Jest => jest,
    Junit => junit,
    Linter => linter,
    Make => make,
    Maven => maven,
    Minitest => minitest,
    Mocha => mocha,
    Mypy => mypy,
    NodeTest => node_test,
    Npm => npm,
    Phpunit => phpunit,
    Pip => pip,
    Playwright => playwright,
    Pnpm => pnpm,
    PreCommit => pre_commit,
    Prettier => prettier,
    Pytest => pytest,
    Rollup => rollup,
    Rspec => rspec,
    Ruff => ruff,
    Sanitizer => sanitizer,
    Sbt => sbt,
    ShellCheck => shellcheck,
    Tap => tap,
    TaskRunner => task_runner,
    Terraform => terraform,
    Tox => tox,
    TypeScript => typescript,
    Unittest => unittest,
    Valgrind => valgrind,
    Vite => vite,
    Vitest => vitest,
    Webpack => webpack,
    Xcode => xcode,
    Xunit => xunit,
    Yamllint => yamllint,
    Yarn => yarn,
}

impl Tool {
    /// Returns the profile of the tool.
    pub fn profile(self) -> &'static Profile {
        &PROFILES[self as usize]
    }
}
