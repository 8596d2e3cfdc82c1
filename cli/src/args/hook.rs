//! The arguments of `hook`.

use std::path::PathBuf;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, Subcommand};
use tuckaway_mcp::install::{HOOK_CLIENTS, HookClient};

use crate::parse;

/// Reduces the output of the shell commands that an agent's client runs.
///
/// Before its shell tool runs a command, the client asks the hook, which replaces `cargo test` by
/// `tuckaway exec … -- bash -c 'cargo test'`. The command has the same exit status, and its output
/// is stored if it is large. Commands that need the client's own shell or a terminal are not
/// changed. TUCKAWAY_HOOK=off in the client's environment, or before a command, turns the hook off.
#[derive(Subcommand)]
#[command(after_long_help = "\
Examples:
  tuckaway hook install claude-code             shows what would be written
  tuckaway hook install codex --write
  tuckaway hook install gemini --path .gemini/settings.json --write   for one project
  tuckaway hook uninstall codex --write         restores the file byte for byte")]
pub enum Hook {
    Install(HookInstall),
    /// Removes the hook from the settings of a client.
    ///
    /// Prints the changed file, or writes it with --write. The file is then byte for byte what it
    /// was before the hook was installed, and a file that did not exist is removed.
    Uninstall(HookFile),
    /// Answers a client that is about to run a shell command. The client starts this.
    ///
    /// Reads the call as JSON from standard input and prints the answer as the client expects it,
    /// or nothing if the command is not changed.
    #[command(after_long_help = "\
Example:
  echo '{\"tool_name\": \"Bash\", \"tool_input\": {\"command\": \"ls\"}}' | tuckaway hook run codex")]
    Run {
        /// The client.
        #[arg(value_parser = client())]
        client: &'static HookClient,
    },
}

/// Installs the hook in the settings of a client.
///
/// Prints the changed file, or writes it with --write and keeps a copy of the old one. Comments
/// and formatting are preserved.
#[derive(Args)]
pub struct HookInstall {
    #[command(flatten)]
    pub file: HookFile,
    /// The program that the client runs as the hook. Use a full path if the client does not search
    /// your PATH.
    #[arg(long, value_name = "PATH", default_value = "tuckaway", value_parser = parse::program)]
    pub program: String,
}

/// A client and its file.
#[derive(Args)]
pub struct HookFile {
    /// The client.
    #[arg(value_parser = client())]
    pub client: &'static HookClient,
    /// Writes the file, and keeps a copy of the old one beside it, as `*.bak`.
    #[arg(long)]
    pub write: bool,
    /// The file, such as a project's. [default: the user's own]
    #[arg(long, value_name = "FILE")]
    pub path: Option<PathBuf>,
}

fn client() -> impl TypedValueParser<Value = &'static HookClient> {
    PossibleValuesParser::new(HOOK_CLIENTS.iter().map(|client| client.id))
        .try_map(|id| HookClient::named(&id).ok_or("no such client"))
}
