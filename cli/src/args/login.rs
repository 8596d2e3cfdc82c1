//! The arguments of `mcp login`, `mcp logout` and `mcp logins`.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use tuckaway_text::units;

/// Logs in to a server that asks for it (OAuth), for the proxy.
///
/// Opens a page in the browser, which brings the answer to a port of this machine, and stores the
/// tokens in a file that only you can read. The proxy sends the token to this server alone, and
/// renews it. A token in the server's configuration takes precedence.
#[derive(Args)]
#[command(after_long_help = "\
Examples:
  tuckaway mcp login https://example.com/mcp
  tuckaway mcp login github --config mcp.json
  tuckaway mcp login https://example.com/mcp --scope read --scope write
  tuckaway mcp login https://example.com/mcp --client-id 1234 --client-secret-env SECRET --port 8123

On a machine without a browser, forward a port and open the page at home:
  ssh -L 8123:127.0.0.1:8123 HOST
  tuckaway mcp login https://example.com/mcp --no-browser --port 8123")]
pub struct LogIn {
    #[command(flatten)]
    pub server: OneServer,
    /// A scope to ask for; may be repeated. [default: those that the server names]
    #[arg(long, value_name = "SCOPE")]
    pub scope: Vec<String>,
    /// The id of a client that you have registered at the authorization server. [default: a client is
    /// registered]
    #[arg(long, value_name = "ID")]
    pub client_id: Option<String>,
    /// The environment variable with the client's secret, if the client has one.
    #[arg(long, value_name = "NAME", requires = "client_id")]
    pub client_secret_env: Option<String>,
    /// Prints the address of the page without opening it.
    #[arg(long)]
    pub no_browser: bool,
    /// The port of 127.0.0.1 to which the browser brings the answer. [default: any that is free]
    #[arg(long, value_name = "PORT", default_value_t = 0, hide_default_value = true)]
    pub port: u16,
    /// How long to wait for the browser's answer.
    #[arg(long, value_name = "DURATION", default_value = "5m", value_parser = units::duration)]
    pub wait: Duration,
}

/// Ends a login: removes its tokens, and revokes them if the authorization server can do that.
#[derive(Args)]
#[command(after_long_help = "\
Examples:
  tuckaway mcp logout https://example.com/mcp
  tuckaway mcp logout github --config mcp.json")]
pub struct LogOut {
    #[command(flatten)]
    pub server: OneServer,
}

/// Lists the servers to which you are logged in.
#[derive(Args)]
#[command(after_long_help = "\
Examples:
  tuckaway mcp logins
  tuckaway mcp logins --json | jq -r '.[].url'")]
pub struct Logins {}

/// The options that name a server with a URL.
#[derive(Args)]
pub struct OneServer {
    /// The server's URL, its name in the file of --config, or the name of a login.
    #[arg(value_name = "URL|NAME")]
    pub server: String,
    /// A JSON or TOML file that names servers, as for the proxy.
    #[arg(long, value_name = "FILE")]
    pub config: Option<PathBuf>,
}
