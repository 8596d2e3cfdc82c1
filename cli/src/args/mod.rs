//! The definition of the command line, with its help.

mod extract;
#[cfg(feature = "mcp")]
mod hook;
#[cfg(feature = "mcp")]
mod login;
mod mcp;
mod output;
mod plan;
#[cfg(feature = "mcp")]
mod proxy;
mod query;
mod stats;

pub use extract::{Extract, Provider};
#[cfg(feature = "mcp")]
pub use hook::{Hook, HookFile, HookInstall};
#[cfg(feature = "mcp")]
pub use login::{LogIn, LogOut, OneServer};
pub use mcp::{Install, Mcp, Tools};
pub use output::{Exec, Offload, Reduce};
pub use plan::Plan;
#[cfg(feature = "mcp")]
pub use proxy::{LogLevel, Proxy, Results, Serve, Servers, Serving};
pub use query::{Grep, Jq, Read, Shape, Truncate};
pub use stats::Stats;

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, Parser, Subcommand};
use clap_complete::Shell;
use tuckaway_host::Dialect;
use tuckaway_host::store::{MaxAge, Quota};

use crate::choice::StoreAt;
use crate::parse;

/// Stores oversized tool outputs and answers questions about them.
///
/// An output that is too big for a model's context window is stored and replaced by a
/// short reference that describes its content. `read`, `grep` and `jq` take the id in
/// the reference, or a file. They print bounded pages, or everything, like the Unix tools
/// that they are named after.
#[derive(Parser)]
#[command(name = "tuckaway", version, propagate_version = true, after_long_help = EXAMPLES, max_term_width = 100)]
pub struct Cli {
    /// Where outputs are stored: `dir:PATH`, `s3://BUCKET/PREFIX`, `gs://BUCKET/PREFIX`,
    /// `az://CONTAINER/PREFIX`, or `memory` to discard them on exit. Credentials of a bucket come
    /// from the environment, such as AWS_ACCESS_KEY_ID. [default: dir:$XDG_STATE_HOME/tuckaway/store]
    #[arg(long, global = true, help_heading = GLOBAL, value_name = "STORE", env = "TUCKAWAY_STORE", hide_env_values = true)]
    pub store: Option<StoreAt>,
    /// The URL of the bucket's server, if it is not the provider's own.
    #[arg(
        long,
        global = true,
        help_heading = GLOBAL,
        value_name = "URL",
        env = "TUCKAWAY_STORE_ENDPOINT",
        hide_env_values = true,
        hide_short_help = true
    )]
    pub store_endpoint: Option<String>,
    /// The session, isolated from others: 1 to 64 characters from `a-z`, `0-9`, `_` and `-`.
    /// `mcp` also accepts `project` (what the same client stored in this directory, also before it
    /// resumed), `connection` (since it connected) and `shared` (everything that is in no session).
    /// [default: none; mcp proxy: project; mcp proxy --listen: connection; mcp serve: shared]
    #[arg(long, global = true, help_heading = GLOBAL, value_name = "NAME", env = "TUCKAWAY_SESSION", hide_env_values = true)]
    pub session: Option<String>,
    /// The age at which artifacts expire, such as `12h` or `7d`, or `forever`.
    /// [default: 7d; with --store: forever; mcp: 7d]
    #[arg(
        long,
        global = true,
        help_heading = GLOBAL,
        value_name = "AGE",
        env = "TUCKAWAY_MAX_AGE",
        hide_env_values = true,
        hide_short_help = true
    )]
    pub max_age: Option<MaxAge>,
    /// Maximum size of each session, such as `512M`, or `unlimited`. An artifact that would exceed
    /// it is not stored. [default: 2G; with --store: unlimited]
    #[arg(
        long,
        global = true,
        help_heading = GLOBAL,
        value_name = "SIZE",
        env = "TUCKAWAY_QUOTA",
        hide_env_values = true,
        hide_short_help = true
    )]
    pub quota: Option<Quota>,
    /// Prints one JSON value, whose fields have the names of the WIT interface.
    #[arg(long, global = true, help_heading = GLOBAL)]
    pub json: bool,
    /// Time limit for one call into the engine, such as `500ms`, `60s` or `5m`.
    #[arg(long, global = true, help_heading = GLOBAL, value_name = "TIME", default_value = "60s", value_parser = parse::duration, hide_short_help = true)]
    pub deadline: Duration,
    /// Memory limit for one call into the engine, such as `512M`.
    #[arg(long, global = true, help_heading = GLOBAL, value_name = "SIZE", default_value = "1G", value_parser = parse::size, hide_short_help = true)]
    pub memory: u64,
    #[command(subcommand)]
    pub command: Command,
}

/// The heading of the options that every command has.
const GLOBAL: &str = "Global options";

const EXAMPLES: &str = "\
Examples:
  tuckaway exec -- cargo test            run it; print what a model should see of its output
  curl -s $URL | tuckaway offload --tool fetch
  tuckaway list                          list the stored outputs
  tuckaway read art_fetch_9k2x7m4q1c --lines 100:120 -n
  tuckaway grep -i -C2 'error|failed' art_fetch_9k2x7m4q1c
  tuckaway jq '.rows[] | select(.score > 0.9) | .id' art_fetch_9k2x7m4q1c
  tuckaway jq '.rows | length' big.json  files are queried in place
  tuckaway offload --explain big.log >/dev/null   show which gate decided, and why
  tuckaway plan request.json --window 200000   show what fills a conversation, and what to remove
  tuckaway extract big.log 'why did it fail?' --model gpt-5-mini   a model reads it and answers
  tuckaway mcp install claude-code --write   reduce large MCP results for an existing agent
  tuckaway hook install claude-code --write  and large outputs of its shell
  tuckaway --store s3://bucket/agents --session chat-42 list
  tuckaway stats                         sum what is stored by tool, session and day
  tuckaway gc                            remove expired and over-quota artifacts

Output for the model goes to stdout, everything else to stderr.
The exit status is 0, or 1 after an error, or 2 if the arguments are wrong or an input does not
exist or cannot be read. `exec` has the status of its command; `grep` and `jq` have those of the
tools that they are named after.
For details of a command, run `tuckaway COMMAND --help`.";

#[derive(Subcommand)]
pub enum Command {
    Offload(Offload),
    Exec(Exec),
    Read(Read),
    Grep(Grep),
    Jq(Jq),
    Shape(Shape),
    Truncate(Truncate),
    Plan(Plan),
    Extract(Extract),
    #[cfg(feature = "mcp")]
    #[command(subcommand)]
    Mcp(Mcp),
    #[cfg(feature = "mcp")]
    #[command(subcommand)]
    Hook(Hook),
    /// Lists the stored artifacts, oldest first, and when they expire.
    List,
    /// Lists the sessions of the store.
    ///
    /// `tuckaway rm --all --session NAME` removes a session and all of its artifacts.
    Sessions,
    Stats(Stats),
    /// Removes expired artifacts, and incomplete ones that crashed writers left, in all sessions.
    ///
    /// If a session exceeds the quota, its oldest artifacts expire until the rest fits. For a
    /// while, the store remembers the ids of expired artifacts: reading one reports when it
    /// expired and which tool produced it.
    #[command(after_long_help = "\
Examples:
  tuckaway gc
  tuckaway gc --max-age 1d --quota 500M
  tuckaway gc --store s3://bucket/agents --max-age 30d --json")]
    Gc,
    /// Shows the record of one artifact.
    Stat {
        /// The artifact's id.
        id: String,
    },
    Rm(Rm),
    /// Prints the definitions of a dialect's tools, for a model provider.
    ///
    /// The output is a JSON array of objects with `name`, `description` and
    /// `input_schema`. Run the model's calls with `tuckaway call`.
    Tools {
        /// The dialect: `artifact`, `cache`, `handle` (whose tool is offered only once something
        /// is stored) or `file`.
        #[arg(long, value_name = "DIALECT", default_value = "artifact", value_parser = parse::dialect)]
        dialect: Dialect,
        /// The tools: a list of `read`, `grep` and `jq`, or `none`.
        #[arg(long, value_name = "LIST", default_value = "read,grep,jq", value_parser = parse::tools)]
        tools: parse::Tools,
        /// Print every parameter of the dialect `artifact`, and a description of each. This takes
        /// about three times the tokens.
        #[arg(long)]
        detailed: bool,
    },
    /// Runs a model's call of an artifact tool, and prints the reply for the model.
    ///
    /// Exits with 1 if the reply is an error that the model can correct.
    #[command(after_long_help = "\
Example:
  tuckaway call artifact_read '{\"artifact_id\": \"art_fetch_9k2x7m4q1c\", \"start_line\": 1}'
  tuckaway call tool_output_cache '{\"ref_id\": \"art_fetch_9k2x7m4q1c\", \"offset\": 200}'")]
    Call {
        /// The name of a tool of any dialect, such as `artifact_read` or `read_large_output`.
        name: String,
        /// The arguments as a JSON object; `-` reads them from standard input.
        arguments: String,
        /// Maximum size of the reply, such as 4096 or 16K.
        #[arg(long, value_name = "SIZE", value_parser = parse::page_size)]
        max_bytes: Option<u32>,
    },
    /// Prints a script that completes this command's arguments in a shell.
    #[command(after_long_help = "\
Examples:
  tuckaway completions bash > ~/.local/share/bash-completion/completions/tuckaway
  tuckaway completions zsh > \"${fpath[1]}/_tuckaway\"
  tuckaway completions fish > ~/.config/fish/completions/tuckaway.fish")]
    Completions {
        /// The shell.
        shell: Shell,
    },
    /// Prints the man page of this command, or of one of its subcommands.
    #[command(after_long_help = "\
Examples:
  tuckaway man | man -l -
  tuckaway man exec > ~/.local/share/man/man1/tuckaway-exec.1
  tuckaway man --output ~/.local/share/man/man1")]
    Man {
        /// A subcommand, such as `exec`.
        command: Option<String>,
        /// Writes the pages of all commands into this directory instead.
        #[arg(long, value_name = "DIR", conflicts_with = "command")]
        output: Option<PathBuf>,
    },
}

/// Removes artifacts.
#[derive(Args)]
#[group(required = true, multiple = true)]
pub struct Rm {
    /// The ids of the artifacts to remove.
    #[arg(value_name = "ID")]
    pub ids: Vec<String>,
    /// Removes artifacts that are older than this, such as `12h` or `7d`.
    #[arg(long, value_name = "AGE", value_parser = parse::duration)]
    pub older_than: Option<Duration>,
    /// Removes all artifacts; with --session, removes the session itself as well.
    #[arg(long)]
    pub all: bool,
}
