//! The arguments of `mcp proxy` and `mcp serve`.

use std::ffi::OsString;
use std::net::SocketAddr;
use std::path::PathBuf;

use clap::{ArgGroup, Args, ValueEnum};
use tuckaway_host::Dialect;

use super::output::ModeArg;
use crate::choice::Counter;
use crate::parse;

/// Stands in front of MCP servers and puts results away that are too big.
///
/// The model gets an envelope in the place of such a result, and three tools that read it;
/// nothing else changes. Serves one client over standard input and output, or any with
/// --listen. The log goes to standard error.
#[derive(Args)]
#[command(
    group(ArgGroup::new("servers").required(true).args(["command", "url", "config"])),
    after_long_help = "\
Examples:
  tuckaway mcp proxy -- npx -y @modelcontextprotocol/server-everything
  tuckaway mcp proxy --url https://example.com/mcp --header 'Authorization: Bearer $TOKEN'
  tuckaway mcp proxy --config mcp.json --listen 127.0.0.1:8000
  tuckaway mcp proxy --cap 5000 --handles 'mail_*' -- uvx mcp-server-git

A configuration is the one of a client, with its `mcpServers`, or a TOML file that also has
the settings: docs/mcp.md describes it. Flags override it. Variables in a header's value are
written $NAME, in single quotes, and replaced by the proxy; so they are in no list of
processes. Put `--` before the command."
)]
pub struct Proxy {
    /// The command of one server, and its arguments.
    #[arg(last = true, value_name = "CMD")]
    pub command: Vec<OsString>,
    /// The URL of one server, which speaks Streamable HTTP.
    #[arg(long, value_name = "URL")]
    pub url: Option<String>,
    /// A file that names servers, JSON or TOML. Names of tools begin with their server's.
    #[arg(long, value_name = "FILE")]
    pub config: Option<PathBuf>,
    /// The server's name. [default: that of the program, package or host]
    #[arg(long, value_name = "NAME", allow_hyphen_values = true, conflicts_with = "config")]
    pub name: Option<String>,
    /// A header for --url, `Name: value`; $NAME in the value is an environment variable.
    #[arg(long, value_name = "HEADER", conflicts_with_all = ["command", "config"])]
    pub header: Vec<String>,
    /// What the URL's type was where `tuckaway mcp install` found it; restored by --uninstall.
    #[arg(long, value_name = "TYPE", conflicts_with_all = ["command", "config"], hide = true)]
    pub url_type: Option<UrlType>,
    #[command(flatten)]
    pub results: Results,
    /// Globs of tools in whose arguments `tuckaway://ID` stands for the content of the artifact.
    /// May be repeated. [default: none]
    #[arg(long, value_name = "GLOB")]
    pub handles: Vec<String>,
    /// The most bytes of one result; a larger one is an error. [default: 256M]
    #[arg(long, value_name = "SIZE", value_parser = parse::size)]
    pub max_result: Option<u64>,
    #[command(flatten)]
    pub serving: Serving,
}

/// Offers the tools that read artifacts, and one that puts files away, over a store.
#[derive(Args)]
#[command(after_long_help = "\
Examples:
  tuckaway mcp serve
  tuckaway mcp serve --store dir:/srv/artifacts --listen 127.0.0.1:8000")]
pub struct Serve {
    /// A directory whose files may be put away. May be repeated. [default: the current one]
    #[arg(long, value_name = "DIR")]
    pub root: Vec<PathBuf>,
    #[command(flatten)]
    pub results: Results,
    #[command(flatten)]
    pub serving: Serving,
}

/// The options that decide how a result is reduced.
#[derive(Args)]
pub struct Results {
    /// The most tokens of a result. [default: 10000]
    #[arg(long, value_name = "TOKENS", value_parser = clap::value_parser!(u64).range(1..))]
    pub cap: Option<u64>,
    /// The most tokens of a result of a tool that reads one named file. [default: 25000]
    #[arg(long, value_name = "TOKENS", value_parser = clap::value_parser!(u64).range(1..))]
    pub file_cap: Option<u64>,
    /// The model's context window in tokens. [default: 200000]
    #[arg(long, value_name = "TOKENS", value_parser = clap::value_parser!(u64).range(1..))]
    pub window: Option<u64>,
    /// A JSON file with the policy's fields that differ from the defaults.
    #[arg(long, value_name = "FILE")]
    pub policy: Option<PathBuf>,
    /// How a result that is too big is reduced. [default: the policy's, auto]
    #[arg(long, value_enum)]
    pub mode: Option<ModeArg>,
    /// Whose texts and tools the model meets: `artifact`, `cache`, `handle` or `file`. Their
    /// defaults differ. [default: the policy's, artifact]
    #[arg(long, value_name = "DIALECT", value_parser = parse::dialect)]
    pub dialect: Option<Dialect>,
    /// How tokens are counted: `o200k_base` (or `tiktoken`), `cl100k_base`, `p50k_base`,
    /// `r50k_base`, or `estimate`, which needs no vocabulary.
    #[arg(long, value_name = "COUNTER", default_value = Counter::DEFAULT)]
    pub tokens: Counter,
}

/// The options that decide who is served.
#[derive(Args)]
pub struct Serving {
    /// Serves Streamable HTTP at this address. Another than a loopback address needs
    /// --token-env.
    #[arg(long, value_name = "ADDRESS")]
    pub listen: Option<SocketAddr>,
    /// The environment variable with the bearer token that clients must send.
    #[arg(long, value_name = "NAME", requires = "listen")]
    pub token_env: Option<String>,
    /// An origin from which browsers may connect, such as `https://example.com`. May be
    /// repeated.
    #[arg(long, value_name = "ORIGIN", requires = "listen")]
    pub allow_origin: Vec<String>,
    /// What is logged to standard error.
    #[arg(long, value_enum, value_name = "LEVEL", default_value_t = LogLevel::Info)]
    pub log: LogLevel,
}

/// The least severe of the messages that are logged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum LogLevel {
    Error,
    Warn,
    Info,
    Debug,
    Trace,
}

/// Types of a URL in configurations of clients; all of them are Streamable HTTP.
#[derive(Clone, Copy, ValueEnum)]
pub enum UrlType {
    Http,
    #[value(alias = "streamableHttp", alias = "streamable_http")]
    StreamableHttp,
}
