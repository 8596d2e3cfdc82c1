//! The configuration of a proxy that stands for several servers of a client: the proxy reads this
//! file next to the client's own, and the servers return from it when the proxy is removed.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value as Json};

use super::{Client, InstallError, Keys};
use crate::config::server_name;
use crate::document::{Node, Value};

/// Members that concern only how a client shows a server or waits for it.
const IGNORED: [&str; 15] = [
    "bundled",
    "connectionTimeout",
    "description",
    "dev",
    "display_name",
    "gallery",
    "iconPath",
    "name",
    "source",
    "startup_timeout_ms",
    "startup_timeout_sec",
    "timeout",
    "tool_timeout_sec",
    "type",
    "version",
];

/// The beginnings of variables that clients replace.
const VARIABLES: [&str; 3] = ["$", "{env:", "{file:"];

/// The content of the file.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub struct Joined {
    /// The servers, in the form that the proxy reads.
    #[serde(rename = "mcpServers")]
    pub servers: Map<String, Json>,
    /// The pieces of the client's file that were removed. The first one is where the proxy is now.
    #[serde(rename = "installed")]
    pub pieces: Vec<Piece>,
    /// Settings of the proxy that the user has added.
    #[serde(flatten)]
    pub settings: Map<String, Json>,
}

/// A piece of the client's file.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub struct Piece {
    /// The server after which the piece was; `None` for the first piece.
    pub after: Option<String>,
    /// The piece, byte for byte.
    pub text: String,
}

impl Joined {
    /// Reads the file.
    pub fn read(text: &str) -> Result<Self, InstallError> {
        serde_json::from_str(text).map_err(|error| InstallError::Joined(error.to_string()))
    }

    /// Returns the text of the file.
    pub fn write(&self) -> String {
        let mut text = serde_json::to_string_pretty(self).unwrap_or_default();
        text.push('\n');
        text
    }
}

/// Returns a server in the form that the proxy reads. The error says why the server needs a
/// separate proxy.
pub fn portable(server: &Node, name: &str, client: &Client) -> Result<Json, String> {
    server_name(name)?;
    let keys = &client.keys;
    let mut members = Map::new();
    for member in server.table().unwrap_or_default() {
        let key = &*member.key;
        if key == keys.command && keys.args.is_none() {
            let mut words = member.node.list().unwrap_or_default().iter().map(Node::to_json);
            members.insert("command".to_owned(), words.next().unwrap_or_default());
            members.insert("args".to_owned(), words.collect());
        } else if let Some(known) = known(key, keys) {
            members.insert(known.to_owned(), member.node.to_json());
        } else if !IGNORED.contains(&key) && !is_without_effect(key, &member.node.value) {
            return Err(format!("the proxy cannot take over its {key}"));
        }
    }
    let server = Json::Object(members);
    let text = server.to_string();
    match VARIABLES.into_iter().find(|variable| text.contains(variable)) {
        Some(_) => Err(format!("only {} can replace its variables", client.title)),
        None => Ok(server),
    }
}

/// Returns the proxy's name for a member; `None` if it does not know the member.
fn known(key: &str, keys: &Keys) -> Option<&'static str> {
    match key {
        _ if key == keys.command => Some("command"),
        _ if Some(key) == keys.args => Some("args"),
        _ if key == keys.env => Some("env"),
        _ if Some(key) == keys.url || Some(key) == keys.typed_url => Some("url"),
        _ if key == keys.headers => Some("headers"),
        "cwd" => Some("cwd"),
        _ => None,
    }
}

/// Returns whether a member changes nothing: an empty list, all tools, or the default of a switch.
fn is_without_effect(key: &str, value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::List(elements) => elements.iter().all(|element| key == "tools" && element.text() == Some("*")),
        Value::Table(members) => members.is_empty(),
        Value::Bool(true) => key == "enabled",
        Value::Bool(false) => key != "enabled",
        _ => false,
    }
}
