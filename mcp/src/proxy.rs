//! The proxy, which makes the sessions of its clients.

use std::path::PathBuf;
use std::sync::Arc;

use anyhow::Context;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio_util::sync::CancellationToken;
use tuckaway_host::Tuckaway;

use crate::config::Settings;
use crate::downstream::{self, Listening};
use crate::error::ProxyError;
use crate::local::LocalTools;
use crate::login::Logins;
use crate::reduce::Reducer;
use crate::session::Session;
use crate::stores::Stores;
use crate::tls;

/// The maximum number of threads for files of the store.
const MAX_BLOCKING_THREADS: usize = 8;

/// Makes the engine over the store of one connection.
pub type MakeEngine = Arc<dyn Fn() -> Result<Tuckaway, ProxyError> + Send + Sync>;

/// A proxy, or a server of artifacts if the settings have no servers.
pub struct Proxy {
    settings: Arc<Settings>,
    make_engine: MakeEngine,
    local: LocalTools,
    /// Learn the name of the client.
    stores: Option<Stores>,
    /// Have the tokens of servers that ask for a login.
    logins: Option<Logins>,
    /// Runs the engine, so that a large result does not delay other messages.
    runtime: tokio::runtime::Runtime,
}

impl Proxy {
    /// Creates a proxy. `make_engine` is called once for each connection: it opens the store
    /// that the settings name.
    ///
    /// Errors: the threads of the engine cannot be started.
    pub fn new(settings: Settings, make_engine: MakeEngine) -> Result<Self, ProxyError> {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .enable_all()
            .thread_name("engine")
            // The allocator keeps some memory for each thread that ever existed.
            .max_blocking_threads(MAX_BLOCKING_THREADS)
            .build()
            .context("starting the threads of the engine")?;
        let local = LocalTools::new(settings.reduce.policy.dialect);
        tls::use_ring();
        Ok(Proxy { settings: Arc::new(settings), make_engine, local, stores: None, logins: None, runtime })
    }

    /// Adds a tool that stores files below these directories.
    pub fn with_put(mut self, roots: Vec<PathBuf>) -> Self {
        self.local = self.local.with_put(roots, self.settings.max_result_bytes);
        self
    }

    /// Introduces the client to the stores from which `make_engine` takes its own.
    pub fn with_stores(self, stores: Stores) -> Self {
        Proxy { stores: Some(stores), ..self }
    }

    /// Uses these logins for servers with a URL whose configuration has no token.
    pub fn with_logins(self, logins: Logins) -> Self {
        Proxy { logins: Some(logins), ..self }
    }

    /// Returns the settings, a reducer with a separate store, and the proxy's own tools.
    pub(crate) fn parts(&self) -> anyhow::Result<(Settings, Reducer, LocalTools)> {
        let settings = (*self.settings).clone();
        let runtime = self.runtime.handle().clone();
        let reducer = Reducer::new((self.make_engine)()?, runtime, settings.reduce.clone());
        Ok((settings, reducer, self.local.clone()))
    }

    /// Serves one client with other settings.
    pub(crate) async fn serve_with(
        &self,
        settings: Settings,
        input: impl AsyncRead + Send + Unpin + 'static,
        output: impl AsyncWrite + Send + Unpin + 'static,
        stop: CancellationToken,
    ) -> anyhow::Result<()> {
        let most = settings.max_result_bytes;
        let session = self.maker(Arc::new(settings))()?;
        downstream::serve_stdio(session, input, output, most, stop).await
    }

    /// Ends the work of the engine.
    pub(crate) fn end(self) {
        self.runtime.shutdown_background();
    }

    fn maker(&self, settings: Arc<Settings>) -> downstream::MakeSession {
        let (make_engine, local) = (Arc::clone(&self.make_engine), self.local.clone());
        let (stores, logins) = (self.stores.clone(), self.logins.clone());
        let runtime = self.runtime.handle().clone();
        Arc::new(move || {
            let reducer = Reducer::new(make_engine()?, runtime.clone(), settings.reduce.clone());
            Ok(Session::new(Arc::clone(&settings), reducer, local.clone(), stores.clone(), logins.clone()))
        })
    }

    /// Serves one client over its input and output, until the input ends or `stop` is
    /// cancelled. Messages keep their order if the current runtime has one thread.
    ///
    /// Errors: the engine cannot be made, the input is no session of MCP.
    pub async fn serve(
        self,
        input: impl AsyncRead + Send + Unpin + 'static,
        output: impl AsyncWrite + Send + Unpin + 'static,
        stop: CancellationToken,
    ) -> Result<(), ProxyError> {
        let session = self.maker(Arc::clone(&self.settings))()?;
        let most = self.settings.max_result_bytes;
        let served = downstream::serve_stdio(session, input, output, most, stop).await;
        self.runtime.shutdown_background();
        Ok(served?)
    }

    /// Serves clients over Streamable HTTP until `stop` is cancelled. `ready` receives the
    /// address.
    ///
    /// Errors: the address is in use, or needs a token.
    pub async fn listen(
        self,
        listening: Listening,
        ready: impl FnOnce(std::net::SocketAddr),
        stop: CancellationToken,
    ) -> Result<(), ProxyError> {
        let served = downstream::listen(
            listening,
            self.maker(Arc::clone(&self.settings)),
            ready,
            stop.cancelled_owned(),
        )
        .await;
        self.runtime.shutdown_background();
        Ok(served?)
    }
}

#[cfg(all(test, unix))]
mod tests {
    use std::time::{Duration, Instant};

    use serde_json::{Value, json};
    use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, DuplexStream, Lines, duplex};
    use tokio::task::JoinHandle;
    use tuckaway_test_kit::shell_server::{self, Answer};

    use super::*;
    use crate::config::{Options, Reach};

    /// Returns the script of a server whose tool `rows` answers, and whose tool `hang` never does.
    fn server() -> String {
        let rows = json!({ "name": "rows", "inputSchema": { "type": "object" } });
        let own = json!({ "name": "own", "inputSchema": { "type": "object", "properties": { "_jq": {} } } });
        let calls = [
            ("hang", Answer::Nothing),
            ("_jq", Answer::Text("the server got a filter")),
            ("rows", Answer::Text(r#"{"rows":[1,2,3]}"#)),
        ];
        shell_server::script(&[rows, own], &calls)
    }

    /// A client of a proxy in this process.
    struct Peer {
        input: DuplexStream,
        output: Lines<BufReader<DuplexStream>>,
        proxy: JoinHandle<Result<(), ProxyError>>,
    }

    impl Peer {
        async fn new(options: Options) -> Self {
            let args = vec!["-c".to_owned(), server()];
            let reach = Reach::command("sh".to_owned(), args, Vec::new(), None).unwrap();
            let settings = Settings::of_one(reach, None, options).unwrap();
            let proxy = Proxy::new(settings, Arc::new(|| Ok(Tuckaway::builder().build()?))).unwrap();
            let (input, from_client) = duplex(64 << 10);
            let (to_client, output) = duplex(64 << 10);
            let proxy = tokio::spawn(proxy.serve(from_client, to_client, CancellationToken::new()));
            let mut peer = Peer { input, output: BufReader::new(output).lines(), proxy };
            let client = json!({ "name": "test", "version": "1" });
            let hello = json!({ "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": client });
            assert!(peer.ask("initialize", hello).await["serverInfo"].is_object());
            peer.send(json!({ "jsonrpc": "2.0", "method": "notifications/initialized" })).await;
            peer
        }

        async fn send(&mut self, message: Value) {
            self.input.write_all(format!("{message}\n").as_bytes()).await.unwrap();
        }

        async fn ask(&mut self, method: &str, params: Value) -> Value {
            self.send(json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params })).await;
            loop {
                let line = self.output.next_line().await.unwrap().expect("an answer");
                let mut message: Value = serde_json::from_str(&line).unwrap();
                if message["id"] == 1 {
                    return message["result"].take();
                }
            }
        }

        async fn call(&mut self, tool: &str, arguments: Value) -> String {
            let result = self.ask("tools/call", json!({ "name": tool, "arguments": arguments })).await;
            result["content"][0]["text"].as_str().unwrap_or_else(|| panic!("{result}")).to_owned()
        }
    }

    #[tokio::test]
    async fn a_filter_is_removed_before_the_call_and_applied_after_it() {
        let mut peer = Peer::new(Options { jq: Some(vec!["*".to_owned()]), ..Options::default() }).await;
        // The tools are listed when the first filter arrives.
        let text = peer.call("rows", json!({ "_jq": ".rows[1]" })).await;
        assert!(text.starts_with("2\n[The whole result, "), "{text}");
        let refused = peer.call("rows", json!({ "_jq": ".rows[" })).await;
        assert!(refused.contains("The tool was not called."), "{refused}");
        assert_eq!(peer.call("rows", json!({})).await, r#"{"rows":[1,2,3]}"#);
        assert_eq!(peer.call("own", json!({ "_jq": ".rows[" })).await, "the server got a filter");
        let listed = peer.ask("tools/list", json!({})).await;
        assert_eq!(listed["tools"][0]["inputSchema"]["properties"]["_jq"]["type"], "string");
        assert_eq!(listed["tools"][1]["inputSchema"]["properties"]["_jq"], json!({}));
    }

    #[tokio::test]
    async fn a_call_does_not_outlive_its_client() {
        let mut peer = Peer::new(Options::default()).await;
        let params = json!({ "name": "hang", "arguments": {} });
        peer.send(json!({ "jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": params })).await;
        // The server has received the call.
        assert_eq!(peer.call("rows", json!({})).await, r#"{"rows":[1,2,3]}"#);
        let begun = Instant::now();
        drop(peer.input);
        peer.proxy.await.unwrap().unwrap();
        assert!(begun.elapsed() < Duration::from_secs(4), "{:?}", begun.elapsed());
    }
}
