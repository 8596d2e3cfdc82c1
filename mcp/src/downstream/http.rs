//! Any number of clients over Streamable HTTP.

use std::collections::VecDeque;
use std::future::Future;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, PoisonError};

use anyhow::{Context, bail};
use axum::Router;
use axum::extract::{Request, State};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use http::{StatusCode, header};
use rmcp::model::ErrorData;
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

use super::{Downstream, Sessions, verbatim};
use crate::client::Client;
use crate::session::Session;

/// The path of the endpoint.
const PATH: &str = "/mcp";
/// The maximum number of clients of revision 2026-07-28 whose servers run at once.
const MAX_CLIENTS: usize = 64;

/// The settings for listening.
#[derive(Clone, Debug)]
pub struct Listening {
    /// The address. Any address that is not a loopback address requires a token.
    pub address: SocketAddr,
    /// The token that clients must send as `Authorization: Bearer`.
    pub token: Option<String>,
    /// Origins of web pages that may connect, such as `https://app.example`; others are
    /// refused.
    pub origins: Vec<String>,
    /// The maximum size of a request.
    pub max_request_bytes: u64,
}

/// Makes a session with a separate store.
pub type MakeSession = Arc<dyn Fn() -> anyhow::Result<Arc<Session>> + Send + Sync>;

/// The sessions of all clients.
struct Hub {
    make: MakeSession,
    /// The sessions of clients that introduce themselves in each request, the least recently
    /// used first.
    of_requests: Mutex<VecDeque<(Client, Arc<Session>)>>,
}

impl Hub {
    fn make(&self) -> Result<Arc<Session>, ErrorData> {
        (self.make)().map_err(|error| ErrorData::internal_error(format!("{error:#}"), None))
    }
}

impl Sessions for Hub {
    fn of_connection(&self) -> Result<Arc<Session>, ErrorData> {
        self.make()
    }

    fn of_requests(&self, client: &Client) -> Result<Arc<Session>, ErrorData> {
        let mut sessions = self.of_requests.lock().unwrap_or_else(PoisonError::into_inner);
        let known = sessions.iter().position(|(other, _)| other == client);
        let entry = match known.and_then(|index| sessions.remove(index)) {
            Some(entry) => entry,
            None => (client.clone(), self.make()?),
        };
        let session = Arc::clone(&entry.1);
        sessions.push_back(entry);
        if sessions.len() > MAX_CLIENTS {
            sessions.pop_front();
        }
        Ok(session)
    }
}

/// Serves clients until `stop` resolves. `ready` receives the address with the actual port,
/// even if the configured port was 0.
pub async fn listen(
    listening: Listening,
    make: MakeSession,
    ready: impl FnOnce(SocketAddr),
    stop: impl Future<Output = ()> + Send + 'static,
) -> anyhow::Result<()> {
    let Listening { address, token, origins, max_request_bytes } = listening;
    if !address.ip().is_loopback() && token.is_none() {
        bail!(
            "{address} can be reached from other machines: set a token (--token-env NAME), or listen on 127.0.0.1"
        );
    }
    let listener = TcpListener::bind(address).await.with_context(|| format!("listening on {address}"))?;
    let bound = listener.local_addr()?;
    let cancelled = CancellationToken::new();
    let mut config = StreamableHttpServerConfig::default()
        .with_max_request_body_bytes(usize::try_from(max_request_bytes).unwrap_or(usize::MAX))
        .with_cancellation_token(cancelled.clone());
    config = match bound.ip().is_loopback() {
        // Nothing else can serve a page at this address.
        true => config.with_allowed_origins(origins.into_iter().chain(own_origins(bound))),
        false if origins.is_empty() => config.enforce_origin_validation(),
        false => config.with_allowed_origins(origins),
    };
    if !address.ip().is_loopback() {
        // The host's name is not known; the token protects the server.
        config = config.disable_allowed_hosts();
    }
    let hub: Arc<dyn Sessions> = Arc::new(Hub { make, of_requests: Mutex::default() });
    let service = StreamableHttpService::new(
        move || Ok(Downstream::new(Arc::clone(&hub))),
        Arc::new(LocalSessionManager::default()),
        config,
    );
    let most = usize::try_from(max_request_bytes).unwrap_or(usize::MAX);
    let mut router =
        Router::new().route_service(PATH, service).layer(from_fn_with_state(most, verbatim::keep));
    if let Some(token) = token {
        router = router.layer(from_fn_with_state(Arc::<str>::from(token), authorized));
    }
    ready(bound);
    let stopped = async move {
        stop.await;
        cancelled.cancel();
    };
    axum::serve(listener, router).with_graceful_shutdown(stopped).await?;
    Ok(())
}

/// Returns the origins of a loopback address, as the conformance suite sends them.
fn own_origins(address: SocketAddr) -> [String; 2] {
    [format!("http://{address}"), format!("http://localhost:{}", address.port())]
}

/// Refuses a request without the token.
async fn authorized(State(token): State<Arc<str>>, request: Request, next: Next) -> Response {
    let given = request.headers().get(header::AUTHORIZATION).and_then(|value| value.to_str().ok());
    // Names of schemes have no case (RFC 9110, section 11.1).
    let given = given.and_then(|value| value.split_once(' '));
    let given = given.filter(|(scheme, _)| scheme.eq_ignore_ascii_case("bearer"));
    if given.is_some_and(|(_, given)| is_same(given.as_bytes(), token.as_bytes())) {
        return next.run(request).await;
    }
    let challenge = [(header::WWW_AUTHENTICATE, "Bearer")];
    (StatusCode::UNAUTHORIZED, challenge, "A bearer token is required.").into_response()
}

/// Compares secrets in time that does not depend on the position of a difference.
fn is_same(given: &[u8], token: &[u8]) -> bool {
    let difference = given.iter().zip(token).fold(0, |difference, (a, b)| difference | (a ^ b));
    given.len() == token.len() && difference == 0
}
