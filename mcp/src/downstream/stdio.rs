//! One client over standard input and output.

use std::sync::Arc;
use std::time::Duration;

use rmcp::RoleServer;
use rmcp::model::ErrorData;
use rmcp::service::{ServerInitializeError, serve_server_with_ct};
use tokio::io::{AsyncRead, AsyncWrite, BufReader};
use tokio_util::sync::CancellationToken;

use super::first::FromFirstRequest;
use super::{Downstream, Sessions};
use crate::client::Client;
use crate::session::Session;
use crate::wire::Lines;

/// Bytes that are read from the client at once.
const READ_BYTES: usize = 64 << 10;

/// The time that open calls have to end once the client has closed its output: it may be a script
/// that reads the last answers.
const LAST_CALLS: Duration = Duration::from_secs(1);

/// The session of the only client.
struct Only(Arc<Session>);

impl Sessions for Only {
    fn of_connection(&self) -> Result<Arc<Session>, ErrorData> {
        Ok(Arc::clone(&self.0))
    }

    fn of_requests(&self, _: &Client) -> Result<Arc<Session>, ErrorData> {
        Ok(Arc::clone(&self.0))
    }
}

/// Serves a client until its input ends or `stop` is cancelled.
pub async fn serve_stdio(
    session: Arc<Session>,
    input: impl AsyncRead + Send + Unpin + 'static,
    output: impl AsyncWrite + Send + Unpin + 'static,
    max_message_bytes: u64,
    stop: CancellationToken,
) -> anyhow::Result<()> {
    let input = BufReader::with_capacity(READ_BYTES, input);
    let lines = Lines::<RoleServer, _>::new("the client", input, output, max_message_bytes);
    let downstream = Downstream::new(Arc::new(Only(Arc::clone(&session))));
    let ended = CancellationToken::new();
    let abandoned = {
        let (session, ended) = (Arc::clone(&session), ended.clone());
        tokio::spawn(async move {
            ended.cancelled().await;
            tokio::time::sleep(LAST_CALLS).await;
            session.abandon_calls();
        })
    };
    let served = serve_server_with_ct(downstream, FromFirstRequest::new(lines, ended.clone()), stop).await;
    let outcome = match served {
        Ok(running) => running.waiting().await.map(|_| ()).map_err(anyhow::Error::from),
        Err(ServerInitializeError::ConnectionClosed(_) | ServerInitializeError::Cancelled) => Ok(()),
        Err(error) => Err(error.into()),
    };
    abandoned.abort();
    session.close().await;
    outcome
}
