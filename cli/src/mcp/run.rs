//! `tuckaway mcp proxy` and `tuckaway mcp serve`.

use std::fs;
use std::path::PathBuf;
use std::sync::Arc;

use anyhow::bail;
use tokio_util::sync::CancellationToken;
use tuckaway_mcp::config::Settings;
use tuckaway_mcp::{Listening, Proxy, ProxyError, Stores};

use super::{log, login, settings};
use crate::args::{self, Cli, Serve, Serving};
use crate::choice::{Counter, state_directory};
use crate::exit::{Failure, Outcome};
use crate::setup::Limits;
use crate::signals::Signals;

pub async fn proxy(cli: &Cli, args: &args::Proxy) -> Outcome {
    let run = Run { cli, serving: &args.serving, tokens: args.results.tokens, folder: "mcp", roots: None };
    run.start(settings::of_proxy(cli, args)?).await
}

pub async fn serve(cli: &Cli, args: &Serve) -> Outcome {
    let roots = if args.root.is_empty() { vec![PathBuf::from(".")] } else { args.root.clone() };
    let real = |root: PathBuf| {
        fs::canonicalize(&root)
            .map_err(|error| Failure::new(format!("cannot open the directory {}: {error}", root.display())))
    };
    let roots = roots.into_iter().map(real).collect::<Result<_, _>>()?;
    let run =
        Run { cli, serving: &args.serving, tokens: args.results.tokens, folder: "store", roots: Some(roots) };
    run.start(settings::of_server(cli, args)?).await
}

/// A proxy or a server that is about to run, apart from its settings.
struct Run<'a> {
    cli: &'a Cli,
    serving: &'a Serving,
    tokens: Counter,
    /// The folder of the store in the user's directory, if no store is named. Proxies use a
    /// separate folder, from which old artifacts are removed.
    folder: &'a str,
    /// The directories whose files may be stored.
    roots: Option<Vec<PathBuf>>,
}

impl Run<'_> {
    /// Serves until the client disconnects, or until a signal arrives.
    async fn start(self, settings: Settings) -> Outcome {
        let log = log::start(self.serving.log);
        let ended = self.serve(settings).await;
        log.finish();
        ended
    }

    async fn serve(self, mut settings: Settings) -> Outcome {
        if self.serving.listen.is_some() {
            settings.store.session = settings::session_over_http(settings.store.session)?;
        }
        let token = settings::token(self.serving.token_env.as_deref())?;
        let listening = self.serving.listen.map(|address| Listening {
            address,
            token,
            origins: self.serving.allow_origin.clone(),
            max_request_bytes: settings.max_result_bytes,
        });
        let proxy = self.proxy(settings).await?;
        let mut signals =
            Signals::new().map_err(|error| Failure::new(format!("cannot wait for signals: {error}")))?;
        let stop = CancellationToken::new();
        let served = async {
            match listening {
                Some(listening) => {
                    let ready = |address| eprintln!("tuckaway: listening on http://{address}/mcp");
                    proxy.listen(listening, ready, stop.clone()).await
                }
                None => proxy.serve(tokio::io::stdin(), tokio::io::stdout(), stop.clone()).await,
            }
        };
        tokio::pin!(served);
        tokio::select! {
            served = &mut served => served.map(|()| 0).map_err(Failure::from),
            signal = signals.next() => {
                stop.cancel();
                // After a second signal, servers that do not stop are no longer waited for.
                tokio::select! {
                    _ = &mut served => {}
                    _ = signals.next() => {}
                }
                Ok(128 + signal)
            }
        }
    }

    async fn stores(&self, settings: &Settings) -> anyhow::Result<Stores> {
        let default = state_directory().map(|state| state.join(self.folder));
        let default = match (default, &settings.store.at) {
            (Some(default), _) => default,
            (None, Some(_)) => PathBuf::new(),
            (None, None) => {
                bail!("there is no home directory to store results in; name a store with --store dir:PATH")
            }
        };
        Ok(Stores::open(&settings.store, &default).await?)
    }

    async fn proxy(&self, settings: Settings) -> Result<Proxy, Failure> {
        let stores = match self.stores(&settings).await {
            // Without its servers, the client would lose more than the store.
            Err(error) if !settings.servers.is_empty() => Stores::unavailable(&error),
            stores => stores?,
        };
        let (limits, tokens) = (Limits::of(self.cli), self.tokens);
        let of_connections = stores.clone();
        let engine = move || Ok(limits.engine(of_connections.of_connection(), Some(tokens))?);
        let proxy = Proxy::new(settings, Arc::new(engine))?.with_stores(stores);
        let proxy = match login::stored() {
            Some(logins) => proxy.with_logins(logins),
            None => proxy,
        };
        Ok(match &self.roots {
            Some(roots) => proxy.with_put(roots.clone()),
            None => proxy,
        })
    }
}

impl From<ProxyError> for Failure {
    fn from(error: ProxyError) -> Self {
        Failure::new(format!("{error:#}"))
    }
}
