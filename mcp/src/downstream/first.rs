//! Accepts clients whose first message is not a request: rmcp ends a connection that begins
//! with a notification or a response. Says when the client has closed its output.

use rmcp::RoleServer;
use rmcp::model::JsonRpcMessage;
use rmcp::service::{RxJsonRpcMessage, TxJsonRpcMessage};
use rmcp::transport::Transport;
use tokio_util::sync::CancellationToken;

/// A transport that ignores all messages before the first request.
pub struct FromFirstRequest<T> {
    transport: T,
    has_begun: bool,
    ended: CancellationToken,
}

impl<T> FromFirstRequest<T> {
    /// Wraps a transport. `ended` is cancelled when no more messages can arrive.
    pub fn new(transport: T, ended: CancellationToken) -> Self {
        FromFirstRequest { transport, has_begun: false, ended }
    }
}

impl<T: Transport<RoleServer>> Transport<RoleServer> for FromFirstRequest<T> {
    type Error = T::Error;

    fn send(
        &mut self,
        message: TxJsonRpcMessage<RoleServer>,
    ) -> impl Future<Output = Result<(), Self::Error>> + Send + 'static {
        self.transport.send(message)
    }

    async fn receive(&mut self) -> Option<RxJsonRpcMessage<RoleServer>> {
        loop {
            let Some(message) = self.transport.receive().await else {
                self.ended.cancel();
                return None;
            };
            self.has_begun |= matches!(message, JsonRpcMessage::Request(_));
            if self.has_begun {
                return Some(message);
            }
            tracing::warn!("ignored a message that the client sent before its first request");
        }
    }

    async fn close(&mut self) -> Result<(), Self::Error> {
        self.transport.close().await
    }
}
