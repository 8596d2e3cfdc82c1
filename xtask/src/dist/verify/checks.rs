//! Checks of an installed command, for every way to start it.

use anyhow::{Context, Result, ensure};
use serde_json::Value;
use xtask::component::output;

use super::home::python;
use super::launcher::Launcher;
use super::mcp;

/// A program whose output is too large for a model.
pub const PRINTS_ROWS: &str = "import json; print(json.dumps({'rows': list(range(200000))}))";

/// Runs the first commands of the README, and a session of an MCP client through the proxy.
pub fn run(launcher: &Launcher, version: &str) -> Result<()> {
    let printed = output(&mut launcher.command(&["--version"])?)?;
    ensure!(printed.trim() == format!("tuckaway {version}"), "the command is {}", printed.trim());

    let python = python()?;
    let mut exec = launcher.command(&["exec", "--"])?;
    let envelope = output(exec.arg(python).args(["-c", PRINTS_ROWS]))?;
    let envelope: Value =
        serde_json::from_str(&envelope).context("the output of `exec` is not an envelope")?;
    let id = envelope["artifact_id"].as_str().context("the envelope has no artifact_id")?;
    let rows = output(&mut launcher.command(&["jq", ".rows | length", id])?)?;
    ensure!(rows.trim() == "200000", "jq found {} rows, not 200000", rows.trim());

    mcp::run(launcher).context("MCP through the proxy")?;
    let line: Vec<_> = launcher.words.iter().map(|word| word.to_string_lossy()).collect();
    println!("verified: {}", line.join(" "));
    Ok(())
}
