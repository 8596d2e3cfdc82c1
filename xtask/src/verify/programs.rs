//! The test programs of the workspace: built once by cargo, then run without it, so that they
//! can run while cargo compiles something else.
//!
//! ```text
//! cargo test --no-run ─► messages as JSON ─► list in target/test-logs ─► run, step by step
//! ```

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::{env, fs};

use anyhow::{Context, Result, bail};
use serde_json::Value;

use crate::{shell, workspace};

/// The name of the one integration program of a package.
const SUITE: &str = "suite";

/// The variable with the seed of the property tests. Unless it is set, they run with
/// [`SEED`], so that an input that fails rarely does not fail an unrelated change.
const SEED_VARIABLE: &str = "PROPTEST_RNG_SEED";
const SEED: &str = "1";

/// A test program.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Program {
    /// The directory of its package.
    package: PathBuf,
    /// The name of its target: `suite`, or the name of a library or command.
    target: String,
    /// Where it is.
    path: PathBuf,
}

/// The programs that a step runs.
#[derive(Clone, Copy)]
pub enum Select {
    /// Unit tests and everything else that is no integration suite.
    Units,
    /// The suite of the package in this folder.
    Suite(&'static str),
}

/// Builds all programs of the workspace, the command line among them, and lists the tests.
pub fn build() -> Result<()> {
    let mut cargo = shell::cargo_command();
    cargo.args(["test", "--workspace", "--no-run", "--message-format=json-render-diagnostics"]);
    let output = cargo.stderr(Stdio::inherit()).output().context("running cargo")?;
    if !output.status.success() {
        bail!("the tests could not be compiled ({})", output.status);
    }
    let programs = listed(&String::from_utf8(output.stdout).context("reading cargo's messages")?);
    if programs.is_empty() {
        bail!("cargo built no test program");
    }
    let lines: String = programs.iter().map(|program| program.to_line() + "\n").collect();
    let list = list()?;
    fs::write(&list, lines).with_context(|| format!("writing {}", list.display()))
}

/// Runs programs with arguments for their test runner, one after the other. All of them run,
/// even if one fails.
pub fn run(select: Select, args: &[&str]) -> Result<()> {
    let list = list()?;
    let text = fs::read_to_string(&list)
        .with_context(|| format!("reading {}; `cargo xtask test --only build` writes it", list.display()))?;
    let is_selected = |program: &Program| match select {
        Select::Units => program.target != SUITE,
        Select::Suite(folder) => program.target == SUITE && program.package == workspace().join(folder),
    };
    let programs: Vec<Program> = text.lines().filter_map(Program::from_line).filter(is_selected).collect();
    if programs.is_empty() {
        bail!("no test program is selected");
    }
    let mut failed = Vec::new();
    for program in &programs {
        println!("\n{}: {}", program.package.display(), program.target);
        let mut command = Command::new(&program.path);
        // As cargo runs them.
        command.args(args).current_dir(&program.package).env("CARGO_MANIFEST_DIR", &program.package);
        if env::var_os(SEED_VARIABLE).is_none() {
            command.env(SEED_VARIABLE, SEED);
        }
        if let Err(error) = shell::succeed(&mut command) {
            failed.push(format!("{} in {}: {error:#}", program.target, program.package.display()));
        }
    }
    match failed.is_empty() {
        true => Ok(()),
        false => bail!("{}", failed.join("; ")),
    }
}

/// Returns the file with the list of programs.
fn list() -> Result<PathBuf> {
    Ok(super::logs()?.join("programs.txt"))
}

/// Returns the test programs among cargo's messages.
fn listed(messages: &str) -> Vec<Program> {
    let program = |line: &str| {
        let message: Value = serde_json::from_str(line).ok()?;
        let is_test = message["reason"] == "compiler-artifact" && message["profile"]["test"] == true;
        let text = |value: &Value| value.as_str().map(str::to_owned);
        let manifest = text(&message["manifest_path"])?;
        is_test.then_some(Program {
            package: Path::new(&manifest).parent()?.to_owned(),
            target: text(&message["target"]["name"])?,
            path: text(&message["executable"])?.into(),
        })
    };
    messages.lines().filter_map(program).collect()
}

impl Program {
    fn to_line(&self) -> String {
        format!("{}\t{}\t{}", self.target, self.package.display(), self.path.display())
    }

    fn from_line(line: &str) -> Option<Self> {
        let mut parts = line.splitn(3, '\t');
        let (target, package, path) = (parts.next()?, parts.next()?, parts.next()?);
        Some(Program { package: package.into(), target: target.to_owned(), path: path.into() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn test_programs_are_found_among_messages() {
        let messages = r#"{"reason":"compiler-artifact","manifest_path":"/w/cli/Cargo.toml","target":{"kind":["bin"],"name":"tuckaway"},"profile":{"test":false},"executable":"/w/target/debug/tuckaway"}
{"reason":"compiler-artifact","manifest_path":"/w/cli/Cargo.toml","target":{"kind":["test"],"name":"suite"},"profile":{"test":true},"executable":"/w/target/debug/deps/suite-1"}
{"reason":"compiler-artifact","manifest_path":"/w/Cargo.toml","target":{"kind":["lib"],"name":"tuckaway"},"profile":{"test":false},"executable":null}
{"reason":"build-finished","success":true}
words of a build script"#;
        let expected = Program {
            package: "/w/cli".into(),
            target: "suite".to_owned(),
            path: "/w/target/debug/deps/suite-1".into(),
        };
        assert_eq!(listed(messages), std::slice::from_ref(&expected));
        assert_eq!(Program::from_line(&expected.to_line()), Some(expected));
        assert_eq!(Program::from_line("no tabs"), None);
    }
}
