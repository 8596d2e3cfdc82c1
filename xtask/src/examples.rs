//! The step `examples`: the host in JavaScript of `examples/`, built and run as its first lines say. The one in
//! Rust has a test of its own.

use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::{javascript, shell, workspace};

/// A file that is too large to pass with a context window of 128,000 tokens, and a pattern that it contains.
const FILE: &str = "js/package-lock.json";
const PATTERN: &str = "lockfileVersion";

/// Runs the host: it must store the file, show a view of it, and find the pattern in it.
pub fn run() -> Result<()> {
    javascript::ensure_node()?;
    let folder = workspace().join("examples/host-in-100-lines");
    shell::succeed(shell::npm().args(["ci", "--no-audit", "--no-fund"]).current_dir(&folder))?;
    shell::succeed(shell::npm().args(["run", "transpile"]).current_dir(&folder))?;
    let mut host = Command::new("node");
    host.arg("host.mjs").arg(workspace().join(FILE)).arg(PATTERN).current_dir(&folder);
    let line = shell::line(&host);
    let output = host.output().with_context(|| format!("running {line}"))?;
    let printed = String::from_utf8_lossy(&output.stdout);
    if !output.status.success() {
        bail!("{line} failed ({}): {}", output.status, String::from_utf8_lossy(&output.stderr));
    }
    for expected in ["how_to_access", "4:  \"lockfileVersion\": 3"] {
        if !printed.contains(expected) {
            bail!("{line} printed no {expected:?}, but:\n{printed}");
        }
    }
    println!("{line}: {} bytes, with a view of {FILE} and a line of it", printed.len());
    Ok(())
}
