//! The processes of the bench: this program, which is also the server and the proxy.

use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use serde_json::json;
use tokio::process::Command;
use tokio_util::sync::CancellationToken;
use tuckaway_host::{DirStore, Tuckaway};
use tuckaway_mcp::config::{Options, Reach, ServerConfig, ServerTools};
use tuckaway_mcp::{Proxy, Settings};
use tuckaway_test_kit::mcp_client::McpClient;
use tuckaway_test_kit::mcp_server;

/// The argument that makes this program a child.
const CHILD: &str = "--mcp-child";
/// A number of bytes above the size of the largest result.
const MAX_RESULT: u64 = 512 << 20;

/// A process of this program that speaks MCP.
pub struct Child {
    pub client: McpClient,
    process: tokio::process::Child,
    pid: u32,
    /// Where the proxy stores; removed at the end.
    store: Option<PathBuf>,
}

impl Child {
    /// Starts a server.
    pub async fn server() -> Result<Self> {
        Child::start(&["server".to_owned()], None).await
    }

    /// Starts a proxy for this many servers. With several, names have prefixes.
    pub async fn proxy(servers: usize) -> Result<Self> {
        let store = std::env::temp_dir().join(format!("tuckaway-bench-mcp-{}-{servers}", std::process::id()));
        let arguments = ["proxy".to_owned(), servers.to_string(), store.display().to_string()];
        Child::start(&arguments, Some(store)).await
    }

    /// Starts the proxy of the command line for one server.
    pub async fn command_line(program: &Path) -> Result<Self> {
        let store = std::env::temp_dir().join(format!("tuckaway-bench-proxy-{}", std::process::id()));
        let mut command = Command::new(program);
        command.args(["mcp", "proxy", "--store", &format!("dir:{}", store.display()), "--"]);
        command.arg(std::env::current_exe()?).args([CHILD, "server"]);
        Child::run(command, Some(store)).await
    }

    async fn start(arguments: &[String], store: Option<PathBuf>) -> Result<Self> {
        let mut command = Command::new(std::env::current_exe()?);
        command.arg(CHILD).args(arguments);
        Child::run(command, store).await
    }

    async fn run(mut command: Command, store: Option<PathBuf>) -> Result<Self> {
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).kill_on_drop(true);
        let mut process = command.spawn()?;
        let pid = process.id().context("the child has ended")?;
        let input = process.stdout.take().context("the child has no output")?;
        let output = process.stdin.take().context("the child has no input")?;
        let client = McpClient::new(input, output);
        client.initialize("2025-11-25", json!({})).await?;
        Ok(Child { client, process, pid, store })
    }

    /// Returns a number in KiB from the system's data about the process.
    pub fn memory(&self, name: &str) -> Result<u64> {
        super::status(self.pid, name)
    }

    /// Ends the process.
    pub async fn end(mut self) -> Result<()> {
        self.client.close().await;
        let ended = tokio::time::timeout(Duration::from_secs(20), self.process.wait()).await;
        let status = ended.context("the child does not end")??;
        if let Some(store) = self.store.take().filter(|store| store.exists()) {
            std::fs::remove_dir_all(store)?;
        }
        if !status.success() {
            bail!("the child ended with {status}");
        }
        Ok(())
    }
}

/// Runs this program as a child, if its arguments say so.
pub fn run(arguments: &[String]) -> Option<Result<()>> {
    let [first, role, rest @ ..] = arguments else { return None };
    if first != CHILD {
        return None;
    }
    Some(match (role.as_str(), rest) {
        ("server", _) => mcp_server::serve(rest.iter().cloned()).map_err(anyhow::Error::msg),
        ("proxy", [servers, store]) => proxy(servers, Path::new(store)),
        _ => Err(anyhow::anyhow!("unknown arguments of a child")),
    })
}

fn proxy(servers: &str, store: &Path) -> Result<()> {
    let reach = Reach::Command {
        program: std::env::current_exe()?.display().to_string(),
        args: vec![CHILD.to_owned(), "server".to_owned()],
        env: Vec::new(),
        directory: None,
    };
    let one = Settings::of_one(reach.clone(), Some("s0"), Options::default())?;
    let servers: Vec<ServerConfig> = (0..servers.parse()?)
        .map(|n: usize| ServerConfig {
            name: format!("s{n}"),
            reach: reach.clone(),
            tools: ServerTools::default(),
        })
        .collect();
    let settings = Settings { prefix_names: servers.len() > 1, servers, max_result_bytes: MAX_RESULT, ..one };
    let tuckaway = Tuckaway::builder().store(DirStore::open(store)?).build()?;
    let proxy = Proxy::new(settings, Arc::new(move || Ok(tuckaway.clone())))?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let served =
        runtime.block_on(proxy.serve(tokio::io::stdin(), tokio::io::stdout(), CancellationToken::new()));
    runtime.shutdown_background();
    Ok(served?)
}
