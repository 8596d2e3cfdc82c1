//! A proxy between a client of raw lines and scripted servers.

use std::sync::Arc;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;
use tuckaway_host::{MemoryStore, Tuckaway};
use tuckaway_mcp::config::{Options, Reach, ServerConfig, ServerTools};
use tuckaway_mcp::{MakeEngine, Proxy, ProxyError, Settings};
use tuckaway_test_kit::mcp_client::McpClient;

/// Bytes in the pipe between client and proxy.
const PIPE_BYTES: usize = 64 << 10;

/// A revision with `initialize`.
pub const OLD: &str = "2025-11-25";

/// Returns a scripted server.
pub fn server(name: &str, args: &[&str]) -> ServerConfig {
    let reach = Reach::Command {
        program: env!("CARGO_BIN_EXE_mcp_server").to_owned(),
        args: args.iter().map(|&arg| arg.to_owned()).collect(),
        env: Vec::new(),
        directory: None,
    };
    ServerConfig { name: name.to_owned(), reach, tools: ServerTools::default() }
}

/// Returns the settings for servers: names have prefixes if there is more than one.
pub fn settings(servers: Vec<ServerConfig>) -> Settings {
    let reach = servers[0].reach.clone();
    let one = Settings::of_one(reach, Some(&servers[0].name), Options::default()).unwrap();
    Settings { prefix_names: servers.len() > 1, servers, ..one }
}

/// Makes engines over a store in memory.
pub fn engines() -> MakeEngine {
    let tuckaway = Tuckaway::builder().store(MemoryStore::new()).build().unwrap();
    Arc::new(move || Ok(tuckaway.clone()))
}

/// A proxy that serves a client.
pub struct Proxied {
    pub client: McpClient,
    pub served: JoinHandle<Result<(), ProxyError>>,
}

impl Proxied {
    /// Starts a proxy.
    pub fn with(settings: Settings) -> Self {
        let (ours, theirs) = tokio::io::duplex(PIPE_BYTES);
        let (input, output) = tokio::io::split(theirs);
        let proxy = Proxy::new(settings, engines()).unwrap();
        let served = tokio::spawn(proxy.serve(input, output, CancellationToken::new()));
        let (input, output) = tokio::io::split(ours);
        Proxied { client: McpClient::new(input, output), served }
    }

    /// Starts a proxy for one scripted server, and introduces the client.
    pub async fn of_one(args: &[&str]) -> Self {
        let proxied = Proxied::with(settings(vec![server("scripted", args)]));
        proxied
            .client
            .initialize(OLD, json!({ "roots": {}, "sampling": {}, "elicitation": {} }))
            .await
            .unwrap();
        proxied
    }

    /// Starts a proxy for one scripted server, with a client of 2026-07-28.
    pub fn modern(args: &[&str]) -> Self {
        let mut proxied = Proxied::with(settings(vec![server("scripted", args)]));
        proxied.client.inline(&json!({ "elicitation": {}, "roots": {}, "sampling": {} }));
        proxied
    }

    /// Closes the client, and waits until the proxy has ended.
    pub async fn end(self) {
        self.client.close().await;
        let served = tokio::time::timeout(Duration::from_secs(20), self.served).await;
        served.expect("the proxy ends with its client").unwrap().unwrap();
    }

    /// Ends the connection of a client that the proxy has refused.
    pub async fn refused(self) {
        self.client.close().await;
        let served = tokio::time::timeout(Duration::from_secs(20), self.served).await;
        served.expect("the proxy ends with its client").unwrap().expect_err("it did not serve the client");
    }

    /// Asserts that the connection still works, and ends it.
    pub async fn still_works(self) {
        assert_eq!(self.client.text("echo", json!({ "text": "alive" })).await.unwrap(), "alive");
        assert_eq!(self.client.open(), 0);
        self.end().await;
    }

    /// Returns the names of the tools.
    pub async fn names(&self) -> Vec<String> {
        names(&self.client.result("tools/list", json!({})).await.unwrap())
    }
}

/// Returns the names in a list of tools.
pub fn names(list: &Value) -> Vec<String> {
    let tools = list["tools"].as_array().unwrap();
    tools.iter().map(|tool| tool["name"].as_str().unwrap().to_owned()).collect()
}

/// Returns whether a process runs; one that has ended and was not waited for does not.
pub fn runs(pid: &str) -> bool {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    let state = stat.rsplit_once(") ").and_then(|(_, rest)| rest.chars().next());
    state.is_some_and(|state| state != 'Z')
}

/// Waits until a condition holds.
pub async fn until(what: &str, mut holds: impl FnMut() -> bool) {
    let begun = Instant::now();
    while !holds() {
        assert!(begun.elapsed() < Duration::from_secs(30), "{what}");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}
