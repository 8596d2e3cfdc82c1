//! The arguments of `mcp`.

use std::path::PathBuf;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, Subcommand};
use tuckaway_mcp::install::{CLIENTS, Client};

use super::proxy::{Proxy, Serve};
use crate::parse;

/// Sits between an MCP client and its servers, so that large results do not fill the model's
/// context window.
#[derive(Subcommand)]
pub enum Mcp {
    Proxy(Box<Proxy>),
    Serve(Serve),
    Install(Install),
}

/// Puts the proxy in front of the servers in a client's configuration.
///
/// One proxy replaces all servers, which move into a file beside the configuration. A server that
/// cannot be moved, or is the only one, gets a separate proxy, as all do with --separate. Prints
/// the changed configuration, or writes it with --write and keeps a copy of the old one. Comments
/// and formatting are preserved; servers that already go through the proxy are not changed. A line
/// for each server goes to standard error.
#[derive(Args)]
#[command(after_long_help = "\
Examples:
  tuckaway mcp install claude-code                  shows what would be written
  tuckaway mcp install cursor --write
  tuckaway mcp install gemini --separate --write    keeps an entry for each server
  tuckaway mcp install vscode --path .vscode/mcp.json --write
  tuckaway mcp install codex --server docs --write  changes this server only
  tuckaway mcp install cursor --uninstall --write   restores the configuration")]
pub struct Install {
    /// The client.
    #[arg(value_parser = PossibleValuesParser::new(CLIENTS.iter().map(|client| client.id))
        .try_map(|id| Client::named(&id).ok_or("no such client")))]
    pub client: &'static Client,
    /// Writes the configuration, and keeps a copy of the old one beside it, as `*.bak`.
    #[arg(long)]
    pub write: bool,
    /// Changes this server only. May be repeated. [default: all]
    #[arg(long, value_name = "NAME")]
    pub server: Vec<String>,
    /// Gives each server a separate proxy. The entries keep their names.
    #[arg(long, conflicts_with = "uninstall")]
    pub separate: bool,
    /// Removes the proxy from the configuration.
    #[arg(long)]
    pub uninstall: bool,
    /// The configuration file, such as a project's. [default: the user's own]
    #[arg(long, value_name = "FILE")]
    pub path: Option<PathBuf>,
    /// The program that the client runs as the proxy. Use a full path if the client does not
    /// search your PATH.
    #[arg(long, value_name = "PATH", default_value = "tuckaway", value_parser = parse::program)]
    pub program: String,
}
