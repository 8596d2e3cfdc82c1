//! The proxy, which makes the sessions of its clients.

use std::path::PathBuf;
use std::sync::Arc;

use tokio::io::{AsyncRead, AsyncWrite};
use tokio_util::sync::CancellationToken;
use tuckaway_host::Tuckaway;

use crate::config::Settings;
use crate::downstream::{self, Listening};
use crate::local::LocalTools;
use crate::reduce::Reducer;
use crate::session::Session;

/// The maximum number of threads for files of the store.
const MAX_BLOCKING_THREADS: usize = 8;

/// Makes the engine over the store of one connection.
pub type MakeEngine = Arc<dyn Fn() -> anyhow::Result<Tuckaway> + Send + Sync>;

/// A proxy, or a server of artifacts if the settings have no servers.
pub struct Proxy {
    settings: Arc<Settings>,
    make_engine: MakeEngine,
    local: LocalTools,
    /// Runs the engine, so that a large result does not delay other messages.
    runtime: tokio::runtime::Runtime,
}

impl Proxy {
    /// Creates a proxy. `make_engine` is called once for each connection: it opens the store
    /// that the settings name.
    pub fn new(settings: Settings, make_engine: MakeEngine) -> anyhow::Result<Self> {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .enable_all()
            .thread_name("engine")
            // The allocator keeps some memory for each thread that ever existed.
            .max_blocking_threads(MAX_BLOCKING_THREADS)
            .build()?;
        let local = LocalTools::new(settings.reduce.policy.dialect);
        // reqwest uses the installed provider. If the process has installed another one, that is
        // used.
        let _ = rustls::crypto::ring::default_provider().install_default();
        Ok(Proxy { settings: Arc::new(settings), make_engine, local, runtime })
    }

    /// Adds a tool that stores files below these directories.
    pub fn with_put(mut self, roots: Vec<PathBuf>) -> Self {
        self.local = self.local.with_put(roots, self.settings.max_result_bytes);
        self
    }

    fn maker(&self) -> downstream::MakeSession {
        let settings = Arc::clone(&self.settings);
        let (make_engine, local) = (Arc::clone(&self.make_engine), self.local.clone());
        let runtime = self.runtime.handle().clone();
        Arc::new(move || {
            let reducer = Reducer::new(make_engine()?, runtime.clone(), settings.reduce.clone());
            Ok(Session::new(Arc::clone(&settings), reducer, local.clone()))
        })
    }

    /// Serves one client over its input and output, until the input ends or `stop` is
    /// cancelled. Messages keep their order if the current runtime has one thread.
    pub async fn serve(
        self,
        input: impl AsyncRead + Send + Unpin + 'static,
        output: impl AsyncWrite + Send + Unpin + 'static,
        stop: CancellationToken,
    ) -> anyhow::Result<()> {
        let session = self.maker()()?;
        let most = self.settings.max_result_bytes;
        let served = downstream::serve_stdio(session, input, output, most, stop).await;
        self.runtime.shutdown_background();
        served
    }

    /// Serves clients over Streamable HTTP until `stop` is cancelled. `ready` receives the
    /// address.
    pub async fn listen(
        self,
        listening: Listening,
        ready: impl FnOnce(std::net::SocketAddr),
        stop: CancellationToken,
    ) -> anyhow::Result<()> {
        let served = downstream::listen(listening, self.maker(), ready, stop.cancelled_owned()).await;
        self.runtime.shutdown_background();
        served
    }
}
