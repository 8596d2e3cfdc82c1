//! jq's own test suite, which `host-test/tests/jq_suite.rs` runs. It comes with
//! the sources of jq that the Python package `jq` brings along.

use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result};

use crate::{shell, workspace};

/// The package, its hash, and which jq is in it.
const PACKAGE: &str = "jq-1.13.0";
const REQUIREMENT: &str =
    "jq==1.13.0 --hash=sha256:e62bdddeab3b8a0a404581a7bb6f1e8c4cc6082280870031f746074f4cac52c0\n";
const JQ: &str = "jq-1.8.2";

/// Puts the suite into `target/jq-suite/tests`, unless it is there.
pub fn fetch() -> Result<()> {
    let directory = workspace().join("target/jq-suite");
    let tests = directory.join("tests");
    if tests.is_dir() {
        return Ok(());
    }
    fs::create_dir_all(&directory).with_context(|| format!("making {}", directory.display()))?;
    fs::write(directory.join("requirements.txt"), REQUIREMENT).context("writing the requirement")?;
    let mut pip = Command::new("python3");
    // Its dependencies build it, which is not what it is fetched for.
    pip.args(["-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps"]);
    pip.args(["--no-binary", "jq", "--require-hashes", "--requirement", "requirements.txt"]);
    shell::succeed(pip.current_dir(&directory))?;
    unpack(&directory, &format!("{PACKAGE}.tar.gz"), &format!("{PACKAGE}/deps/{JQ}.tar.gz"))?;
    unpack(&directory, &format!("{PACKAGE}/deps/{JQ}.tar.gz"), &format!("{JQ}/tests"))?;
    // Last, so that it is there as a whole or not at all.
    fs::rename(directory.join(JQ).join("tests"), tests).context("moving the suite to its place")
}

fn unpack(directory: &Path, archive: &str, member: &str) -> Result<()> {
    shell::succeed(Command::new("tar").args(["-xzf", archive, member]).current_dir(directory))
}
