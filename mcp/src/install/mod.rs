//! The proxy in the configurations of clients, in front of the servers that are there.
//!
//! ```text
//! text ─► document ─► servers ─► wrap | unwrap ─► edits ─► text
//! ```
//!
//! Everything else in a file stays as it is, byte for byte, and what [`Action::Install`] changed,
//! [`Action::Uninstall`] restores byte for byte. A server for which that does not hold is left
//! alone, with the reason.

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

/// The beginning of the variables that carry headers.
const HEADER_PREFIX: &str = "TUCKAWAY_HEADER_";

/// What to do with a configuration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// Puts the proxy in front of the servers.
    Install,
    /// Removes it.
    Uninstall,
}

/// What is asked for.
#[derive(Clone, Debug)]
pub struct Request {
    /// What to do.
    pub action: Action,
    /// The servers; all if empty.
    pub only: Vec<String>,
    /// What the client runs as the proxy: `tuckaway`, or its path.
    pub program: String,
}

/// A configuration, changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Changed {
    /// The text.
    pub text: String,
    /// What became of each server that was asked for, in the order of the text.
    pub servers: Vec<ServerChange>,
}

/// What became of a server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ServerChange {
    /// The project that the server is for; `None` for all.
    pub project: Option<String>,
    /// Its name.
    pub name: String,
    /// What became of it.
    pub outcome: Outcome,
}

/// What became of a server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It was changed.
    Changed,
    /// It has a URL and was changed. If its client signed in to it, that no longer works: the
    /// proxy does not sign in.
    ChangedUrl,
    /// There was nothing to do.
    Unchanged,
    /// It was left alone, for this reason.
    LeftAlone(String),
}

/// Why a configuration cannot be changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum InstallError {
    /// It cannot be read.
    Malformed(Malformed),
    /// There are no servers in it.
    NoServers,
    /// There is no server with this name.
    NoServer {
        /// The name that was asked for.
        name: String,
        /// The names that there are.
        known: Vec<String>,
    },
}

impl fmt::Display for InstallError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            InstallError::Malformed(malformed) => malformed.fmt(f),
            InstallError::NoServers => f.write_str("there are no MCP servers in this file"),
            InstallError::NoServer { name, known } => {
                write!(f, "there is no server {name:?}; there are {}", known.join(", "))
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
    // Each was tried alone, and the tables of servers do not overlap.
    let text = edits.apply(text).unwrap_or_else(|| text.to_owned());
    Ok(Changed { text, servers: changes })
}

/// Returns the changes for one server, tried; `None` if there is nothing to do.
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
        // The server may be there under the same name for several projects.
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

/// Returns whether a command is this one.
fn is_tuckaway(command: &str) -> bool {
    let name = command.rsplit(['/', '\\']).next().unwrap_or_default();
    matches!(name, "tuckaway" | "tuckaway.exe")
}

/// Returns the variable that carries a header.
fn header_variable(header: &str) -> String {
    let fit = |c: char| if c.is_ascii_alphanumeric() { c.to_ascii_uppercase() } else { '_' };
    HEADER_PREFIX.chars().chain(header.chars().map(fit)).collect()
}
