//! Starts a server, or connects to one, and introduces the client to it.

use std::collections::HashMap;
use std::pin::Pin;
use std::process::Stdio;
use std::sync::{Arc, OnceLock, Weak};
use std::time::Duration;

use anyhow::{Context, bail};
use http::header::AUTHORIZATION;
use http::{HeaderName, HeaderValue};
use rmcp::RoleClient;
use rmcp::model::ProtocolVersion;
use rmcp::service::{ClientInitializeError, ClientLifecycleMode, ClientServiceExt, RunningService};
use rmcp::transport::StreamableHttpClientTransport;
use rmcp::transport::streamable_http_client::StreamableHttpClientTransportConfig;
use tokio::io::BufReader;
use tokio::process::{ChildStdin, Command};
use tokio_util::sync::CancellationToken;

use super::failure::why_not_introduced;
use super::http::Verbatim;
use super::process::Process;
use super::servant::Servant;
use super::stderr::StandardError;
use super::{Connection, Keeper};
use crate::client::Client;
use crate::config::{Reach, ServerConfig};
use crate::login::{Logins, Tokens};
use crate::wire::Lines;

/// The time that a server has to exit once its input is closed.
const END_PATIENCE: Duration = Duration::from_secs(2);
/// Bytes that are read from a server at once.
const READ_BYTES: usize = 256 << 10;

/// Resolves to the reason once a server has ended.
pub type Ended = Pin<Box<dyn Future<Output = String> + Send>>;

/// Starts a server, or connects to one.
pub async fn connect(keeper: &Keeper, stop: &CancellationToken) -> anyhow::Result<(Arc<Connection>, Ended)> {
    let Keeper { index, config, max_result_bytes, logins, client, events, .. } = keeper;
    let mut refusal = None;
    for lifecycle in lifecycles(client) {
        let slot = Arc::new(OnceLock::new());
        let servant = Servant {
            index: *index,
            events: Weak::clone(events),
            introduction: client.introduction.clone(),
            connection: Arc::clone(&slot),
        };
        let (served, started) = match &config.reach {
            Reach::Command { .. } => {
                let (transport, started) = spawn(config, *max_result_bytes)?;
                (servant.serve_with_lifecycle(transport, lifecycle).await, Some(started))
            }
            Reach::Url { url, headers } => {
                let transport = http(url, headers, *max_result_bytes, logins.as_ref())?;
                (servant.serve_with_lifecycle(transport, lifecycle).await, None)
            }
        };
        match served {
            Ok(service) => {
                let connection = Connection::new(config.name.clone(), service.peer().clone())
                    .context("the server did not complete its initialization")?;
                let connection = Arc::new(connection);
                // Nothing else sets it.
                let _ = slot.set(Arc::clone(&connection));
                return Ok((connection, Box::pin(ended(service, started, stop.clone()))));
            }
            // The server may only support another revision.
            Err(error @ ClientInitializeError::JsonRpcError(_)) => refusal = Some(error),
            Err(error) => match started {
                Some(started) => bail!(started.failed(error).await),
                None => bail!(why_not_introduced(&error)),
            },
        }
    }
    match refusal {
        Some(error) => Err(error.into()),
        None => bail!("no revision of the protocol to try"),
    }
}

/// Returns the ways to introduce the client: its own revision first, so that a server
/// behaves as it would without us.
fn lifecycles(client: &Client) -> Vec<ClientLifecycleMode> {
    let modern = vec![ProtocolVersion::V_2026_07_28];
    match client.is_modern() {
        true => vec![ClientLifecycleMode::Auto {
            preferred_versions: modern,
            legacy_version: Some(ProtocolVersion::LATEST_WITH_INITIALIZE),
        }],
        false => vec![
            ClientLifecycleMode::Initialize,
            ClientLifecycleMode::Discover { preferred_versions: modern },
        ],
    }
}

type Pipe = Lines<RoleClient, ChildStdin>;

/// A server that was started here.
struct Started {
    process: Process,
    errors: StandardError,
}

impl Started {
    /// Ends a server that was not introduced, and returns why it was not.
    async fn failed(mut self, error: ClientInitializeError) -> String {
        self.process.kill().await;
        self.errors.explain(why_not_introduced(&error)).await
    }

    /// Waits for the end of a server that has closed its output, and returns the reason.
    async fn ended(mut self) -> String {
        let reason = match tokio::time::timeout(END_PATIENCE, self.process.wait()).await {
            Ok(Ok(status)) => format!("it ended with {status}"),
            Ok(Err(error)) => format!("it ended: {error}"),
            Err(_) => {
                // The server has closed its output, so it is no longer of use.
                self.process.kill().await;
                "it closed its output and was killed".to_owned()
            }
        };
        self.errors.explain(reason).await
    }
}

fn spawn(config: &ServerConfig, max_result_bytes: u64) -> anyhow::Result<(Pipe, Started)> {
    let Reach::Command { program, args, env, directory } = &config.reach else {
        bail!("a server with a URL is not started");
    };
    let mut command = Command::new(program);
    command.args(args).envs(env.iter().map(|(name, value)| (name, value)));
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).kill_on_drop(true);
    if let Some(directory) = directory {
        command.current_dir(directory);
    }
    // Ctrl-C in a terminal ends this process first, which then ends the servers.
    #[cfg(unix)]
    command.process_group(0);
    let mut child = command.spawn().with_context(|| format!("cannot run {program}"))?;
    let missing = || anyhow::anyhow!("{program} has no pipe");
    let input = child.stdin.take().ok_or_else(missing)?;
    let output = child.stdout.take().ok_or_else(missing)?;
    let errors = child.stderr.take().ok_or_else(missing)?;
    let errors = StandardError::drain(config.name.clone(), errors);
    let output = BufReader::with_capacity(READ_BYTES, output);
    let pipe = Lines::new(config.name.clone(), output, input, max_result_bytes);
    Ok((pipe, Started { process: Process::new(child), errors }))
}

fn http(
    url: &str,
    headers: &[(String, String)],
    max_result_bytes: u64,
    logins: Option<&Logins>,
) -> anyhow::Result<StreamableHttpClientTransport<Verbatim>> {
    let mut own = HashMap::new();
    for (name, value) in headers {
        let header =
            HeaderName::from_bytes(name.as_bytes()).with_context(|| format!("the header {name:?}"))?;
        // The value may be a secret.
        let value =
            HeaderValue::from_str(value).with_context(|| format!("the value of the header {name:?}"))?;
        own.insert(header, value);
    }
    // Who gives a token wants no other one.
    let logins = logins.filter(|_| !own.contains_key(&AUTHORIZATION));
    let tokens = logins.and_then(|logins| Tokens::new(logins, url));
    let most = usize::try_from(max_result_bytes).unwrap_or(usize::MAX);
    let config = StreamableHttpClientTransportConfig::with_uri(url)
        .custom_headers(own)
        .max_sse_event_size(most)
        .max_json_response_size(most)
        .reinit_on_expired_session(true);
    Ok(StreamableHttpClientTransport::with_client(Verbatim::new(tokens)?, config))
}

/// Waits until a connection is closed, and ends its process.
async fn ended(
    service: RunningService<RoleClient, Servant>,
    started: Option<Started>,
    stop: CancellationToken,
) -> String {
    let cancel = service.cancellation_token();
    let closed = service.waiting();
    tokio::pin!(closed);
    let reason = tokio::select! {
        reason = &mut closed => reason,
        () = stop.cancelled() => {
            cancel.cancel();
            closed.await
        }
    };
    match (started, reason) {
        (Some(started), _) => started.ended().await,
        (None, Ok(reason)) => format!("the connection was closed ({reason:?})"),
        (None, Err(error)) => format!("the connection was lost: {error}"),
    }
}
