//! The arguments of `mcp`.

use std::path::PathBuf;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, Subcommand};
use tuckaway_mcp::install::{CLIENTS, Client};

use super::login::{LogIn, LogOut, Logins};
use super::proxy::{Proxy, Serve, Servers};
use crate::choice::Counter;
use crate::parse;

/// Sits between an MCP client and its servers, so that large results do not fill the model's
/// context window.
#[derive(Subcommand)]
pub enum Mcp {
    Proxy(Box<Proxy>),
    Serve(Serve),
    Tools(Box<Tools>),
    Install(Install),
    #[command(name = "login")]
    LogIn(LogIn),
    #[command(name = "logout")]
    LogOut(LogOut),
    Logins(Logins),
}

/// Counts the tokens that the tools of servers cost, at each level of --compress-tools.
///
/// Starts the servers, lists their tools, and stops them. Counts what a client passes to the model of
/// each tool: its name, description and input schema, as JSON.
#[derive(Args)]
#[command(after_long_help = "\
Examples:
  tuckaway mcp tools -- uvx mcp-server-git
  tuckaway mcp tools --config mcp.json
  tuckaway mcp tools --compress-tools medium --json -- uvx mcp-server-git | jq .listed")]
pub struct Tools {
    #[command(flatten)]
    pub servers: Servers,
    /// How tokens are counted: `o200k_base` (or `tiktoken`), `cl100k_base`, `p50k_base`,
    /// `r50k_base`, or `estimate`, which needs no vocabulary.
    #[arg(long, value_name = "COUNTER", default_value = Counter::DEFAULT)]
    pub tokens: Counter,
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
