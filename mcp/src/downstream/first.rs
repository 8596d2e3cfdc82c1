//! Accepts clients whose first message is not a request: rmcp ends a connection that begins
//! with a notification or a response.

use rmcp::RoleServer;
use rmcp::model::JsonRpcMessage;
use rmcp::service::{RxJsonRpcMessage, TxJsonRpcMessage};
use rmcp::transport::Transport;

/// A transport that ignores all messages before the first request.
pub struct FromFirstRequest<T> {
    transport: T,
    has_begun: bool,
}

impl<T> FromFirstRequest<T> {
    /// Wraps a transport.
    pub fn new(transport: T) -> Self {
        FromFirstRequest { transport, has_begun: false }
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
            let message = self.transport.receive().await?;
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
