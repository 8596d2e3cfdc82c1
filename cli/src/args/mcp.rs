//! The arguments of `mcp`.

use std::path::PathBuf;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, Subcommand};
use tuckaway_mcp::install::{CLIENTS, Client};

use super::proxy::{Proxy, Serve};
use crate::parse;

/// Stands between an MCP client and its servers, so that large results do not fill the
/// model's window.
#[derive(Subcommand)]
pub enum Mcp {
    Proxy(Box<Proxy>),
    Serve(Serve),
    Install(Install),
}

/// Puts the proxy in front of the servers in a client's configuration.
///
/// Prints the changed configuration, or writes it with --write and keeps a copy of what was
/// there. Names, comments and formatting stay; servers that have the proxy are left alone.
/// What became of each server goes to standard error.
#[derive(Args)]
#[command(after_long_help = "\
Examples:
  tuckaway mcp install claude-code                  what would be written
  tuckaway mcp install cursor --write
  tuckaway mcp install vscode --path .vscode/mcp.json --write
  tuckaway mcp install codex --server docs --write  this server only
  tuckaway mcp install cursor --uninstall --write   as it was")]
pub struct Install {
    /// The client.
    #[arg(value_parser = PossibleValuesParser::new(CLIENTS.iter().map(|client| client.id))
        .try_map(|id| Client::named(&id).ok_or("no such client")))]
    pub client: &'static Client,
    /// Writes the configuration; a copy of what was there stays beside it, as `*.bak`.
    #[arg(long)]
    pub write: bool,
    /// Changes this server only. May be repeated. [default: all]
    #[arg(long, value_name = "NAME")]
    pub server: Vec<String>,
    /// Removes the proxy again.
    #[arg(long)]
    pub uninstall: bool,
    /// The configuration, such as that of a project. [default: the user's own]
    #[arg(long, value_name = "FILE")]
    pub path: Option<PathBuf>,
    /// What the client runs as the proxy, such as a full path if it does not search your PATH.
    #[arg(long, value_name = "PATH", default_value = "tuckaway", value_parser = parse::program)]
    pub program: String,
}
