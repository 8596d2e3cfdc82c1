//! A session of the official SDK's MCP client with a server behind the proxy.

use anyhow::{Context, Result};
use xtask::component::output;

use super::super::tools;
use super::launcher::Launcher;

/// Starts the proxy as a client's configuration does, lists the tools, calls one, and queries what was stored.
pub fn run(launcher: &Launcher) -> Result<()> {
    let script = tools::mcp_client()?;
    let mut client = launcher.home.command("node")?;
    output(client.arg(script).args(&launcher.words)).context("an MCP client with the proxy").map(drop)
}
