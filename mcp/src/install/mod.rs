//! Puts the proxy into the configurations of clients, in front of their servers.
//!
//! ```text
//! text ─► document ─► servers ─► wrap | unwrap ─► edits ─► text
//! ```
//!
//! Everything else in a file is preserved byte for byte, and [`Action::Uninstall`] restores
//! byte for byte what [`Action::Install`] changed. A server for which this is impossible is not
//! changed, and the reason is reported.

mod clients;
mod edit;
mod unwrap;
mod wrap;
mod write;

#[cfg(test)]
mod tests;

use std::fmt;

pub use clients::{CLIENTS, Client, System};
pub use write::{Written, write};

use crate::document::{Malformed, Member, Node};
use edit::{Edits, Source};

/// The prefix of the variables that carry headers.
const HEADER_PREFIX: &str = "TUCKAWAY_HEADER_";

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
}

/// A changed configuration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Changed {
    /// The text.
    pub text: String,
    /// The outcome for each requested server, in the order of the text.
    pub servers: Vec<ServerChange>,
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
}

/// The outcome of changing one server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It was changed.
    Changed,
    /// It has a URL and was changed. If its client signs in to it, calls now fail, because the
    /// proxy does not sign in.
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
}

impl fmt::Display for InstallError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            InstallError::Malformed(malformed) => malformed.fmt(f),
            InstallError::NoServers => f.write_str("there are no MCP servers in this file"),
            InstallError::NoServer { name, known } => {
                write!(f, "there is no server {name:?}; the servers are {}", known.join(", "))
            }
        }
    }
}

impl std::error::Error for InstallError {}

/// Changes the text of a client's configuration.
pub fn change(text: &str, client: &Client, request: &Request) -> Result<Changed, InstallError> {
    let root = client.format.parse(text).map_err(InstallError::Malformed)?;
    let servers = servers(&root, client);
    let names = || servers.iter().map(|(_, server)| server.key.clone());
    if servers.is_empty() {
        return Err(InstallError::NoServers);
    }
    if let Some(name) = request.only.iter().find(|name| names().all(|known| known != **name)) {
        return Err(InstallError::NoServer { name: name.clone(), known: names().collect() });
    }
    let (mut edits, mut changes) = (Edits::default(), Vec::new());
    for (project, server) in servers {
        if !request.only.is_empty() && !request.only.contains(&server.key) {
            continue;
        }
        let source = Source { text, format: client.format, table: &server.node };
        let outcome = match edits_of(source, &server.key, client, request) {
            Ok(None) => Outcome::Unchanged,
            Ok(Some(new)) => {
                edits.extend(new);
                match request.action == Action::Install && server.node.member("url").is_some() {
                    true => Outcome::ChangedUrl,
                    false => Outcome::Changed,
                }
            }
            Err(why) => Outcome::LeftAlone(why),
        };
        changes.push(ServerChange { project: project.map(str::to_owned), name: server.key.clone(), outcome });
    }
    // Each change was tried separately, and the tables of servers do not overlap.
    let text = edits.apply(text).unwrap_or_else(|| text.to_owned());
    Ok(Changed { text, servers: changes })
}

/// Returns the changes for one server, after trying them; `None` if there is nothing to do.
fn edits_of(
    server: Source<'_>,
    name: &str,
    client: &Client,
    request: &Request,
) -> Result<Option<Edits>, String> {
    let edits = match request.action {
        Action::Install => wrap::wrap(server, name, &request.program, client.headers)?,
        Action::Uninstall => unwrap::unwrap(server, name, client.headers)?,
    };
    let Some(edits) = edits else { return Ok(None) };
    let odd = || "it is written in a way that cannot be changed safely; change it by hand".to_owned();
    let changed = edits.clone().apply(server.text).ok_or_else(odd)?;
    let root = client.format.parse(&changed).map_err(|_| odd())?;
    if request.action == Action::Install {
        // Several projects may have a server with this name.
        let restored =
            servers(&root, client).into_iter().filter(|(_, found)| found.key == name).any(|(_, found)| {
                let source = Source { text: &changed, format: client.format, table: &found.node };
                let undone = unwrap::unwrap(source, name, client.headers).ok().flatten();
                undone.and_then(|edits| edits.apply(&changed)).as_deref() == Some(server.text)
            });
        if !restored {
            return Err(odd());
        }
    }
    Ok(Some(edits))
}

/// Returns the servers of a configuration, each with the project that it is for.
fn servers<'a>(root: &'a Node, client: &Client) -> Vec<(Option<&'a str>, &'a Member)> {
    client.servers.iter().flat_map(|path| below(root, path, None)).collect()
}

fn below<'a>(node: &'a Node, path: &[&str], project: Option<&'a str>) -> Vec<(Option<&'a str>, &'a Member)> {
    let members = node.table().unwrap_or_default();
    let Some((key, rest)) = path.split_first() else {
        return members.iter().map(|member| (project, member)).collect();
    };
    let matching = members.iter().filter(|member| *key == "*" || member.key == *key);
    matching
        .flat_map(|member| below(&member.node, rest, if *key == "*" { Some(&member.key) } else { project }))
        .collect()
}

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
