//! Puts the proxy into the configurations of clients, in front of their servers.
//!
//! ```text
//! text ─► document ─► servers ─► join | leave ─► wrap | unwrap ─► edits ─► text
//!                                  └─► the file of the proxy that stands for several servers
//! ```
//!
//! By default, one proxy stands for all servers that can be moved into its file (`join`). Every
//! other server gets a separate proxy (`wrap`). The proxies of a client share a session, and one
//! of them lists the artifact tools.
//!
//! Everything else in a file is preserved byte for byte, and [`Action::Uninstall`] reverts the
//! changes of [`Action::Install`] byte for byte. If this is impossible for a server, the server is
//! not changed, and the reason is reported.

mod allow;
mod change;
mod clients;
mod edit;
mod hooks;
mod join;
mod joined;
mod listing;
mod servers;
mod unwrap;
mod wrap;
mod write;

#[cfg(test)]
mod tests;

use std::fmt;

pub use allow::tools as artifact_tools;
pub use change::change;
pub use clients::{CLIENTS, Client, Keys, System};
pub use hooks::{HOOK_CLIENTS, HookChange, HookClient, HookError, parse_settings};
pub use write::{Written, remove, write, write_private};

use crate::document::Malformed;

/// The prefix of the variables that carry headers.
const HEADER_PREFIX: &str = "TUCKAWAY_HEADER_";

/// The option of a proxy that does not list the artifact tools.
const UNLISTED: &str = "--unlisted";

/// A change of a configuration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// Puts the proxy in front of the servers.
    Install,
    /// Removes the proxy.
    Uninstall,
}

/// A request to change a configuration.
#[derive(Clone, Debug)]
pub struct Request {
    /// The change.
    pub action: Action,
    /// The servers; all if empty.
    pub only: Vec<String>,
    /// The program that the client runs as the proxy: `tuckaway`, or its path.
    pub program: String,
    /// Whether each server gets a separate proxy.
    pub separate: bool,
    /// The path of the file for a proxy that stands for several servers.
    pub file: String,
    /// The text of this file; `None` if it does not exist.
    pub joined: Option<String>,
}

/// A changed configuration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Changed {
    /// The text.
    pub text: String,
    /// The change of the proxy's file.
    pub joined: JoinedFile,
    /// The outcome for each requested server, in the order of the text.
    pub servers: Vec<ServerChange>,
    /// The entries whose proxies list the artifact tools.
    pub listing: Vec<String>,
}

/// The change of the file for a proxy that stands for several servers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum JoinedFile {
    /// It does not change, or is not needed.
    Unchanged,
    /// It gets this text. Write it before the configuration.
    Write(String),
    /// It is not needed any more. Remove it after the configuration was written.
    Remove,
}

/// A server and the outcome of changing it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ServerChange {
    /// The project that the server is for; `None` for all.
    pub project: Option<String>,
    /// Its name.
    pub name: String,
    /// The outcome.
    pub outcome: Outcome,
    /// Why it has a separate proxy, if others share one.
    pub alone: Option<String>,
}

/// The outcome of changing one server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It was changed.
    Changed,
    /// It has a URL and was changed. If its client logs in to it, the proxy needs a login, too.
    ChangedUrl,
    /// There was nothing to do.
    Unchanged,
    /// It was not changed, for this reason.
    LeftAlone(String),
}

/// The reason why a configuration cannot be changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum InstallError {
    /// The configuration cannot be read.
    Malformed(Malformed),
    /// The configuration has no servers.
    NoServers,
    /// There is no server with this name.
    NoServer {
        /// The requested name.
        name: String,
        /// The names of all servers.
        known: Vec<String>,
    },
    /// The file of the proxy that stands for several servers does not exist. It has this path.
    NoJoined(String),
    /// The file of the proxy that stands for several servers cannot be read.
    Joined(String),
}

impl fmt::Display for InstallError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            InstallError::Malformed(malformed) => malformed.fmt(f),
            InstallError::NoServers => f.write_str("there are no MCP servers in this file"),
            InstallError::NoServer { name, known } => {
                write!(f, "there is no server {name:?}; the servers are {}", known.join(", "))
            }
            InstallError::NoJoined(path) => write!(
                f,
                "the servers are in {path}, which does not exist; restore this file, or restore the configuration from a copy"
            ),
            InstallError::Joined(why) => write!(
                f,
                "the file with the servers of the proxy is invalid: {why}; restore it, or restore the configuration from a copy"
            ),
        }
    }
}

impl std::error::Error for InstallError {}

/// Returns whether a command is tuckaway.
fn is_tuckaway(command: &str) -> bool {
    let name = command.rsplit(['/', '\\']).next().unwrap_or_default();
    matches!(name, "tuckaway" | "tuckaway.exe")
}

/// Returns the variable that carries a header.
fn header_variable(header: &str) -> String {
    let fit = |c: char| if c.is_ascii_alphanumeric() { c.to_ascii_uppercase() } else { '_' };
    HEADER_PREFIX.chars().chain(header.chars().map(fit)).collect()
}
