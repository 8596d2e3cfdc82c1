//! The tools of servers and of the proxy, to compare clients' lists with and without it.

use anyhow::{Context, bail};
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncRead, AsyncWrite, AsyncWriteExt, BufReader, Lines, duplex, split};
use tokio_util::sync::CancellationToken;

use crate::config::{Compression, ServerConfig, ServerTools, Settings};
use crate::error::ProxyError;
use crate::proxy::Proxy;
use crate::reduce::Reducer;
use crate::surface::Surface;

/// Bytes in the pipes between the client and the proxy.
const PIPE_BYTES: usize = 64 << 10;

/// The tools of servers, and of the proxy in front of them.
pub struct ListedTools {
    settings: Settings,
    /// The tools as the servers list them, each with the index of its server.
    raw: Vec<(usize, Value)>,
    /// The proxy's own tools, as clients see them.
    pub own: Vec<Value>,
    /// The servers that have not started, with the reason.
    pub failed: Vec<(String, String)>,
    reducer: Reducer,
}

impl ListedTools {
    /// Returns the servers that have tools, each with its index.
    pub fn servers(&self) -> impl Iterator<Item = (usize, &ServerConfig)> {
        let has_tools = |index: usize| self.raw.iter().any(|(server, _)| *server == index);
        self.settings.servers.iter().enumerate().filter(move |(index, _)| has_tools(*index))
    }

    /// Returns the tools that a server lists, or all servers.
    pub fn of_servers(&self, server: Option<usize>) -> Vec<Value> {
        self.chosen(server).map(|(_, tool)| tool.clone()).collect()
    }

    /// Returns the tools of a server, or of all, that the proxy lists at a level, without its own.
    pub fn compressed(&self, server: Option<usize>, level: Compression) -> Vec<Value> {
        let surface = Surface::new(vec![level; self.settings.servers.len()]);
        let offered = self.chosen(server).filter(|(index, tool)| {
            let server = &self.settings.servers[*index];
            let name = tool["name"].as_str().unwrap_or_default();
            let own = match self.settings.prefix_names {
                true => name.strip_prefix(&format!("{}_", server.name)).unwrap_or(name),
                false => name,
            };
            server.tools.offers(own)
        });
        surface.list(offered.cloned().collect(), &self.reducer, usize::MAX)
    }

    fn chosen(&self, server: Option<usize>) -> impl Iterator<Item = &(usize, Value)> {
        self.raw.iter().filter(move |(index, _)| server.is_none_or(|server| server == *index))
    }
}

/// Returns the part of a definition that a client passes to the model.
pub fn seen_by_model(tool: &Value) -> Value {
    json!({
        "name": tool["name"],
        "description": tool["description"].as_str().unwrap_or_default(),
        "input_schema": tool["inputSchema"],
    })
}

impl Proxy {
    /// Starts the servers, lists their tools, and stops them.
    ///
    /// Errors: the engine cannot be made. A server that fails is among the [`ListedTools`].
    pub async fn tools(self) -> Result<ListedTools, ProxyError> {
        Ok(self.listed().await?)
    }

    async fn listed(self) -> anyhow::Result<ListedTools> {
        let (settings, reducer, local) = self.parts()?;
        let own = local.definitions(&reducer).await.map_err(|error| anyhow::anyhow!(error.message))?;
        let mut listed = ListedTools { settings, raw: Vec::new(), own, failed: Vec::new(), reducer };
        // Each server alone: other servers must not change its names.
        for (index, server) in listed.settings.servers.clone().into_iter().enumerate() {
            match self.tools_of(&listed.settings, &server).await {
                Ok(tools) => listed.raw.extend(tools.into_iter().map(|tool| (index, tool))),
                Err(why) => listed.failed.push((server.name, format!("{why:#}"))),
            }
        }
        self.end();
        Ok(listed)
    }

    /// Returns the tools of one server as it lists them, except that their names have the prefix.
    async fn tools_of(&self, settings: &Settings, server: &ServerConfig) -> anyhow::Result<Vec<Value>> {
        let mut plain = Settings {
            servers: vec![ServerConfig { tools: ServerTools::default(), ..server.clone() }],
            lists_artifact_tools: false,
            compression: Compression::Off,
            ..settings.clone()
        };
        plain.reduce.policy.enabled = false;
        plain.reduce.filtered_tools.clear();
        plain.reduce.default_filters.clear();
        let (ours, theirs) = duplex(PIPE_BYTES);
        let (input, output) = split(theirs);
        let stop = CancellationToken::new();
        let client = async {
            let (input, output) = split(ours);
            let mut peer = Peer { input: BufReader::new(input).lines(), output };
            let tools = peer.tools().await;
            stop.cancel();
            tools
        };
        let (tools, served) = tokio::join!(client, self.serve_with(plain, input, output, stop.clone()));
        served.and(tools)
    }
}

/// A client that lists tools.
struct Peer<Input, Output> {
    input: Lines<BufReader<Input>>,
    output: Output,
}

impl<Input: AsyncRead + Unpin, Output: AsyncWrite + Unpin> Peer<Input, Output> {
    async fn tools(&mut self) -> anyhow::Result<Vec<Value>> {
        let name = json!({ "name": "tuckaway-tools", "version": env!("CARGO_PKG_VERSION") });
        let hello = json!({ "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": name });
        self.ask("initialize", hello).await?;
        self.send(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" })).await?;
        match self.ask("tools/list", json!({})).await?["tools"].take() {
            Value::Array(tools) => Ok(tools),
            _ => bail!("the list of tools is not a list"),
        }
    }

    async fn send(&mut self, message: &Value) -> anyhow::Result<()> {
        self.output.write_all(format!("{message}\n").as_bytes()).await?;
        Ok(self.output.flush().await?)
    }

    /// Sends a request, and returns its result. Other messages are ignored.
    async fn ask(&mut self, method: &str, params: Value) -> anyhow::Result<Value> {
        self.send(&json!({ "jsonrpc": "2.0", "id": method, "method": method, "params": params })).await?;
        loop {
            let line = self.input.next_line().await?.context("the connection was closed")?;
            let mut message: Value = serde_json::from_str(&line)?;
            if message["id"] != method {
                continue;
            }
            if let Some(error) = message.get("error") {
                bail!("{}", error["message"].as_str().unwrap_or("it refused"));
            }
            return Ok(message["result"].take());
        }
    }
}
