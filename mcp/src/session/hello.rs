//! The introduction of the proxy, once its servers are running or have failed. If the only server
//! has failed, that is the answer, as it would be without the proxy. Servers that are still
//! starting when the client would soon give up count as having all capabilities.

use std::sync::atomic::Ordering;

use futures_util::future::join_all;
use rmcp::model::{DiscoverResult, ErrorData, Implementation, InitializeResult, ProtocolVersion};
use serde_json::{Map, Value, json};

use super::Session;
use crate::profile;
use crate::upstream::State;
use crate::wire::CAPABILITIES;

/// The maximum length of the servers' instructions.
const MAX_INSTRUCTIONS_BYTES: usize = 32 << 10;

/// Returns the capabilities of a server that has not introduced itself: all of them.
fn everything() -> Value {
    json!({
        "completions": {},
        "logging": {},
        "prompts": { "listChanged": true },
        "resources": { "listChanged": true, "subscribe": true },
        "tools": { "listChanged": true },
    })
}

impl Session {
    /// Answers `initialize`.
    pub async fn initialize_result(&self) -> Result<InitializeResult, ErrorData> {
        let mut introduction = self.introduction().await?;
        let version =
            self.client().map_or(ProtocolVersion::LATEST_WITH_INITIALIZE, |client| client.version.clone());
        introduction.insert("protocolVersion".to_owned(), json!(version));
        read(introduction)
    }

    /// Answers `server/discover`.
    pub async fn discover_result(&self) -> Result<DiscoverResult, ErrorData> {
        let mut introduction = self.introduction().await?;
        let server = introduction.remove("serverInfo").unwrap_or_default();
        introduction["_meta"]["io.modelcontextprotocol/serverInfo"] = server;
        introduction.insert("resultType".to_owned(), json!("complete"));
        introduction.insert("supportedVersions".to_owned(), json!(ProtocolVersion::KNOWN_VERSIONS));
        introduction.insert("ttlMs".to_owned(), json!(0));
        introduction.insert("cacheScope".to_owned(), json!("private"));
        read(introduction)
    }

    /// Returns the introduction, or why the only server is not running.
    async fn introduction(&self) -> Result<Map<String, Value>, ErrorData> {
        let servers = self.servers();
        let name = self.client().map_or("", |client| client.introduction.client_info.name.as_str());
        let patience = profile::of(name).start_patience;
        let started = join_all(servers.iter().map(|server| server.connection()));
        if let Ok(started) = tokio::time::timeout(patience, started).await
            && let [Err(failed)] = &started[..]
        {
            return Err(failed.clone());
        }
        self.is_introduced.store(true, Ordering::Relaxed);
        let running = self.running();
        let are_all_here = running.len() == servers.len()
            && servers.iter().all(|server| matches!(server.state(), State::Running(_)));
        let mut capabilities = match are_all_here {
            true => json!({ "resources": {}, "tools": {} }),
            false => everything(),
        };
        for connection in &running {
            merge(&mut capabilities, connection.capabilities());
        }
        // Artifacts are resources; tools may change when a server is restarted.
        merge(&mut capabilities, json!({ "resources": {}, "tools": { "listChanged": true } }));
        let mut introduction = Map::new();
        introduction.insert("_meta".to_owned(), json!({ CAPABILITIES: capabilities }));
        introduction.insert("capabilities".to_owned(), capabilities);
        introduction.insert("serverInfo".to_owned(), self.server_info());
        let instructions = self.instructions();
        if !instructions.is_empty() {
            introduction.insert("instructions".to_owned(), instructions.into());
        }
        Ok(introduction)
    }

    /// Returns the name of the only server, so that the client shows it, or else the proxy's own.
    fn server_info(&self) -> Value {
        let own = Implementation::new("tuckaway", env!("CARGO_PKG_VERSION"));
        let only = (!self.settings.prefix_names).then(|| self.running().into_iter().next()).flatten();
        json!(only.and_then(|connection| connection.info().server_info.clone()).unwrap_or(own))
    }

    /// Returns the servers' instructions, each under the server's name if there are several. A
    /// server that has failed is named with the reason, so that nobody looks for its tools.
    fn instructions(&self) -> String {
        let said = self.servers().iter().filter_map(|server| {
            let text = match server.state() {
                State::Running(connection) => connection.info().instructions.clone()?,
                State::Pausing(why) => format!("This server is not running: {why}."),
                State::Starting => return None,
            };
            match self.settings.prefix_names {
                _ if text.trim().is_empty() => None,
                true => Some(format!("# {}\n\n{text}", server.name)),
                false => Some(text),
            }
        });
        let text = said.collect::<Vec<_>>().join("\n\n");
        tuckaway_text::cut::with_ellipsis(text, MAX_INSTRUCTIONS_BYTES)
    }
}

fn read<T: serde::de::DeserializeOwned>(introduction: Map<String, Value>) -> Result<T, ErrorData> {
    serde_json::from_value(Value::Object(introduction)).map_err(|error| {
        ErrorData::internal_error(format!("the proxy could not introduce itself: {error}"), None)
    })
}

/// Adds the members of one object to another, at every level.
fn merge(into: &mut Value, from: Value) {
    match (into, from) {
        (Value::Object(into), Value::Object(from)) => {
            for (name, value) in from {
                merge(into.entry(name).or_insert(Value::Null), value);
            }
        }
        (into @ Value::Null, from) => *into = from,
        (into @ Value::Bool(false), Value::Bool(true)) => *into = Value::Bool(true),
        _ => {}
    }
}
