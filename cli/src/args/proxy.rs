//! The arguments of `mcp proxy` and `mcp serve`.

use std::ffi::OsString;
use std::net::SocketAddr;
use std::path::PathBuf;

use clap::{ArgGroup, Args, ValueEnum};
use tuckaway_host::Dialect;
use tuckaway_mcp::config::{Compression, client_limit};

use super::output::ModeArg;
use crate::choice::Counter;
use crate::parse;

/// Runs a proxy in front of MCP servers that stores large results.
///
/// In place of a large result, the model gets an envelope that describes it, and three tools
/// that read it; everything else is passed on unchanged. Serves one client over standard input
/// and output, or any number over HTTP with --listen. The log goes to standard error.
#[derive(Args)]
#[command(after_long_help = "\
Examples:
  tuckaway mcp proxy -- npx -y @modelcontextprotocol/server-everything
  tuckaway mcp proxy --url https://example.com/mcp --header 'Authorization: Bearer $TOKEN'
  tuckaway mcp proxy --config mcp.json --listen 127.0.0.1:8000
  tuckaway mcp proxy --cap 5000 --handles 'mail_*' -- uvx mcp-server-git
  tuckaway mcp proxy --jq '*' -- npx -y @modelcontextprotocol/server-memory
  tuckaway mcp proxy --compress-tools medium --exclude-tool 'delete_*' -- npx -y @example/issues

A configuration is a client's own file, with its `mcpServers`, or a TOML file that also has
the settings, as docs/mcp.md describes. Flags override it. Write a variable in a header's value
as $NAME, in single quotes: the proxy replaces it, so that its value does not appear in the list
of processes. Put `--` before the command.")]
pub struct Proxy {
    #[command(flatten)]
    pub servers: Servers,
    /// Does not list the artifact tools, because another proxy of the same client does. They are
    /// answered all the same; with a common --session, each proxy reads what the others stored.
    #[arg(long)]
    pub unlisted: bool,
    /// Lists the artifact tools once something is stored, if the client is known to read the list
    /// again when it changes.
    #[arg(long)]
    pub list_when_stored: bool,
    /// Gives the artifact tools their long descriptions, and appends the output schemas of other
    /// tools to theirs.
    #[arg(long)]
    pub detailed_tools: bool,
    /// A tool that the client lets the model call, as a glob; may be repeated. If the tool that reads
    /// artifacts is not among them, large results are truncated, not stored. [default: all]
    #[arg(long, value_name = "GLOB")]
    pub allowed_tool: Vec<String>,
    #[command(flatten)]
    pub results: Results,
    /// Tools, as a glob, in whose arguments `tuckaway://ID` is replaced by the artifact's content.
    /// May be repeated. [default: none]
    #[arg(long, value_name = "GLOB")]
    pub handles: Vec<String>,
    /// Tools, as a glob, that get an argument `_jq`: a jq filter for the result. The model then sees
    /// only the filter's outputs. May be repeated. [default: none]
    #[arg(long, value_name = "GLOB")]
    pub jq: Vec<String>,
    /// A jq filter for the results of the tools that a glob matches, if a call has none, such as
    /// 'github_list_issues=.[] | {number, title}'. May be repeated; the first match applies.
    #[arg(long, value_name = "GLOB=FILTER", value_parser = parse::glob_and_filter)]
    pub filter: Vec<(String, String)>,
    /// Maximum size of one result; a larger one is an error. [default: 256M]
    #[arg(long, value_name = "SIZE", value_parser = parse::size)]
    pub max_result: Option<u64>,
    #[command(flatten)]
    pub serving: Serving,
}

/// The options that name servers, and say which of their tools are listed, and how.
#[derive(Args)]
#[command(group(ArgGroup::new("servers").required(true).args(["command", "url", "config"])))]
pub struct Servers {
    /// The command of one server, and its arguments.
    #[arg(last = true, value_name = "CMD")]
    pub command: Vec<OsString>,
    /// The URL of one server, which speaks Streamable HTTP.
    #[arg(long, value_name = "URL")]
    pub url: Option<String>,
    /// A JSON or TOML file that names servers. Each tool's name is prefixed with its server's.
    #[arg(long, value_name = "FILE")]
    pub config: Option<PathBuf>,
    /// The server's name. [default: the name of its program, package or host]
    #[arg(long, value_name = "NAME", allow_hyphen_values = true, conflicts_with = "config")]
    pub name: Option<String>,
    /// A header for --url, `Name: value`; $NAME in the value is an environment variable.
    #[arg(long, value_name = "HEADER", conflicts_with_all = ["command", "config"])]
    pub header: Vec<String>,
    /// The type that the URL had before `tuckaway mcp install`; --uninstall restores it.
    #[arg(long, value_name = "TYPE", conflicts_with_all = ["command", "config"], hide = true)]
    pub url_type: Option<UrlType>,
    /// How far the definitions of tools are compressed: `off`, `low`, `medium`, `high` or `max`. From
    /// medium on, the model calls them through `call_tool`. [default: off]
    #[arg(long, value_name = "LEVEL")]
    pub compress_tools: Option<Compression>,
    /// A tool of the server that may be used, as a glob; may be repeated. A configuration has
    /// `include_tools` for each server. [default: all]
    #[arg(long, value_name = "GLOB", conflicts_with = "config")]
    pub include_tool: Vec<String>,
    /// A tool of the server that may not be used, as a glob; may be repeated.
    #[arg(long, value_name = "GLOB", conflicts_with = "config")]
    pub exclude_tool: Vec<String>,
}

/// Serves the tools that read artifacts, and one that stores files, as an MCP server.
#[derive(Args)]
#[command(after_long_help = "\
Examples:
  tuckaway mcp serve
  tuckaway mcp serve --store dir:/srv/artifacts --listen 127.0.0.1:8000")]
pub struct Serve {
    /// A directory whose files may be stored. May be repeated. [default: the current directory]
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
    /// Maximum number of tokens in a result; a larger one is reduced. [default: 10000]
    #[arg(long, value_name = "TOKENS", value_parser = clap::value_parser!(u64).range(1..))]
    pub cap: Option<u64>,
    /// Maximum number of tokens in the result of a tool that reads one named file. [default: 25000]
    #[arg(long, value_name = "TOKENS", value_parser = clap::value_parser!(u64).range(1..))]
    pub file_cap: Option<u64>,
    /// Maximum size of a result, and of a page of an artifact, that the client shows the model
    /// whole, or `unlimited`. [default: what is known about the client]
    #[arg(long, value_name = "SIZE", value_parser = client_limit)]
    pub client_limit: Option<u64>,
    /// The model's context window in tokens. [default: 200000]
    #[arg(long, value_name = "TOKENS", value_parser = clap::value_parser!(u64).range(1..))]
    pub window: Option<u64>,
    /// A JSON file with the policy's fields that differ from the defaults.
    #[arg(long, value_name = "FILE")]
    pub policy: Option<PathBuf>,
    /// How a result that is too big is reduced. [default: from the policy, or auto]
    #[arg(long, value_enum)]
    pub mode: Option<ModeArg>,
    /// The tool names and messages shown to the model: `artifact`, `cache`, `handle` or `file`.
    /// Each has its own default policy. [default: from the policy, or artifact]
    #[arg(long, value_name = "DIALECT", value_parser = parse::dialect)]
    pub dialect: Option<Dialect>,
    /// How tokens are counted: `o200k_base` (or `tiktoken`), `cl100k_base`, `p50k_base`,
    /// `r50k_base`, or `estimate`, which needs no vocabulary.
    #[arg(long, value_name = "COUNTER", default_value = Counter::DEFAULT)]
    pub tokens: Counter,
}

/// The options that decide which clients are served.
#[derive(Args)]
pub struct Serving {
    /// Serves Streamable HTTP at this address. Any address that is not a loopback address
    /// requires --token-env.
    #[arg(long, value_name = "ADDRESS")]
    pub listen: Option<SocketAddr>,
    /// The environment variable with the bearer token that clients must send.
    #[arg(long, value_name = "NAME", requires = "listen")]
    pub token_env: Option<String>,
    /// An origin from which browsers may connect, such as `https://example.com`. May be
    /// repeated.
    #[arg(long, value_name = "ORIGIN", requires = "listen")]
    pub allow_origin: Vec<String>,
    /// How much is logged to standard error.
    #[arg(long, value_enum, value_name = "LEVEL", default_value_t = LogLevel::Info)]
    pub log: LogLevel,
}

/// The least severe level of the messages that are logged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum LogLevel {
    Error,
    Warn,
    Info,
    Debug,
    Trace,
}

/// The types that clients' configurations give a URL; all of them are Streamable HTTP.
#[derive(Clone, Copy, ValueEnum)]
pub enum UrlType {
    Http,
    #[value(alias = "streamableHttp", alias = "streamable_http")]
    StreamableHttp,
    Remote,
}
