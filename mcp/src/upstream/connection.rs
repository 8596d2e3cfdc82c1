//! The connection to a running server: requests, with their progress.

use std::collections::HashMap;
use std::sync::{Mutex as SyncMutex, PoisonError};

use rmcp::RoleClient;
use rmcp::RoleServer;
use rmcp::model::{
    ClientNotification, ClientRequest, CustomNotification, CustomRequest, ErrorData, ProgressToken,
    RequestMetaObject, ServerNotification, ServerPeerInfo,
};
use rmcp::service::{Peer, PeerRequestOptions, RequestHandle, ServiceError};
use serde_json::Value;
use tokio::sync::Mutex;
use tokio_util::sync::CancellationToken;

use super::failure::why;
use super::http::whole;
use crate::wire::{CAPABILITIES, Call, lost};

/// The members of `_meta` that each side sets for itself.
const OWN_META: [&str; 4] = [
    "progressToken",
    "io.modelcontextprotocol/protocolVersion",
    "io.modelcontextprotocol/clientInfo",
    "io.modelcontextprotocol/clientCapabilities",
];

/// The recipient of a request's progress.
#[derive(Clone)]
pub struct ProgressTo {
    /// The token that the client chose.
    pub token: Value,
    /// The client.
    pub peer: Peer<RoleServer>,
}

/// The connection to a running server.
pub struct Connection {
    /// The server's name.
    pub name: String,
    peer: Peer<RoleClient>,
    info: ServerPeerInfo,
    /// The recipients of progress, by the tokens that this connection chose.
    progress: SyncMutex<HashMap<ProgressToken, ProgressTo>>,
    /// Held while a notification is passed on, so that an answer cannot overtake it.
    order: Mutex<()>,
}

impl Connection {
    /// Creates a connection over a peer that has been initialized.
    pub fn new(name: String, peer: Peer<RoleClient>) -> Option<Self> {
        let info = (*peer.peer_info()?).clone();
        Some(Connection { name, peer, info, progress: SyncMutex::default(), order: Mutex::default() })
    }

    /// Returns the capabilities of the server as they were on the wire.
    pub fn capabilities(&self) -> Value {
        let kept = self.info.meta.as_ref().and_then(|meta| meta.get(CAPABILITIES)).cloned();
        kept.unwrap_or_else(|| serde_json::to_value(&self.info.capabilities).unwrap_or_default())
    }

    /// Returns whether the server has a capability, such as `tools`.
    pub fn has(&self, capability: &str) -> bool {
        self.capabilities().get(capability).is_some_and(|capability| !capability.is_null())
    }

    /// Returns what the server said about itself.
    pub fn info(&self) -> &ServerPeerInfo {
        &self.info
    }

    /// Returns whether the server's revision has no `initialize`.
    pub fn is_modern(&self) -> bool {
        !self.info.protocol_version.has_initialize()
    }

    /// Sends a request, and waits for its answer. If the client cancels the request, it is
    /// cancelled at the server as well.
    pub async fn request(
        &self,
        mut call: Call,
        progress: Option<ProgressTo>,
        cancelled: &CancellationToken,
    ) -> Result<Value, ErrorData> {
        let mut meta = call.take_meta().unwrap_or_default();
        OWN_META.iter().for_each(|name| {
            meta.remove(*name);
        });
        let handle = self.send(call, meta).await?;
        let token = handle.progress_token.clone();
        if let Some(progress) = progress {
            self.progress().insert(token.clone(), progress);
        }
        let answer = self.answer(handle, cancelled).await;
        drop(self.order.lock().await);
        self.progress().remove(&token);
        answer
    }

    async fn send(
        &self,
        call: Call,
        meta: RequestMetaObject,
    ) -> Result<RequestHandle<RoleClient>, ErrorData> {
        let method = call.method.clone();
        let request = ClientRequest::CustomRequest(CustomRequest::new(method, call.into_params()));
        let options = PeerRequestOptions::no_options().with_meta(meta);
        self.peer.send_cancellable_request(request, options).await.map_err(|error| self.failure(error))
    }

    async fn answer(
        &self,
        mut handle: RequestHandle<RoleClient>,
        cancelled: &CancellationToken,
    ) -> Result<Value, ErrorData> {
        let answer = tokio::select! {
            biased;
            answer = &mut handle.rx => answer,
            () = cancelled.cancelled() => {
                // This fails only if the server has ended, which then needs no notice.
                let _ = handle.cancel(Some("the client cancelled it".to_owned())).await;
                return Err(lost("The request was cancelled."));
            }
        };
        match answer {
            Ok(Ok(result)) => {
                whole(result).map_err(|error| ErrorData::internal_error(error.to_string(), None))
            }
            Ok(Err(error)) => Err(self.failure(error)),
            Err(_) => Err(self.ended()),
        }
    }

    fn failure(&self, error: ServiceError) -> ErrorData {
        match error {
            ServiceError::McpError(error) => error,
            ServiceError::TransportSend(error) => {
                lost(format!("The server {} cannot be reached: {}.", self.name, why(&*error.error)))
            }
            ServiceError::Cancelled { .. } => lost("The request was cancelled."),
            _ => self.ended(),
        }
    }

    fn ended(&self) -> ErrorData {
        lost(format!(
            "The server {} ended before it answered and is being restarted. Repeat the call if it is safe to run twice.",
            self.name
        ))
    }

    /// Sends a notification of the client.
    pub async fn notify(&self, call: Call) {
        let method = call.method.clone();
        let notification = CustomNotification::new(method, call.into_params());
        let notification = ClientNotification::CustomNotification(notification);
        if let Err(error) = self.peer.send_notification(notification).await {
            tracing::debug!("{}: a notification was not sent: {error}", self.name);
        }
    }

    /// Passes on the progress of a request. Returns any other notification.
    pub async fn pass_progress(&self, notification: Call) -> Option<Call> {
        let _order = self.order.lock().await;
        if notification.method != "notifications/progress" {
            return Some(notification);
        }
        let token = notification.params.get("progressToken").cloned().unwrap_or_default();
        let to = serde_json::from_value(token).ok().and_then(|token| self.progress().get(&token).cloned())?;
        let mut params = notification.params;
        params.insert("progressToken".to_owned(), to.token);
        send_to_client(&to.peer, Call::new(notification.method, params)).await;
        None
    }

    fn progress(&self) -> std::sync::MutexGuard<'_, HashMap<ProgressToken, ProgressTo>> {
        self.progress.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Sends a notification to a client.
pub async fn send_to_client(peer: &Peer<RoleServer>, call: Call) {
    let method = call.method.clone();
    let notification =
        ServerNotification::CustomNotification(CustomNotification::new(method, call.into_params()));
    if let Err(error) = peer.send_notification(notification).await {
        tracing::debug!("a notification did not reach the client: {error}");
    }
}
